import Exploration
import Reports
import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore
import TemporalLogic
import Trace

/// The state of a `squall serve` run, as printed by the `status` command.
struct ServedStatus: Hashable, Sendable {
    /// A fault that is active.
    struct ActiveFault: Hashable, Sendable {
        /// The label that the user types to heal the fault.
        var label: String
        /// The kind of fault, such as `blackhole`.
        var kind: String
        /// The clients whose links the fault affects; empty for all clients.
        var clients: [String]
        var age: TimeSpan
    }

    /// A client and its open connections.
    struct Client: Hashable, Sendable {
        var id: ClientID
        var connections = OpenConnections()
    }

    var time: Instant
    var faults: [ActiveFault] = []
    /// The changes to the server and the devices that last until another step undoes them.
    var changes: [LastingChanges.Change] = []
    var clients: [Client]
    /// The violated invariants, each with the reason.
    var broken: [String] = []
    /// Whether ``text`` explains how to end a fault.
    var advises = true
    /// Whether the run is held (paused).
    var isHeld = false

    /// Derives the state from the trace so far.
    ///
    /// - Parameters:
    ///   - recording: The trace so far; it ends at the current time.
    ///   - clients: The clients of the run.
    ///   - invariants: The current verdicts on the invariants.
    ///   - changes: The changes in force that are not faults.
    init(
        _ recording: Recording,
        of clients: [ClientID],
        _ invariants: [(name: InvariantName, verdict: Verdict)],
        changes: [LastingChanges.Change] = []
    ) {
        time = recording.end
        self.changes = changes
        self.clients = clients.map { Client(id: $0) }
        var spans = FaultSpans()
        for (place, event) in recording.events.enumerated() {
            spans.observe(event, at: place)
            if event.name == RunRegistry.holdBegan { isHeld = true }
            if event.name == RunRegistry.holdEnded { isHeld = false }
            guard let client = self.clients.firstIndex(where: { $0.id == event.client }) else { continue }
            self.clients[client].connections.observe(event)
        }
        faults = spans.active.map { index in
            let span = spans.spans[index]
            let beginning = recording.events[span.began]
            let clients = beginning.fields?["clients"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let age = recording.end - beginning.time
            return ActiveFault(label: span.label, kind: span.fault, clients: clients, age: age)
        }
        broken = invariants.filter { $0.verdict.outcome == .fail }
            .map { "\($0.name.rawValue): \($0.verdict.reason.text)" }
    }

    /// The state as text: a line with the time, and one line for each violated invariant, client and active fault.
    var text: String {
        var lines = [
            "at \(time) s" + (isHeld ? ", held" : "") + (broken.isEmpty ? ": no invariant is broken so far" : "")
        ]
        lines += broken.map { "  broken: \($0)" }
        lines += clients.map { client in
            "  \(client.id.name): \(client.connections.count) open connection\(client.connections.count == 1 ? "" : "s")"
        }
        lines += faults.map { fault in
            let link = fault.clients.isEmpty ? "" : " on the link of " + fault.clients.joined(separator: ", ")
            // The age is rounded to seconds, because it changes while the user reads it.
            let seconds = fault.age.nanoseconds / 1_000_000_000
            let advice = advises ? "; end it with  network: { heal: \(fault.label) }" : ""
            return "  \(fault.kind)\(link), active for \(seconds)s\(advice)"
        }
        if faults.isEmpty { lines.append("  no active fault") }
        lines += changes.map { "  \($0.step.line) is in force" + (advises ? "; undo it with  \($0.undo.line)" : "") }
        return lines.map { "\(SanitizedText($0))" }.joined(separator: "\n")
    }
}

extension ConductedRun {
    /// The changes to the server and the devices that last until another step undoes them.
    var lastingChanges: [LastingChanges.Change] {
        let steps = performed.compactMap { stimulus in
            Move(
                stimulus.actor,
                stimulus.verb,
                stimulus.arguments.values,
                label: stimulus.label,
                clients: stimulus.clients == [.only] ? [] : stimulus.clients
            )
        }
        return LastingChanges(of: steps, profile).all
    }
}

extension Move {
    /// The arguments of the move's action as a user would type them into a form.
    var fields: [String: String] {
        let values = (action?.arguments.values ?? []).map { ($0.name, $0.value.formText) }
        return Dictionary(values, uniquingKeysWith: { first, _ in first })
    }

    /// The move as a line that a user can type at the prompt; empty if the move is not an action.
    var line: String {
        guard let (entry, arguments) = action else { return "" }
        return StepWriter.step(entry, fields: fields, label: arguments.label, client: clients.first?.name)
    }
}
