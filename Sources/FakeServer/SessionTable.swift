import SquallCore

/// Which session each client has, and what it has yet to acknowledge.
///
/// A restart with `state: keep` keeps it.
struct SessionTable: Hashable, Sendable {
    struct Session: Hashable, Sendable {
        let id: String
        /// Sequences of messages that were sent, or would have been, and are not acknowledged; oldest first.
        fileprivate(set) var unacknowledged: [Int64] = []
    }

    private var sessions: [ClientID: Session] = [:]
    private var generator: SeededGenerator
    private var opened = 0

    init(seed: Seed) {
        generator = seed.stream("server.sessions")
    }

    subscript(client: ClientID) -> Session? { sessions[client] }

    /// The client's session if it names it, else a new one in its place.
    mutating func open(_ client: ClientID, resuming id: String?) -> (session: Session, resumed: Bool) {
        if let id, let known = sessions[client], known.id == id { return (known, true) }
        opened += 1
        // Not to be guessed from another session's, as a real one.
        let session = Session(id: "s\(opened)-\(String(generator.next(), radix: 16))")
        sessions[client] = session
        return (session, false)
    }

    /// Whether there was one.
    mutating func forget(_ client: ClientID) -> Bool {
        sessions.removeValue(forKey: client) != nil
    }

    mutating func forgetAll() {
        sessions = [:]
    }

    /// A message goes, or would go, to every client with a session but its sender.
    mutating func enqueue(_ sequence: Int64, except sender: ClientID?) {
        for client in sessions.keys where client != sender { sessions[client]?.unacknowledged.append(sequence) }
    }

    /// What can no longer be replayed is waited for no longer.
    mutating func discard(before sequence: Int64, of client: ClientID) {
        sessions[client]?.unacknowledged.removeAll { $0 < sequence }
    }

    /// What is gone is waited for no longer.
    mutating func discard(_ sequences: Set<Int64>) {
        for client in sessions.keys { sessions[client]?.unacknowledged.removeAll(where: sequences.contains) }
    }

    mutating func acknowledge(_ sequence: Int64, by client: ClientID) {
        sessions[client]?.unacknowledged.removeAll { $0 == sequence }
    }

    mutating func dropQueues() {
        for client in sessions.keys { sessions[client]?.unacknowledged = [] }
    }
}
