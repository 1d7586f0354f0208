import SquallCore
import Trace

/// A run that somebody conducts from outside: it goes on until they say that there is nothing more to come.
extension ScenarioRun {
    mutating func conduct(_ input: ConductorInput, at now: Instant) {
        guard conductor != nil else { return }
        switch input {
        case .perform(let number, let stimuli):
            conductor?.acts()
            for stimulus in stimuli { perform(stimulus, cause: nil, at: now) }
            outputs.append(.conducted(.done(number)))
        case .wait(let number, let wait): conductor?.begin(number, wait, at: now)
        case .withdraw(let number): conductor?.withdraw(number)
        case .show(let number): outputs.append(.conducted(.seen(number, recordingSoFar(at: now))))
        case .watch: conductor?.watch()
        case .end: conductor?.end(at: now)
        }
    }

    /// A step is over, or a deadline has come: whoever waits may be answered.
    mutating func notifyConductor(at now: Instant) {
        guard let answers = conductor?.advance(to: now) else { return }
        outputs += answers.map { .conducted($0) }
    }
}
