import SquallCore

/// Each client's session, with the messages that the client has yet to acknowledge.
///
/// The table survives a restart with `state: keep`.
struct SessionTable: Hashable, Sendable {
    struct Session: Hashable, Sendable {
        let id: String
        /// The sequence numbers of unacknowledged messages, whether sent or missed, oldest first.
        fileprivate(set) var unacknowledged: [Int64] = []
        /// The messages that were sent in numbered frames, in ascending order of frame number.
        fileprivate var numbered: [NumberedMessage] = []
    }

    fileprivate struct NumberedMessage: Hashable {
        let number: Int64
        let sequence: Int64
    }

    private var sessions: [ClientID: Session] = [:]
    private var generator: SeededGenerator
    private var opened = 0

    init(seed: Seed) {
        generator = seed.stream("server.sessions")
    }

    subscript(client: ClientID) -> Session? { sessions[client] }

    /// Resumes the client's session if `id` identifies it; otherwise replaces the session with a new one.
    mutating func open(_ client: ClientID, resuming id: String?) -> (session: Session, resumed: Bool) {
        if let id, let known = sessions[client], known.id == id { return (known, true) }
        opened += 1
        // As on a real server, a session id must not be predictable from another one, so the suffix is random.
        let session = Session(id: "s\(opened)-\(String(generator.next(), radix: 16))")
        sessions[client] = session
        return (session, false)
    }

    /// Removes the client's session, and returns whether there was one.
    mutating func forget(_ client: ClientID) -> Bool {
        sessions.removeValue(forKey: client) != nil
    }

    mutating func forgetAll() {
        sessions = [:]
    }

    /// Adds a message to the queues of the clients for which `isQueued` is true.
    mutating func enqueue(_ sequence: Int64, where isQueued: (ClientID) -> Bool) {
        for client in sessions.keys where isQueued(client) { sessions[client]?.unacknowledged.append(sequence) }
    }

    /// Removes from a client's queue the messages that can no longer be replayed.
    mutating func discard(before sequence: Int64, of client: ClientID) {
        sessions[client]?.unacknowledged.removeAll { $0 < sequence }
    }

    /// Removes deleted messages from all queues.
    mutating func discard(_ sequences: Set<Int64>) {
        for client in sessions.keys { sessions[client]?.unacknowledged.removeAll(where: sequences.contains) }
    }

    mutating func acknowledge(_ sequence: Int64, by client: ClientID) {
        sessions[client]?.unacknowledged.removeAll { $0 == sequence }
    }

    /// Records the number of the frame in which a message was sent.
    mutating func note(_ number: Int64, of sequence: Int64, sentTo client: ClientID) {
        sessions[client]?.numbered.append(NumberedMessage(number: number, sequence: sequence))
    }

    /// Removes from a client's queue the messages that were sent in frames numbered up to `number`.
    mutating func acknowledge(through number: Int64, by client: ClientID) {
        guard let session = sessions[client], !session.numbered.isEmpty else { return }
        let read = Set(session.numbered.prefix { $0.number <= number }.map(\.sequence))
        sessions[client]?.numbered.removeFirst(session.numbered.prefix { $0.number <= number }.count)
        sessions[client]?.unacknowledged.removeAll(where: read.contains)
    }

    /// Discards the frame numbers of a connection that has ended.
    mutating func forgetNumbers(of client: ClientID) {
        sessions[client]?.numbered = []
    }

    mutating func dropQueues() {
        for client in sessions.keys { sessions[client]?.unacknowledged = [] }
    }
}
