import SquallCore
import WebSocketWire

extension Fault {
    /// The heads and bodies of HTTP messages come slowly, each at a rate of its own; frames behind an upgrade do not.
    ///
    /// A connection that was there before and was not followed is not touched.
    package struct SlowHTTP: Hashable, Sendable {
        /// Bytes of a head in a second; 0: as they come.
        package var headers: Int64
        /// Bytes of a body in a second; 0: as they come.
        package var body: Int64
        package var stream: Stream

        package init(headers: Int64 = 0, body: Int64 = 0, stream: Stream = .both) {
            self.headers = headers
            self.body = body
            self.stream = stream
        }
    }
}

extension Fault.SlowHTTP: LinkFault {
    static let action = ActionEntry.toxic(
        "slow_http",
        [
            Parameter(
                "headers",
                .integer(ActionEntry.byteRange),
                "Bytes of a request's or an answer's head in a second; as they come, unless said."
            ),
            Parameter(
                "body",
                .integer(ActionEntry.byteRange),
                "Bytes of a body in a second; as they come, unless said."
            ),
        ],
        "Heads and bodies of HTTP come slowly, on connections that are followed from their beginning."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        headers = try arguments.integer("headers", in: ActionEntry.byteRange, default: 0)
        body = try arguments.integer("body", in: ActionEntry.byteRange, default: 0)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .slowHTTP(self) }
    var hides: ClientVisibility { .nothing }

    func shaper(drawing generator: SeededGenerator, following tracker: StreamTracker?) -> (any Shaper)? {
        SlowHTTPShaper(self, following: tracker)
    }
}

/// Two lines of a fixed rate, one for heads and one for bodies.
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

    var bite: Int { min(head?.bite ?? .max, body?.bite ?? .max) }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: arrival)
            return .none
        }
        var rest = bytes[...]
        while let first = rest.first {
            tracker?.settle(first)
            switch tracker?.phase {
            case .requests?, .responses?:
                // A head by single bytes, so that it is known where it ends; a body in one go.
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
        // Each begins where the one before it has ended.
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
