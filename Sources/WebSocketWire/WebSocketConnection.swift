import Deflate
package import SquallCore

/// One endpoint of a WebSocket connection, from the handshake to the close, without I/O: it consumes incoming bytes,
/// and returns events and outgoing bytes.
///
/// The events and the output do not depend on how the input is divided into pieces.
package struct WebSocketConnection: Sendable {
    package enum State: Hashable, Sendable {
        /// A client's handshake is in progress. The next state is ``open`` or ``closed``.
        case connecting
        /// Both endpoints can send messages. The next state is ``closing`` or ``closed``.
        case open
        /// One of the two close frames has been sent or received. The next state is ``closed``.
        case closing
        /// Both close frames were exchanged, the connection failed, or the stream ended. Further input is ignored. This
        /// state is final.
        case closed
    }

    package enum Event: Hashable, Sendable {
        /// The server has accepted the handshake. Only a client receives this event.
        case opened(HTTPResponseHead)
        case received(WebSocketMessage)
        /// The connection has failed, and no more events will follow. If the handshake had completed, the output
        /// contains a close frame that states the reason.
        case failed(Failure)
    }

    package enum Failure: Error, Hashable, Sendable {
        /// The server's response does not upgrade the connection. After ``HandshakeError/refused(_:)``, the beginning
        /// of the response body becomes available in ``WebSocketConnection/refusalBody``.
        case handshake(HandshakeError)
        /// The server's response is invalid or incomplete HTTP.
        case http(HTTPError)
        case violation(ProtocolViolation)
        /// The stream ended before a close frame arrived from the peer; the close code is 1006.
        case endOfStream
    }

    package struct Limits: Hashable, Sendable {
        package var http: HTTPLimits
        /// The maximum size of a message in bytes, across all its fragments.
        package var message: Int
        /// The maximum size of ``WebSocketConnection/refusalBody`` in bytes; further bytes are dropped.
        package var refusalBody: Int

        package init(http: HTTPLimits = HTTPLimits(), message: Int = 16_777_216, refusalBody: Int = 4096) {
            self.http = http
            self.message = message
            self.refusalBody = refusalBody
        }
    }

    private enum Phase: Equatable {
        case handshake
        /// The handshake has failed, but the body of the response may still arrive.
        case refused
        case frames
        /// The connection has failed, or the stream has ended.
        case ended
    }

    package let role: WebSocketRole
    /// Whether pings are answered automatically.
    package var answersPings = true
    /// Whether ``receive(_:)`` stops after each text or binary message, so that the message can be answered before
    /// later bytes are processed. Call it with an empty array to continue.
    package var stopsAtMessages = false
    /// The minimum size, in bytes, at which a message is compressed, if compression was negotiated.
    package var compressedFrom = 0
    /// Whether the peer's close frame is answered automatically, with the same code.
    package var answersClose = true
    /// The subprotocol that the server selected; nil if it did not select one.
    package private(set) var subprotocol: String?
    package private(set) var refusalBody: [UInt8] = []
    /// The negotiated parameters of permessage-deflate; nil if it is not used.
    package private(set) var deflate: DeflateAgreement?

    private let limits: Limits
    private var phase: Phase
    private var parser: HTTPResponseParser
    /// The handshake parameters that the client requested.
    private var asked: (key: [UInt8], subprotocols: [String], deflate: [DeflateOffer]) = ([], [], [])
    private var decoder: FrameDecoder
    private var assembler: MessageAssembler
    private var deflater: Deflater?
    private var masks: SeededGenerator?
    private var output: [UInt8]
    private var hasSentClose = false
    private var receivedClose: ClosePayload?

    private init(_ role: WebSocketRole, _ phase: Phase, output: [UInt8], limits: Limits) {
        self.role = role
        self.phase = phase
        self.output = output
        self.limits = limits
        parser = HTTPResponseParser(limits: limits.http)
        decoder = FrameDecoder(role: role, maxPayload: limits.message)
        assembler = MessageAssembler(maxSize: limits.message)
    }

    /// Creates a client whose output already contains the handshake request.
    ///
    /// `key` consists of 16 random bytes and must be new for each connection. `masks` generates the masking key of each
    /// frame. `deflate` lists the offers for permessage-deflate in order of preference.
    package static func client(
        host: String,
        path: String,
        key: [UInt8],
        masks: SeededGenerator,
        subprotocols: [String] = [],
        deflate offers: [DeflateOffer] = [],
        extraHeaders: HTTPHeaders = [:],
        limits: Limits = Limits()
    ) -> WebSocketConnection {
        let request = WebSocketHandshake.request(
            host: host,
            path: path,
            key: key,
            subprotocols: subprotocols,
            deflate: offers,
            extraHeaders: extraHeaders
        )
        var connection = WebSocketConnection(.client, .handshake, output: request.encode(), limits: limits)
        connection.asked = (key, subprotocols, offers)
        connection.masks = masks
        return connection
    }

    /// Creates a server that accepts a request. Its output contains the response, and the connection is open.
    ///
    /// `remainder` contains the bytes that followed the request; call ``receive(_:)`` with an empty array to get the
    /// events decoded from them. If `preference` requests permessage-deflate, the server accepts the first supported
    /// offer.
    package static func server(
        accepting request: HTTPRequestHead,
        remainder: [UInt8] = [],
        subprotocol: String? = nil,
        deflate preference: DeflateAgreement.Preference? = nil,
        extraHeaders: HTTPHeaders = [:],
        limits: Limits = Limits()
    ) throws(HandshakeError) -> WebSocketConnection {
        var headers = extraHeaders
        let chosen = preference.flatMap {
            DeflateAgreement.choose(among: WebSocketHandshake.extensions(offeredIn: request), preference: $0)
        }
        if let chosen { headers.append("Sec-WebSocket-Extensions", chosen.answer.text) }
        let response = try WebSocketHandshake.accept(request, subprotocol: subprotocol, extraHeaders: headers)
        var connection = WebSocketConnection(.server, .frames, output: response.encode(), limits: limits)
        connection.subprotocol = subprotocol
        if let chosen { connection.agree(on: chosen.agreement) }
        connection.decoder.append(remainder)
        return connection
    }

    private mutating func agree(on agreement: DeflateAgreement) {
        deflate = agreement
        deflater = agreement.deflater(for: role)
        decoder.allowsCompression = true
        assembler = MessageAssembler(maxSize: limits.message, inflater: agreement.inflater(for: role))
    }

    package var state: State {
        switch (phase, hasSentClose, receivedClose != nil) {
        case (.handshake, _, _): .connecting
        case (.frames, false, false): .open
        case (.frames, true, false), (.frames, false, true): .closing
        case (.frames, true, true), (.refused, _, _), (.ended, _, _): .closed
        }
    }

    /// Whether this endpoint should close the TCP connection once its output has been written. A server should close it
    /// after the closing handshake (RFC 6455 section 7.1.1), and either endpoint should close it after a failure
    /// (section 7.1.7).
    package var shouldEndStream: Bool {
        state == .closed && (role == .server || phase != .frames)
    }

    /// The close code for the application (RFC 6455 section 7.1.5): the code of the peer's close frame,
    /// ``CloseCode/noStatus`` if that frame had no code, or ``CloseCode/abnormal`` if no close frame has arrived.
    package var closeCode: CloseCode {
        receivedClose.map { $0.code ?? .noStatus } ?? .abnormal
    }

    /// Removes and returns the bytes that must be written to the TCP connection now.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

// MARK: - Receiving

extension WebSocketConnection {
    /// Handles bytes from the peer, appends any responses to the output, and returns the resulting events.
    package mutating func receive(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        switch phase {
        case .handshake, .refused:
            parser.append(bytes)
            readResponse(into: &events)
        case .frames where receivedClose == nil:
            decoder.append(bytes)
            readFrames(into: &events)
        case .frames, .ended:
            // Data after a close frame is ignored (RFC 6455 section 5.5.1).
            break
        }
        return events
    }

    /// Handles the end of the peer's stream and returns the events.
    package mutating func receiveEnd() -> [Event] {
        var events: [Event] = []
        switch phase {
        case .handshake:
            parser.finish()
            readResponse(into: &events)
        case .frames where receivedClose == nil:
            events.append(.failed(.endOfStream))
        case .frames, .refused, .ended:
            break
        }
        phase = .ended
        return events
    }

    private mutating func readResponse(into events: inout [Event]) {
        do throws(HTTPError) {
            while let event = try parser.next() {
                switch event {
                case .head(let head): judge(head, into: &events)
                case .body(let piece): refusalBody += piece.prefix(max(limits.refusalBody - refusalBody.count, 0))
                case .end where phase == .frames:
                    decoder.append(parser.takeRemainder())
                    readFrames(into: &events)
                case .end: phase = .ended
                }
            }
        } catch {
            // The refusal was already reported when the response head arrived, so an error in the body is ignored.
            if phase == .handshake { events.append(.failed(.http(error))) }
            phase = .ended
        }
    }

    private mutating func judge(_ head: HTTPResponseHead, into events: inout [Event]) {
        // Interim responses other than 101 are skipped.
        guard !head.isInterim else { return }
        do throws(HandshakeError) {
            subprotocol = try WebSocketHandshake.validate(
                head,
                key: asked.key,
                subprotocols: asked.subprotocols,
                deflate: asked.deflate
            )
            if let agreement = try WebSocketHandshake.agreement(in: head, to: asked.deflate) { agree(on: agreement) }
            phase = .frames
            events.append(.opened(head))
        } catch {
            phase = .refused
            events.append(.failed(.handshake(error)))
        }
    }

    private mutating func readFrames(into events: inout [Event]) {
        do throws(ProtocolViolation) {
            while receivedClose == nil {
                guard let frame = try decoder.next() else {
                    if let frame = decoder.arriving { try assembler.inspect(frame) }
                    return
                }
                guard let message = try assembler.receive(frame) else { continue }
                events.append(.received(message))
                answer(message)
                guard stopsAtMessages else { continue }
                switch message {
                case .text, .binary: return
                case .ping, .pong, .close: break
                }
            }
        } catch {
            sendClose(error.closeCode, reason: error.description)
            phase = .ended
            events.append(.failed(.violation(error)))
        }
    }

    private mutating func answer(_ message: WebSocketMessage) {
        switch message {
        case .ping(let payload) where answersPings:
            sendPong(payload)
        case .close(let close):
            receivedClose = close
            if answersClose { sendClose(close.code) }
        case .text, .binary, .ping, .pong:
            break
        }
    }
}

// MARK: - Sending

extension WebSocketConnection {
    /// Sends a text message. If the connection is not open, writes nothing and returns false.
    @discardableResult
    package mutating func sendText(_ text: String) -> Bool {
        send(.text, Array(text.utf8), if: state == .open)
    }

    /// Sends a text message that is already encoded in UTF-8. It can also be sent after the peer's close frame has
    /// arrived, until this endpoint responds to that frame.
    @discardableResult
    package mutating func sendEncodedText(_ payload: [UInt8]) -> Bool {
        send(.text, payload, if: phase == .frames && !hasSentClose)
    }

    /// Sends a binary message. If the connection is not open, writes nothing and returns false.
    @discardableResult
    package mutating func sendBinary(_ payload: [UInt8]) -> Bool {
        send(.binary, payload, if: state == .open)
    }

    /// Sends a ping. If the connection is not open, writes nothing and returns false. `payload` is truncated to 125
    /// bytes.
    @discardableResult
    package mutating func sendPing(_ payload: [UInt8] = []) -> Bool {
        send(.ping, Array(payload.prefix(125)), if: state == .open)
    }

    /// Sends a pong. If the peer's close frame has arrived, writes nothing and returns false. Until then, pings must be
    /// answered even after this endpoint has sent its close frame (RFC 6455 section 5.5.2).
    ///
    /// `payload` is truncated to 125 bytes.
    @discardableResult
    package mutating func sendPong(_ payload: [UInt8] = []) -> Bool {
        send(.pong, Array(payload.prefix(125)), if: phase == .frames && receivedClose == nil)
    }

    /// Begins the closing handshake, or responds to the peer's close frame. If a close frame has already been sent,
    /// writes nothing and returns false.
    ///
    /// `reason` is truncated to 123 bytes, and omitted if there is no code.
    @discardableResult
    package mutating func sendClose(_ code: CloseCode? = nil, reason: String = "") -> Bool {
        guard send(.close, ClosePayload(code, reason: reason).encode(), if: phase == .frames && !hasSentClose) else {
            return false
        }
        hasSentClose = true
        return true
    }

    /// Writes a frame, valid or not, without changing it. The connection's state is neither checked nor changed.
    package mutating func sendRaw(_ frame: WebSocketFrame) {
        frame.append(to: &output)
    }

    private mutating func send(_ opcode: Opcode, _ payload: [UInt8], if allowed: Bool) -> Bool {
        guard allowed else { return false }
        let maskKey = (masks?.next()).map { UInt32(truncatingIfNeeded: $0 >> 32) }
        var frame = WebSocketFrame(opcode, maskKey: maskKey, payload: payload)
        // If zlib cannot allocate memory, the message is sent uncompressed, which is always allowed (RFC 7692 section
        // 6).
        if !opcode.isControl, payload.count >= compressedFrom, let compressed = try? deflater?.compress(payload) {
            frame = WebSocketFrame(opcode, maskKey: maskKey, payload: compressed)
            frame.header.rsv1 = true
        }
        frame.append(to: &output)
        return true
    }
}
