import Foundation
import Live
import ScenarioLanguage
package import ScenarioModel
import SquallCore
import Synchronization
import TemporalLogic

/// Where a run is held, and who decides how it continues.
package struct HoldPlan: Sendable {
    /// The event, as `at:` of a step names it.
    package var event: String
    /// Returns the order for a held run, and nil to end it. May block its thread for as long as it likes.
    package var order: @Sendable (HeldMoment) -> HoldOrder?

    package init(event: String, order: @escaping @Sendable (HeldMoment) -> HoldOrder?) {
        self.event = event
        self.order = order
    }

    /// Reads the event.
    ///
    /// - Throws: ``SquallError`` with the mistakes in it.
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

/// Asks for orders while a live run is held, each time on a thread of its own, and passes them to the run.
final class LiveHold: Sendable {
    private let plan: HoldPlan
    private let conductor = Mutex<LiveConductor?>(nil)

    init(_ plan: HoldPlan) {
        self.plan = plan
    }

    /// Establishes the connection to the run.
    func connect() -> LiveConductor {
        let conductor = LiveConductor { [weak self] output in
            if case .held(let moment) = output { self?.ask(moment) }
        }
        self.conductor.withLock { $0 = conductor }
        return conductor
    }

    private func ask(_ moment: HeldMoment) {
        Thread.detachNewThread { [self] in
            let order = plan.order(moment)
            conductor.withLock(\.self)?.emit(order.map { .order(0, $0) } ?? .interrupt)
        }
    }
}
