import SquallCore
import WebSocketWire

/// Follows one direction of a connection: HTTP/1.1 messages, and WebSocket frames behind an upgrade.
///
/// It only looks. What it cannot follow is opaque from there on.
struct StreamTracker: Sendable {
    /// Its parsers are kept apart: a link that nobody follows stays small, and is copied often.
    indirect enum Phase: Sendable {
        case requests(HTTPRequestParser)
        case responses(HTTPResponseParser)
        /// Behind an upgrade.
        case frames
        case opaque
    }

    /// What has been seen at the end of some bytes.
    enum Sight {
        case request(HTTPRequestHead)
        case response(HTTPResponseHead)
        case frame(FrameHeader)
    }

    private(set) var phase: Phase
    private(set) var cursor = FrameCursor()
    /// Behind the first frame of a message and before the end of its last.
    private(set) var isInMessage = false
    /// Before the end of a head: what comes next belongs to it, or begins one.
    private(set) var isInHead = true
    /// Frames, but the server may yet say no: then requests go on.
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

    /// Takes bytes up to where frames begin or go on; how many, and what was seen in them.
    ///
    /// Where frames begin, the rest is the caller's to take by ``takeFrames(_:_:)``.
    mutating func takeHTTP(_ bytes: ArraySlice<UInt8>) -> (count: Int, sights: [Sight]) {
        var sights: [Sight] = []
        let given = Array(bytes)
        do {
            switch phase {
            case .requests(var parser):
                phase = .opaque
                parser.append(given)
                while let event = try parser.next() {
                    switch event {
                    case .head(let head):
                        sights.append(.request(head))
                        isInHead = false
                        isUpgrading = Self.asksForWebSocket(head.headers)
                    case .body: break
                    case .end:
                        isInHead = true
                        let rest = parser.takeRemainder()
                        guard !isUpgrading else {
                            (phase, isUnsure, isUpgrading) = (.frames, true, false)
                            return (given.count - rest.count, sights)
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
                        sights.append(.response(head))
                        isInHead = false
                        isUpgrading = head.status == 101
                    case .body: break
                    case .end:
                        isInHead = true
                        let rest = parser.takeRemainder()
                        guard !isUpgrading else {
                            phase = .frames
                            return (given.count - rest.count, sights)
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
        return (given.count, sights)
    }

    private static func asksForWebSocket(_ headers: HTTPHeaders) -> Bool {
        headers.elements(of: "Upgrade").contains { $0.lowercased() == "websocket" }
    }

    /// No frame begins as a request does: a capital letter has reserved bits and no mask behind it.
    mutating func settle(_ first: UInt8) {
        guard isUnsure, cursor.isAtBoundary else { return }
        isUnsure = false
        if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first { phase = Self.requests() }
    }

    /// One step through frames.
    mutating func takeFrames(_ bytes: inout ArraySlice<UInt8>) -> FrameCursor.Step? {
        let step = cursor.step(&bytes)
        if case .header(let header, _)? = step, !header.opcode.isControl { isInMessage = !header.fin }
        return step
    }

    /// Looks at bytes on their way.
    mutating func observe(_ bytes: [UInt8]) -> [Sight] {
        var sights: [Sight] = []
        var rest = bytes[...]
        while let first = rest.first {
            settle(first)
            switch phase {
            case .opaque: return sights
            case .requests, .responses:
                let (count, seen) = takeHTTP(rest)
                sights += seen
                rest = rest.dropFirst(count)
            case .frames:
                while let step = takeFrames(&rest) {
                    if case .header(let header, _) = step { sights.append(.frame(header)) }
                }
            }
        }
        return sights
    }
}
