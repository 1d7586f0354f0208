import ChatWire
import SquallCore
import WebSocketWire

/// A connection to the server: the byte stream and its WebSocket, from the connection attempt until the close.
struct ClientLink {
    enum Stage {
        /// The byte stream is not open yet. Next: upgrading.
        case connecting
        /// The upgrade request was sent. Next: awaitingHello.
        case upgrading
        /// The WebSocket is open, and the server has not sent `hello` yet. Next: authenticating.
        case awaitingHello
        /// The key was sent. Next: live.
        case authenticating
        /// The server has sent `connected`; all frames are allowed.
        case live
    }

    enum Event {
        case upgraded
        case text(String)
        case binary([UInt8])
        case closedByServer(CloseCode)
        /// The server has answered the upgrade request with a status other than 101.
        case refused(HTTPResponseHead)
        case broken
    }

    let id: ConnectionID
    var stage = Stage.connecting
    private var socket: WebSocketConnection?
    /// The protocol state of this connection, such as frame numbers, which the wire profile uses to encode frames.
    private(set) var dialogue: WireDialogue
    /// The IDs of the errors received on this connection, newest last.
    private var errorIDs: [String] = []

    /// The maximum number of entries in ``errorIDs``. A second copy of an error that is no longer in the list is not
    /// detected.
    private static let maximumErrorIDs = 100

    init(_ id: ConnectionID, after last: WireDialogue = WireDialogue()) {
        self.id = id
        dialogue = last.successor
    }

    var isOpen: Bool { socket != nil }

    /// Starts the WebSocket handshake on the open byte stream: adds the upgrade request to the pending output.
    mutating func opened(_ rules: Rules, host: String, path: String, masks: inout SeededGenerator) {
        stage = .upgrading
        var key: [UInt8] = []
        for word in [masks.next(), masks.next()] {
            for shift in stride(from: 56, through: 0, by: -8) { key.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        socket = .client(
            host: host,
            path: path,
            key: key,
            masks: SeededGenerator(state: masks.next()),
            subprotocols: rules.wire.frames?.subprotocol.map { [$0] } ?? [],
            deflate: rules.profile.connect.compressAbove > 0 ? [DeflateOffer()] : [],
            limits: rules.profile.connect.limits
        )
        socket?.compressedFrom = Int(clamping: rules.profile.connect.compressAbove) + 1
    }

    mutating func receive(_ bytes: [UInt8]) -> [Event] {
        socket?.receive(bytes).compactMap(Self.event) ?? []
    }

    private static func event(_ event: WebSocketConnection.Event) -> Event? {
        switch event {
        case .opened: .upgraded
        case .received(.text(let text)): .text(text)
        case .received(.binary(let message)): .binary(message)
        case .received(.close(let close)): .closedByServer(close.code ?? .noStatus)
        case .received(.ping), .received(.pong): nil
        case .failed(.handshake(.refused(let head))): .refused(head)
        case .failed(.handshake), .failed(.http), .failed(.violation): .broken
        case .failed(.endOfStream): nil
        }
    }

    /// Sends a frame; returns false if the socket no longer accepts messages or the protocol has no such frame.
    mutating func send(_ frame: ClientFrame, _ wire: WireProfile) -> Bool {
        guard socket != nil, let bytes = frame.encode(wire, in: &dialogue) else { return false }
        return send(bytes, wire)
    }

    /// Sends a frame; returns false if the socket is closed or the wire profile's encoding cannot represent the frame.
    @discardableResult
    private mutating func send(_ frame: [UInt8], _ wire: WireProfile) -> Bool {
        switch wire.message(of: frame, in: &dialogue) {
        case .text(let bytes)?: socket?.sendText(String(decoding: bytes, as: UTF8.self)) ?? false
        case .binary(let bytes)?: socket?.sendBinary(bytes) ?? false
        case nil: false
        }
    }

    /// Sends `text` as a message; returns false if the socket no longer accepts messages.
    ///
    /// In a binary protocol, text that does not encode a packet is sent as a text message.
    mutating func send(text: String, _ wire: WireProfile) -> Bool {
        guard wire.isBinary, send(Array(text.utf8), wire) else { return socket?.sendText(text) ?? false }
        return true
    }

    /// Sends the extra frames that the wire profile specifies for `moment`. Extra frames play no part in the chat
    /// itself.
    mutating func sendExtras(after moment: ExtraFrame.Moment, _ wire: WireProfile) {
        for bytes in wire.frames?.extras(after: moment, in: &dialogue) ?? [] {
            send(bytes, wire)
        }
    }

    /// Returns the frames that a binary message completes, and the protocol violation that follows them, if any.
    mutating func frames(inBinary message: [UInt8], _ wire: WireProfile) -> (frames: [String], violation: String?) {
        wire.frames(inBinary: message, from: .server, in: &dialogue)
    }

    /// Decodes a received frame; returns nil for an extra frame, which plays no part in the chat and is ignored.
    mutating func read(_ text: String, _ wire: WireProfile) -> Decoded<ServerFrame>? {
        let decoded = ServerFrame.decode(text, wire, in: &dialogue)
        return dialogue.extra == nil ? decoded : nil
    }

    /// Records an error, and returns whether it duplicates an earlier one.
    ///
    /// An error without an ID is never a duplicate, because the server may reject two attempts for the same reason.
    mutating func isCopy(_ error: ServerFrame.ServerError) -> Bool {
        guard let id = error.id else { return false }
        guard !errorIDs.contains(id) else { return true }
        errorIDs.append(id)
        if errorIDs.count > Self.maximumErrorIDs { errorIDs.removeFirst() }
        return false
    }

    mutating func sendClose() {
        socket?.sendClose(.normal)
    }

    mutating func takeOutput() -> [UInt8] {
        socket?.takeOutput() ?? []
    }
}

extension ClientProfile.Connect {
    /// The size limits for received messages.
    fileprivate var limits: WebSocketConnection.Limits {
        maxMessageSize > 0
            ? WebSocketConnection.Limits(message: Int(clamping: maxMessageSize)) : WebSocketConnection.Limits()
    }
}
