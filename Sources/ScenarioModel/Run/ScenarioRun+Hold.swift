package import SquallCore
import TemporalLogic
import Trace

// Holds (freezes) a run, and lets it continue.

extension ScenarioRun {
    /// Returns the held (frozen) run as shown to the user.
    package func moment(at now: Instant) -> HeldRunSnapshot {
        HeldRunSnapshot(recording: recordingSoFar(at: now), invariants: monitors.invariants(at: now))
    }

    /// Handles an input of a held (frozen) run. Requests from the controlling program are handled immediately, and all
    /// other inputs once the run is released.
    mutating func handleHeld(_ input: TransportInput, at now: Instant) {
        guard case .conducted(let request) = input else {
            hold.waiting.append(input)
            return
        }
        conduct(request, at: now)
        guard !isOver else { return }
        guard isHeld else { return proceed(at: now) }
        notifyConductor(at: now)
        hold.outputs += outputs.filter { !$0.isConducted }
        outputs.removeAll { !$0.isConducted }
    }

    /// Resumes at the point where the run was held: completes the interrupted step, then handles the queued inputs.
    private mutating func proceed(at now: Instant) {
        outputs = hold.outputs + outputs
        hold.outputs = []
        settle(at: now)
        while !isHeld, !isOver, !hold.waiting.isEmpty { take(hold.waiting.removeFirst(), at: now) }
        if !isHeld { endStep(at: now) }
    }

    /// Executes a command to hold (freeze) or release the run; rejects a command that has no effect.
    mutating func perform(_ order: HoldOrder, _ number: Int, at now: Instant) {
        switch order {
        case .hold:
            guard !isHeld else { return refuse(number, "the run is already held; 'release' lets it continue") }
            beginHold(cause: nil, at: now)
        case .release, .step:
            guard isHeld || hold.isStepping else {
                return refuse(number, "the run is not held; 'hold' freezes it")
            }
            if isHeld { record(.happened(RunRegistry.holdEnded, by: .injected), of: nil, at: now) }
            isHeld = false
            hold.end(holdingAfter: order == .step ? recorder.events.count : nil)
        }
        outputs.append(.conducted(.done(number, position: recorder.events.count)))
    }

    private mutating func refuse(_ number: Int, _ why: String) {
        outputs.append(.conducted(.refused(number, why: why)))
    }

    /// Holds (freezes) the run if the awaited event has occurred or, after a `step` command, if any event has occurred.
    mutating func holdIfDue(at now: Instant) {
        guard hold.isPending, !isHeld, let due = hold.due(afterEvents: recorder.events.count) else { return }
        beginHold(cause: due.cause, at: now)
    }

    private mutating func beginHold(cause: Int?, at now: Instant) {
        hold.begin()
        isHeld = true
        record(.happened(RunRegistry.holdBegan, by: .injected), of: nil, cause: cause, at: now)
        outputs.append(.conducted(.held(moment(at: now))))
    }
}

extension TransportOutput {
    fileprivate var isConducted: Bool {
        if case .conducted = self { true } else { false }
    }
}
