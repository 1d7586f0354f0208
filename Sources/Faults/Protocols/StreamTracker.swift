import SquallCore
import WebSocketWire

/// Parses one direction of a connection: HTTP/1.1 messages, and WebSocket frames after an upgrade.
///
/// The tracker does not change the stream. From the first byte that it cannot parse, it treats the stream as opaque.
struct StreamTracker: Sendable {
    // Indirect, so that a link whose stream is not parsed stays small: links are copied often.
    indirect enum Phase: Sendable {
        case requests(HTTPRequestParser)
        case responses(HTTPResponseParser)
        /// WebSocket frames, after an upgrade.
        case frames
        /// Bytes that cannot be parsed.
        case opaque
    }

    /// A parsed HTTP message head or frame header.
    enum Element {
        case request(HTTPRequestHead)
        case response(HTTPResponseHead)
        case frame(FrameHeader)
    }

    private(set) var phase: Phase
    private(set) var cursor = FrameCursor()
    /// Whether the stream is between the first frame of a message and the end of its last frame.
    private(set) var isInMessage = false
    /// Whether the next byte is part of the head of an HTTP message.
    private(set) var isInHead = true
    /// Whether an upgrade request has ended but the byte after it has not arrived yet. That byte shows whether
    /// WebSocket frames follow, or further requests because the server has rejected the upgrade.
    private var awaitsUpgradeOutcome = false
    private var isUpgrading = false
    private let direction: Direction

    init(_ direction: Direction) {
        self.direction = direction
        phase = direction == .upstream ? Self.requests() : Self.responses()
    }

    private static let limits = HTTPLimits(body: .max)
    private static func requests() -> Phase { .requests(HTTPRequestParser(limits: limits)) }
    private static func responses() -> Phase { .responses(HTTPResponseParser(limits: limits)) }

    var isHTTP: Bool {
        switch phase {
        case .requests, .responses: true
        case .frames, .opaque: false
        }
    }

    /// Consumes HTTP messages up to the first WebSocket frame. Returns the number of bytes consumed and the parsed
    /// heads.
    ///
    /// The caller passes the remaining bytes to ``takeFrames(_:)``.
    mutating func takeHTTP(_ bytes: ArraySlice<UInt8>) -> (count: Int, elements: [Element]) {
        var elements: [Element] = []
        let given = Array(bytes)
        do {
            switch phase {
            case .requests(var parser):
                phase = .opaque
                parser.append(given)
                while let event = try parser.next() {
                    switch event {
                    case .head(let head):
                        elements.append(.request(head))
                        isInHead = false
                        isUpgrading = Self.asksForWebSocket(head.headers)
                    case .body: break
                    case .end:
                        isInHead = true
                        let rest = parser.takeRemainder()
                        guard !isUpgrading else {
                            (phase, awaitsUpgradeOutcome, isUpgrading) = (.frames, true, false)
                            return (given.count - rest.count, elements)
                        }
                        parser = HTTPRequestParser(limits: Self.limits)
                        parser.append(rest)
                    }
                }
                phase = .requests(parser)
            case .responses(var parser):
                phase = .opaque
                parser.append(given)
                while let event = try parser.next() {
                    switch event {
                    case .head(let head):
                        elements.append(.response(head))
                        isInHead = false
                        isUpgrading = head.status == 101
                    case .body: break
                    case .end:
                        isInHead = true
                        let rest = parser.takeRemainder()
                        guard !isUpgrading else {
                            phase = .frames
                            return (given.count - rest.count, elements)
                        }
                        parser = HTTPResponseParser(limits: Self.limits)
                        parser.append(rest)
                    }
                }
                phase = .responses(parser)
            case .frames, .opaque: break
            }
        } catch {
            phase = .opaque
        }
        return (given.count, elements)
    }

    private static func asksForWebSocket(_ headers: HTTPHeaders) -> Bool {
        headers.elements(of: "Upgrade").contains { $0.lowercased() == "websocket" }
    }

    /// Determines from the first byte after an upgrade request whether frames or further requests follow.
    ///
    /// A request begins with a capital letter. A frame begins with such a byte only if it is the first of a fragmented,
    /// compressed message (FIN clear, RSV1 set). The byte is therefore treated as the beginning of a request.
    mutating func resolveUpgrade(_ first: UInt8) {
        guard awaitsUpgradeOutcome, cursor.isAtBoundary else { return }
        awaitsUpgradeOutcome = false
        if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first { phase = Self.requests() }
    }

    /// Consumes the next frame header, or the next part of a payload, and returns it; returns nil once all bytes are
    /// consumed.
    mutating func takeFrames(_ bytes: inout ArraySlice<UInt8>) -> FrameCursor.Step? {
        let step = cursor.step(&bytes)
        if case .header(let header, _)? = step, !header.opcode.isControl { isInMessage = !header.fin }
        return step
    }

    /// Consumes the bytes, and returns all message heads and frame headers that are now complete.
    mutating func observe(_ bytes: [UInt8]) -> [Element] {
        var elements: [Element] = []
        var rest = bytes[...]
        while let first = rest.first {
            resolveUpgrade(first)
            switch phase {
            case .opaque: return elements
            case .requests, .responses:
                let (count, seen) = takeHTTP(rest)
                elements += seen
                rest = rest.dropFirst(count)
            case .frames:
                while let step = takeFrames(&rest) {
                    if case .header(let header, _) = step { elements.append(.frame(header)) }
                }
            }
        }
        return elements
    }
}
