import SquallCore
import WebSocketWire

extension Fault {
    /// A fault that slows down the heads and bodies of HTTP messages, each at its own rate, but not the frames after an
    /// upgrade.
    ///
    /// A connection that was open before the fault is affected only if it has been parsed from its first byte.
    package struct SlowHTTP: Hashable, Sendable {
        /// The rate at which heads arrive, in bytes per second; 0 means unlimited.
        package var headers: Int64
        /// The rate at which bodies arrive, in bytes per second; 0 means unlimited.
        package var body: Int64
        package var stream: Stream

        package init(headers: Int64 = 0, body: Int64 = 0, stream: Stream = .both) {
            self.headers = headers
            self.body = body
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func slowHTTP(_ fault: Fault.SlowHTTP) -> Self { Self(fault) }
}

extension Fault.SlowHTTP: LinkFault {
    static let declaration = FaultDeclaration(
        "slow_http",
        Self(),
        [
            .integer(
                "headers",
                \.headers,
                in: Fault.byteRange,
                "The rate of the headers in bytes per second; 0: unlimited."
            ),
            .integer("body", \.body, in: Fault.byteRange, "The rate of a body in bytes per second; 0: unlimited."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "HTTP headers and bodies arrive slowly, on connections that Squall parses from their start."
    )

    var hiddenActions: HiddenActions { .nothing }
    var needsStreamTracking: Bool { true }

    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        SlowHTTPShaper(self, following: tracker)
    }
}

/// Shapes HTTP messages with two fixed-rate lines, one for heads and one for bodies.
struct SlowHTTPShaper: Shaper {
    private var tracker: StreamTracker?
    private var head: BandwidthShaper?
    private var body: BandwidthShaper?
    private var isInHead: Bool

    init(_ fault: Fault.SlowHTTP, following tracker: StreamTracker?) {
        self.tracker = tracker
        isInHead = tracker?.isInHead == true
        if fault.headers > 0 { head = BandwidthShaper(Fault.Bandwidth(rate: fault.headers)) }
        if fault.body > 0 { body = BandwidthShaper(Fault.Bandwidth(rate: fault.body)) }
    }

    var chunkLimit: Int { min(head?.chunkLimit ?? .max, body?.chunkLimit ?? .max) }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: arrival)
            return .none
        }
        var rest = bytes[...]
        while let first = rest.first {
            tracker?.resolveUpgrade(first)
            switch tracker?.phase {
            case .requests?, .responses?:
                // A head is processed byte by byte, because only the parser knows where it ends; a body is processed as
                // a whole.
                let wasInHead = isInHead
                var count = 0
                while count < rest.count, isInHead == wasInHead, tracker?.isHTTP == true {
                    let part = wasInHead ? rest.dropFirst(count).prefix(1) : rest
                    count += tracker?.takeHTTP(part).count ?? 0
                    isInHead = tracker?.isInHead == true
                    if !wasInHead { break }
                }
                pass(Array(rest.prefix(count)), isHead: wasInHead, at: arrival, into: &queue)
                rest = rest.dropFirst(count)
            case .frames?, .opaque?, nil:
                queue.append(.bytes(Array(rest)), due: arrival)
                return .none
            }
        }
        return .none
    }

    private mutating func pass(_ bytes: [UInt8], isHead: Bool, at arrival: Instant, into queue: inout PieceQueue) {
        // No byte of a head or body passes before all bytes of the previous head or body have passed.
        let arrival = max(arrival, queue.lastDue)
        if isHead, head != nil {
            _ = head?.shape(.bytes(bytes), at: arrival, into: &queue)
        } else if !isHead, body != nil {
            _ = body?.shape(.bytes(bytes), at: arrival, into: &queue)
        } else {
            queue.append(.bytes(bytes), due: arrival)
        }
    }
}
