import SquallCore
import TemporalLogic
import Trace

// Support for runs that an external program controls. Such a run continues until the program ends it.

extension ScenarioRun {
    mutating func conduct(_ input: ConductorInput, at now: Instant) {
        switch input {
        case .order(let number, let order): return perform(order, number, at: now)
        case .interrupt: return interrupt()
        default: break
        }
        guard conductor != nil else { return }
        switch input {
        case .order, .interrupt: break
        case .perform(let number, let stimuli):
            conductor?.acts()
            let position = recorder.events.count
            for stimulus in stimuli { perform(stimulus, cause: nil, at: now) }
            outputs.append(.conducted(.done(number, position: position)))
        case .wait(let number, let wait): conductor?.begin(number, wait, at: now)
        case .cancelWait(let number): conductor?.cancelWait(number)
        case .show(let number): outputs.append(.conducted(.seen(number, recordingSoFar(at: now))))
        case .judge(let number): outputs.append(.conducted(.judged(number, monitors.invariants(at: now))))
        case .watch: conductor?.watch()
        case .end:
            // Release a frozen run, because its clock is stopped and its pending deadlines would never pass.
            if isHeld { perform(.release, 0, at: now) }
            conductor?.end(at: now)
        }
    }

    /// Sends the program the answers to its waits. The run calls this after each of its steps and at each deadline.
    mutating func notifyConductor(at now: Instant) {
        guard let answers = conductor?.advance(to: now) else { return }
        outputs += answers.map { .conducted($0) }
    }
}
