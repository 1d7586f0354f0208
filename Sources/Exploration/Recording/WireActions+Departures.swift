import ScenarioModel
import SquallCore
import Trace

// Detects clients that closed a connection on their own initiative, not because of a fault, and later reconnected.

extension WireActions {
    /// Two user actions for each connection that a client closed on its own initiative: one that disconnects the
    /// client, and one that reconnects it.
    ///
    /// A connection that a fault affected is excluded, because the client closed it in reaction to the fault. So is the
    /// last connection: the client closed it at the end of the session.
    var departures: [Read] {
        var found: [Read] = []
        var open: [ClientID: Session] = [:]
        var left: [ClientID: TraceEvent] = [:]
        for event in recording.events {
            guard let client = event.client else { continue }
            switch (event.name, event.observation.change) {
            case ("client.attempt.began", _) where open[client] == nil:
                if let departure = left.removeValue(forKey: client) {
                    found.append(Read(action: action(.user, "disconnect", Arguments([]), by: client, departure)))
                    found.append(Read(action: action(.user, "reconnect", Arguments([]), by: client, event)))
                }
                open[client] = Session(first: event.index)
            case ("client.connected", _), ("link.state", .set("open")):
                open[client]?.isOpen = true
            case ("connection.open_sockets", .set(0)):
                guard let session = open.removeValue(forKey: client), session.isOpen else { continue }
                left[client] = departure(of: client, in: session.first..<event.index)
            default: continue
            }
        }
        return found
    }

    /// A client's WebSocket connection.
    private struct Session {
        /// The index of the event that records the connection attempt.
        var first: Int
        /// Whether the connection was established.
        var isOpen = false
    }

    /// Returns the event in which the client closed the connection whose events are in `range`; nil if the server or a
    /// fault ended the connection.
    private func departure(of client: ClientID, in range: Range<Int>) -> TraceEvent? {
        let events = recording.events[range].filter { $0.client == client || $0.client == nil }
        let isDisturbed =
            recording.actions.contains { [.network, .device].contains($0.actor) && range.contains($0.position) }
            || isFaulty(at: range.lowerBound)
            || events.contains { $0.name == "fault.began" || $0.name == "fault.ended" }
        guard !isDisturbed, !events.contains(where: { $0.name == "server.sent.draining" }) else { return nil }
        let closing = events.first { ["server.received.close", "server.sent.close"].contains($0.name) }
        if let closing { return closing.name == "server.received.close" ? closing : nil }
        let losses = ["client.disconnected", "client.attempt.failed"]
        guard let loss = events.last(where: { losses.contains($0.name) }), end(of: client, before: loss) == nil else {
            return nil
        }
        return loss
    }

    /// Returns whether a fault was active when the event with this index occurred.
    private func isFaulty(at index: Int) -> Bool {
        let before = recording.events[..<index]
        return before.count { $0.name == "fault.began" } > before.count { $0.name == "fault.ended" }
    }
}
