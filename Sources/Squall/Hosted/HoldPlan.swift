import Foundation
import Live
import ScenarioLanguage
package import ScenarioModel
import SquallCore
import Synchronization
import TemporalLogic

/// The event at which a run is paused (held), and the callback that decides how the run continues.
package struct HoldPlan: Sendable {
    /// The name of the event, in the syntax of a step's `at:`.
    package var event: String
    /// Returns the next command for a paused run, or nil to end the run. The callback may block its thread.
    package var order: @Sendable (HeldRunSnapshot) -> HoldOrder?

    package init(event: String, order: @escaping @Sendable (HeldRunSnapshot) -> HoldOrder?) {
        self.event = event
        self.order = order
    }

    /// Parses the name of the event.
    ///
    /// - Throws: ``SquallError`` with the errors in the name.
    func condition(in scenario: Scenario) throws(SquallError) -> Condition {
        let syntax = FragmentSyntax(
            source: "--hold-at",
            waiting: ("the run is held at an event", "name an event, such as client.connected#2"),
            security: "",
            ownClient: { _ in "" }
        )
        do throws(FragmentMistakes) {
            return try FragmentReader(of: scenario, speaking: syntax).condition(event, for: "--hold-at")
        } catch {
            throw .usage(error.text)
        }
    }
}

/// Sends commands to a live run while it is held (paused). Each command is requested from the plan's callback on a new
/// thread.
final class LiveHold: Sendable {
    private let plan: HoldPlan
    private let conductor = Mutex<LiveConductor?>(nil)

    init(_ plan: HoldPlan) {
        self.plan = plan
    }

    /// Creates the conductor through which this object sends commands to the run.
    func connect() -> LiveConductor {
        let conductor = LiveConductor { [weak self] output in
            if case .held(let moment) = output { self?.ask(moment) }
        }
        self.conductor.withLock { $0 = conductor }
        return conductor
    }

    private func ask(_ moment: HeldRunSnapshot) {
        Thread.detachNewThread { [self] in
            let order = plan.order(moment)
            conductor.withLock(\.self)?.emit(order.map { .order(0, $0) } ?? .interrupt)
        }
    }
}
