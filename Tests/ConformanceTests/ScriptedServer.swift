import SquallCore
import WebSocketWire

/// A server that accepts the handshake and then answers each message as specified by the test.
struct ScriptedServer: SilentPeer {
    /// The extension that the server accepts.
    private let extensions: String?
    /// Returns the frames that answer a message. If they include a close frame, the connection ends after it.
    private let react: (WebSocketMessage) -> [WebSocketFrame]
    private var parser = HTTPRequestParser()
    private var decoder = FrameDecoder(role: .server, maxPayload: 1 << 30)
    private var assembler: MessageAssembler
    private var isOpen = false
    private var output: [UInt8] = []
    private(set) var shouldEnd = false

    init(agreeing extensions: DeflateOffer? = nil, _ react: @escaping (WebSocketMessage) -> [WebSocketFrame]) {
        self.extensions = extensions?.asExtension.text
        self.react = react
        let inflater = extensions.map { DeflateAgreement(clientBits: $0.clientWindow.size).inflater(for: .server) }
        assembler = MessageAssembler(maxSize: 1 << 30, inflater: inflater)
        decoder.allowsCompression = inflater != nil
    }

    mutating func receive(_ bytes: [UInt8]) {
        if isOpen { decoder.append(bytes) } else { open(bytes) }
        while isOpen, !shouldEnd, let frame = try? decoder.next() {
            guard let message = try? assembler.receive(frame) else { continue }
            for frame in react(message) {
                frame.append(to: &output)
                if frame.header.opcode == .close { shouldEnd = true }
            }
        }
    }

    private mutating func open(_ bytes: [UInt8]) {
        parser.append(bytes)
        while let event = try? parser.next() {
            guard case .head(let head) = event else { continue }
            let extra: HTTPHeaders = extensions.map { ["Sec-WebSocket-Extensions": $0] } ?? [:]
            guard let answer = try? WebSocketHandshake.accept(head, extraHeaders: extra) else { return }
            output += answer.encode()
            isOpen = true
        }
        decoder.append(parser.takeRemainder())
    }

    mutating func receiveEnd() { if !isOpen { shouldEnd = true } }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

extension WebSocketMessage {
    /// The frames with which an echo server answers the message.
    var echo: [WebSocketFrame] {
        switch self {
        case .text(let text): [WebSocketFrame(.text, payload: Array(text.utf8))]
        case .binary(let bytes): [WebSocketFrame(.binary, payload: bytes)]
        case .ping(let bytes): [WebSocketFrame(.pong, payload: bytes)]
        case .pong: []
        case .close(let close): [WebSocketFrame(.close, payload: ClosePayload(close.code).encode())]
        }
    }
}
