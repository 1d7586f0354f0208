import Foundation

/// A small chat client that reconnects automatically and keeps each message until the server has confirmed it.
public actor ChatClient {
    public struct Settings: Sendable {
        public var url: String
        public var key: String
        /// The time limit for connecting, the handshake and the login together.
        public var connectLimit = Duration.seconds(10)
        public var pingInterval = Duration.seconds(30)
        /// The time after which an unanswered ping closes the connection.
        public var pongLimit = Duration.seconds(10)
        /// The first reconnect delay, which is doubled for each further attempt up to `retryCap`.
        public var retryBase = Duration.seconds(1)
        public var retryCap = Duration.seconds(30)

        public init(url: String, key: String) {
            self.url = url
            self.key = key
        }
    }

    public enum State: String, Sendable, CaseIterable {
        case connecting, online, waiting
    }

    public enum Status: String, Sendable {
        case queued, sending, delivered, failed
    }

    /// A change that the user interface would display.
    public enum Change: Sendable {
        case state(State)
        case message(id: String, conversation: String)
        case status(id: String, Status)
    }

    private let settings: Settings
    private let onChange: @Sendable (Change) -> Void
    private var session: String?
    private var lastSeen: Int?
    /// The unconfirmed messages, in the order in which the user wrote them.
    private var outbox: [Frame] = []
    private var shown: Set<String> = []
    /// The connection; nil until the server has accepted the login.
    private var socket: ChatSocket?
    /// The number of consecutive failures.
    private var failures = 0
    private var unansweredPing: ContinuousClock.Instant?

    public init(_ settings: Settings, onChange: @escaping @Sendable (Change) -> Void = { _ in }) {
        self.settings = settings
        self.onChange = onChange
    }

    /// Connects, and reconnects after each end of the connection, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            onChange(.state(.connecting))
            failures += 1
            // The client reconnects after any error, so the error is ignored.
            try? await ChatSocket.open(settings.url, within: settings.connectLimit) { try await self.talk($0) }
            socket = nil
            for message in outbox { onChange(.status(id: message.clientMessageId ?? "", .queued)) }
            onChange(.state(.waiting))
            try? await Task.sleep(for: delay)
        }
    }

    /// Accepts a message from the user, and sends it now or on the next connection. Returns its id.
    public func send(_ text: String, to conversation: String) async -> String {
        let id = UUID().uuidString
        let message = Frame(type: "send", clientMessageId: id, conversationId: conversation, text: text)
        outbox.append(message)
        shown.insert(id)
        onChange(.message(id: id, conversation: conversation))
        onChange(.status(id: id, .queued))
        await transmit(message)
        return id
    }

    // MARK: - One connection

    private func talk(_ socket: ChatSocket) async throws {
        unansweredPing = nil
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.beat(socket) }
            group.addTask {
                for try await text in socket.texts { try await self.take(text, from: socket) }
            }
            // The task that ends first cancels the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func beat(_ socket: ChatSocket) async throws {
        while true {
            try await Task.sleep(for: settings.pingInterval)
            unansweredPing = .now
            try await socket.send(Frame(type: "ping").json())
            try await Task.sleep(for: settings.pongLimit)
            if unansweredPing != nil { throw CancellationError() }
        }
    }

    private func take(_ text: String, from socket: ChatSocket) async throws {
        guard let frame = Frame(json: text) else { return }
        switch frame.type {
        case "hello":
            try await socket.send(Frame(type: "connect", apiKey: settings.key, sessionId: session).json())
        case "connected":
            socket.loggedIn()
            (session, self.socket, failures) = (frame.sessionId, socket, 0)
            onChange(.state(.online))
            if let lastSeen {
                try await socket.send(Frame(type: "sync", lastSeqSeen: lastSeen).json())
            } else {
                lastSeen = frame.lastSeq ?? 0
            }
            for message in outbox { await transmit(message) }
        case "pong": unansweredPing = nil
        case "ping": try await socket.send(Frame(type: "pong").json())
        case "confirm": end(frame, .delivered)
        case "error": end(frame, .failed)
        case "message": try await show(frame, socket)
        case "replay": for message in frame.messages ?? [] { try await show(message, socket) }
        default: break
        }
    }

    private func transmit(_ message: Frame) async {
        guard let socket else { return }
        onChange(.status(id: message.clientMessageId ?? "", .sending))
        // A message that cannot be written stays in the outbox and is sent on the next connection.
        try? await socket.send(message.json())
    }

    private func end(_ frame: Frame, _ status: Status) {
        if let seq = frame.seq { lastSeen = max(lastSeen ?? 0, seq) }
        guard let id = frame.clientMessageId, outbox.contains(where: { $0.clientMessageId == id }) else { return }
        outbox.removeAll { $0.clientMessageId == id }
        onChange(.status(id: id, status))
    }

    private func show(_ message: Frame, _ socket: ChatSocket) async throws {
        if let seq = message.seq { lastSeen = max(lastSeen ?? 0, seq) }
        guard let serverID = message.messageId else { return }
        let id = message.clientMessageId ?? serverID
        if shown.insert(id).inserted { onChange(.message(id: id, conversation: message.conversationId ?? "")) }
        try await socket.send(Frame(type: "message_ack", messageId: serverID).json())
    }

    /// The delay before the next attempt, randomly increased by up to a quarter, so that the clients of a server do not
    /// all reconnect at the same time.
    private var delay: Duration {
        let doubled = settings.retryBase * (1 << min(failures, 16))
        return min(doubled, settings.retryCap) * Double.random(in: 1...1.25)
    }
}
