import ReferenceClient
package import ScenarioModel
import SquallCore
package import Trace

/// Executes runs in virtual time, on one thread, over in-memory links.
package enum SimulatedWorld {
    /// The number of network events and timers above which a run is considered livelocked.
    package static let maximumEvents = 5_000_000

    /// The number of events between consecutive checks for cancellation.
    private static let eventsBetweenCancellationChecks = 4096

    /// Executes a run to its end.
    ///
    /// A run that exceeds `maximumEvents` or is cancelled ends early, and its result reports this. `isCancelled` is
    /// called every 4,096 events.
    package static func play(
        _ plan: RunPlan,
        shifts: ScheduleShifts = .none,
        maximumEvents: Int = maximumEvents,
        isCancelled: () -> Bool = { false }
    ) -> RunResult {
        play(plan, shifts: shifts, maximumEvents: maximumEvents, capturing: false, isCancelled: isCancelled).result
    }

    /// Executes a run to its end and, if `capturing`, also returns the packets that its links would have sent over TCP.
    ///
    /// `onHold` is called whenever the run is held, and returns the command to execute next; it may block. If it
    /// returns nil, the run is interrupted.
    package static func play(
        _ plan: RunPlan,
        shifts: ScheduleShifts = .none,
        maximumEvents: Int = maximumEvents,
        capturing: Bool,
        isCancelled: () -> Bool = { false },
        onHold: (HeldRunSnapshot) -> HoldOrder? = { _ in .release }
    ) -> (result: RunResult, capture: PacketCapture?) {
        var run = ScenarioRun(plan)
        let network = SimulatedNetwork(
            stores: Dictionary(uniqueKeysWithValues: run.clients.map { ($0, StoreImage()) }),
            shifts: shifts,
            isSecured: run.security.ofClients,
            tap: capturing ? SimulatedCapture(of: run.clients, isSecured: run.security.ofClients) : nil
        )
        var stage = Stage(network: network, shifts: shifts)
        stage.carry(&run, .ready, at: .zero)
        var events = 0
        while !run.isOver {
            if run.isHeld {
                guard let order = onHold(run.moment(at: stage.now)) else {
                    run.interrupt()
                    break
                }
                stage.carry(&run, .conducted(.order(0, order)), at: stage.now)
                continue
            }
            guard let now = stage.step(&run) else {
                run.abandon("no event is pending, but the run is not over", at: stage.now)
                break
            }
            events += 1
            if events > maximumEvents {
                run.abandon("the run does not end: \(events) events by \(now)", at: now)
                break
            }
            if events % eventsBetweenCancellationChecks == 0, isCancelled() {
                run.interrupt()
                break
            }
        }
        let result = run.finish(at: stage.now)
        // If the calm period (the fault-free period at the end of the run) was removed from the trace, that period's
        // packets are also left out of the capture.
        return (result, stage.network.captured(until: result.recording.end))
    }

    /// The state of the event loop: the network, the current time and the time of the next timer.
    private struct Stage {
        var network: SimulatedNetwork
        var shifts: ScheduleShifts
        var now = Instant.zero
        private var wake: (deadline: Instant, time: Instant)?

        init(network: SimulatedNetwork, shifts: ScheduleShifts) {
            self.network = network
            self.shifts = shifts.ofTimers
        }

        /// Passes an input to the run and performs the run's outputs.
        mutating func carry(_ run: inout ScenarioRun, _ input: TransportInput, at now: Instant) {
            for output in run.handle(input, at: now) { network.perform(output, at: now) }
        }

        /// Handles the next event. If a run timer and a network event are due at the same instant, the timer comes
        /// first.
        ///
        /// Returns the event's time; nil if nothing is pending.
        mutating func step(_ run: inout ScenarioRun) -> Instant? {
            let wakeTime = nextWake(for: run.nextDeadline)
            guard let wakeTime, wakeTime <= network.nextTime ?? .never else {
                guard let (time, inputs) = network.advance() else { return nil }
                now = time
                for input in inputs { carry(&run, input, at: time) }
                return time
            }
            now = max(now, wakeTime)
            wake = nil
            carry(&run, .wake, at: now)
            return now
        }

        /// Returns a deadline's time, including its random delay, which is drawn only once per deadline.
        private mutating func nextWake(for deadline: Instant?) -> Instant? {
            guard let deadline else { return nil }
            if let wake, wake.deadline == deadline { return wake.time }
            let time = deadline + shifts.shifted(.zero)
            wake = (deadline, time)
            return time
        }
    }
}
