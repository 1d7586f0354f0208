import Foundation
import NIOCore
import NIOPosix
import NIOWebSocket

/// A chat client for Squall's own protocol on plain WebSocket messages. Its state is confined to `loop`.
final class Chat: @unchecked Sendable {
    typealias Frame = [String: Any]

    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (host, port, path): (String, Int, String)
    private let key: String
    private(set) var isClosed = false
    private var channel: (any Channel)?
    private var isLoggedIn = false
    private var session: String?
    private var seen = 0
    private var outbox: [(key: String, message: Frame)] = []
    private var shown: Set<String> = []

    init(url: String, key: String) {
        let address = URLComponents(string: url)
        (host, port, path) = (address?.host ?? "", address?.port ?? 80, address?.path ?? "/")
        self.key = key
        report("state", ["value": "connecting"])
    }

    func opened(_ channel: any Channel) {
        self.channel = channel
        if isClosed { close() }
    }

    func received(_ text: String) {
        let frame = decoded(text)
        switch frame["type"] as? String {
        case "hello":
            write(["type": "connect", "api_key": key].merging(session.map { ["session_id": $0] } ?? [:]) { $1 })
        case "connected":
            session = frame["session_id"] as? String
            write(["type": "sync", "last_seq_seen": seen])
        case "replay":
            for message in frame["messages"] as? [Frame] ?? [] { show(message) }
            isLoggedIn = true
            report("state", ["value": "online"])
            for entry in outbox { transmit(entry.key) }
        case "message": show(frame)
        case "confirm":
            seen = max(seen, frame["seq"] as? Int ?? 0)
            let confirmed = frame["client_message_id"] as? String ?? ""
            guard outbox.contains(where: { $0.key == confirmed }) else { return }
            outbox.removeAll { $0.key == confirmed }
            report("status", ["client_message_id": confirmed, "value": "delivered"])
        default: break
        }
    }

    private func show(_ message: Frame) {
        let id = message["message_id"] as? String ?? ""
        seen = max(seen, message["seq"] as? Int ?? 0)
        let name = message["client_message_id"] as? String ?? id
        if shown.insert(name).inserted {
            report("message", ["conversation": message["conversation_id"] ?? "", "id": name])
        }
        write(["type": "message_ack", "message_id": id])
    }

    /// Handles the end of the connection or of a connection attempt.
    func closed() {
        (channel, isLoggedIn) = (nil, false)
        if !isClosed { report("state", ["value": "reconnecting"]) }
    }

    /// Accepts a message from the user, to be sent now or on the next connection; returns its key.
    func send(_ room: String, _ text: String) -> String {
        let key = UUID().uuidString
        shown.insert(key)
        outbox.append((key, ["type": "send", "client_message_id": key, "conversation_id": room, "text": text]))
        return key
    }

    func transmit(_ key: String) {
        guard let message = outbox.first(where: { $0.key == key })?.message else { return }
        report("status", ["client_message_id": key, "value": isLoggedIn ? "sending" : "queued"])
        if isLoggedIn { write(message) }
    }

    /// Disconnects permanently: sends a close frame, and closes the channel if the server does not.
    func close() {
        if !isClosed { report("state", ["value": "closed"]) }
        isClosed = true
        channel?.send(.connectionClose, ByteBuffer(bytes: [0x03, 0xE8]))
        loop.scheduleTask(in: .seconds(2)) { [channel] in channel?.close(promise: nil) }
    }

    private func write(_ message: Frame) {
        channel?.send(.text, ByteBuffer(string: encoded(message)))
    }
}

extension Channel {
    /// Sends a frame with a masking key, which RFC 6455 requires of clients.
    @discardableResult
    func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) -> EventLoopFuture<Void> {
        writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
    }
}
