import ChatWire
import ScenarioLanguage
import SquallCore

/// Both endpoints of a connection that uses a wire profile. One endpoint encodes each frame, and the other decodes it.
struct FrameTranscript {
    let wire: WireProfile
    private var client = WireDialogue()
    private var server = WireDialogue()
    /// The references of the requests that the server may answer, keyed by role.
    private var heard: [FrameRole: WireDialogue.Reference] = [:]
    private(set) var lines: [String] = []
    /// The fields that were lost in transit, such as `client ping: id`.
    private(set) var losses: [String] = []
    /// Every message sent so far.
    private(set) var messages: [(origin: FrameOrigin, text: String)] = []

    init(_ wire: WireProfile) {
        self.wire = wire
    }

    // MARK: - Encoding and decoding frames

    mutating func say(_ frame: ClientFrame) {
        let bytes = frame.encode(wire, in: &client)
        guard let text = begin("client \(frame.role.rawValue)", .client, bytes) else { return }
        let decoded = ClientFrame.decode(text, wire, in: &server)
        if let reference = server.lastReference, let role = reference.name.role { heard[role] = reference }
        guard case .frame(let read) = decoded else { return lines.append("  read \(decoded)") }
        end("client \(frame.role.rawValue)", frame.fields, read.role == frame.role ? read.fields : nil)
    }

    mutating func say(_ frame: ServerFrame, answering role: FrameRole? = nil) {
        let bytes = frame.encode(wire, answering: role.flatMap { heard[$0] }, in: &server)
        let answer = role.map { " to \($0.rawValue)" } ?? ""
        guard let text = begin("server \(frame.role.rawValue)\(answer)", .server, bytes) else { return }
        let decoded = ServerFrame.decode(text, wire, in: &client)
        guard case .frame(let read) = decoded else { return lines.append("  read \(decoded)") }
        end("server \(frame.role.rawValue)", Self.fields(frame), read.role == frame.role ? Self.fields(read) : nil)
    }

    /// Adds a line that shows how an invalid message is decoded.
    mutating func hear(_ text: String, from origin: FrameOrigin) {
        let told =
            switch origin {
            case .client: "\(ClientFrame.decode(text, wire, in: &server))"
            case .server: "\(ServerFrame.decode(text, wire, in: &client))"
            }
        lines.append("wrong, from the \(origin.rawValue): \(text)")
        lines.append("  \(told)")
    }

    private mutating func begin(_ title: String, _ origin: FrameOrigin, _ bytes: [UInt8]?) -> String? {
        lines.append(title)
        guard let bytes else {
            lines.append("  none")
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        messages.append((origin, text))
        lines.append("  \(text)")
        return text
    }

    private mutating func end(_ title: String, _ written: [JSONMember], _ read: [JSONMember]?) {
        guard let read else { return lines.append("  read as another frame") }
        let names = Set((written + read).map(\.name)).sorted()
        let lost = names.filter { name in
            written.first { $0.name == name }?.value != read.first { $0.name == name }?.value
        }
        guard !lost.isEmpty else { return }
        lines.append("  read \(JSON.object(read.filter { lost.contains($0.name) }))")
        losses += lost.map { "\(title): \($0)" }
    }

    private static func fields(_ frame: ServerFrame) -> [JSONMember] {
        let bytes = frame.encode(WireProfile(timestampForm: .milliseconds))
        return Array(((try? JSON.decode(bytes))?.members ?? []).dropFirst())
    }
}

extension FrameTranscript {
    /// Sends one frame of every role, with all its fields set, in the order in which the roles occur on a connection.
    mutating func sayEverything() {
        let message = ChatMessage(
            id: "m-41",
            conversation: "stukov",
            sender: "stukov",
            sequence: 41,
            timestamp: 1_772_368_245_250,
            text: "Say \"hi\" {to} Zoë",
            clientMessageID: "c-12"
        )
        var bare = message
        bare.clientMessageID = nil
        say(.hello(version: "0.2.0", authVersion: 1, heartbeatInterval: .milliseconds(41_250)))
        say(.connect(.init(key: "key-1")))
        say(.connected(.init(session: "s-7", resumed: false, lastSequence: 40)), answering: .connect)
        say(.connect(.init(key: "key-1", session: "s-7")))
        say(.connected(.init(session: "s-7", resumed: true, lastSequence: 40)), answering: .connect)
        say(.ping(id: "ping-1") as ClientFrame)
        say(.pong(id: "ping-1"), answering: .ping)
        say(.ping(id: "h1") as ServerFrame)
        say(.pong(id: "h1") as ClientFrame)
        say(.send(.init(clientMessageID: "c-12", conversation: "stukov", text: "[]{}\"\u{0} é")))
        say(
            .confirm(
                .init(
                    clientMessageID: "c-12",
                    messageID: "m-41",
                    sequence: 41,
                    timestamp: 1_772_368_245_250,
                    duplicate: true
                )
            ),
            answering: .send
        )
        let limited = ServerFrame.ServerError(
            code: .rateLimited,
            message: "Slow down",
            retryAfter: .milliseconds(1500),
            clientMessageID: "c-12"
        )
        say(.error(limited), answering: .send)
        say(.error(.init(code: .internalError, message: "Sorry")))
        say(.message(message))
        say(.message(bare))
        say(.messageAck(id: "m-41"))
        say(.sync(lastSequence: 39))
        say(.replay(.init(messages: [message, bare], complete: true, lastSequence: 41)), answering: .sync)
        say(.replay(.init(messages: [], complete: false, lastSequence: 41)))
        say(.readReceipt(conversation: "stukov", messageID: "m-41") as ClientFrame)
        say(.readReceipt(conversation: "stukov", messageID: "m-41", reader: "stukov"))
        say(.typing(conversation: "stukov", active: true) as ClientFrame)
        say(.typing(conversation: "stukov", user: "stukov", active: false))
        say(.token(.init(conversation: "stukov", messageID: "m-42", index: 0, text: "Let ", final: false)))
        say(.presence(user: "stukov", status: .busy, lastSeen: 1_772_368_080_001))
        say(.presence(user: "stukov", status: .online, lastSeen: nil))
        say(.authError(message: "Authentication failed"), answering: .connect)
        say(.draining(message: "Back soon", retryAfter: .seconds(5)))
        say(.draining(message: "Back soon", retryAfter: nil))
    }
}
