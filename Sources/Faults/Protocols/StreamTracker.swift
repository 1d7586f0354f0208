import SquallCore
import WebSocketWire

/// Parses one direction of a connection: HTTP/1.1 messages, and WebSocket frames after an upgrade.
///
/// The tracker changes nothing. A stream that it cannot parse is opaque from that point on.
struct StreamTracker: Sendable {
    // Indirect, because links are copied often, and one whose stream is not parsed must stay small.
    indirect enum Phase: Sendable {
        case requests(HTTPRequestParser)
        case responses(HTTPResponseParser)
        /// WebSocket frames, after an upgrade.
        case frames
        /// Bytes that cannot be parsed.
        case opaque
    }

    /// A parsed head of an HTTP message or header of a frame.
    enum Element {
        case request(HTTPRequestHead)
        case response(HTTPResponseHead)
        case frame(FrameHeader)
    }

    private(set) var phase: Phase
    private(set) var cursor = FrameCursor()
    /// Whether the stream is between the first frame of a message and the end of its last frame.
    private(set) var isInMessage = false
    /// Whether the next byte belongs to the head of an HTTP message, or is its first byte.
    private(set) var isInHead = true
    /// Whether frames are expected although the server may still reject the upgrade, in which case requests follow.
    private var isUnsure = false
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

    /// Consumes HTTP up to the first WebSocket frame; returns the number of bytes consumed and the heads parsed.
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
                            (phase, isUnsure, isUpgrading) = (.frames, true, false)
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

    /// Decides by the first byte after an upgrade request whether frames or further requests follow.
    ///
    /// A request begins with a capital letter. A frame does not: its second reserved bit (RSV2) would be set.
    mutating func settle(_ first: UInt8) {
        guard isUnsure, cursor.isAtBoundary else { return }
        isUnsure = false
        if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first { phase = Self.requests() }
    }

    /// Consumes bytes up to the next frame event, and returns that; nil once all bytes are consumed.
    mutating func takeFrames(_ bytes: inout ArraySlice<UInt8>) -> FrameCursor.Step? {
        let step = cursor.step(&bytes)
        if case .header(let header, _)? = step, !header.opcode.isControl { isInMessage = !header.fin }
        return step
    }

    /// Consumes bytes and returns all heads and headers that were completed.
    mutating func observe(_ bytes: [UInt8]) -> [Element] {
        var elements: [Element] = []
        var rest = bytes[...]
        while let first = rest.first {
            settle(first)
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
