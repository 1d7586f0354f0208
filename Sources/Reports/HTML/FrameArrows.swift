import SquallCore
import Trace

/// A frame or an HTTP message between two ends: the event of its sending and, if it arrived, that of its receipt.
struct FrameArrow: Hashable, Sendable {
    var from: Int
    var to: Int?
    /// Whether it was still under way when the run ended: it had not taken longer than others that did arrive.
    var isUnderWay = false
}

/// Matches the sending of each frame or HTTP message with its receipt: same client, direction, role and key, in order.
///
/// A message lost on a dead connection must not be matched with one that a later connection delivered. So a message
/// received on a new connection is matched first with those sent since the client began to open it. A response to a
/// request that the client did not report, such as an upgrade to WebSocket, has no arrow, because its receipt is not
/// reported either.
struct FrameArrows: Sendable {
    private var arrows: [FrameArrow] = []
    /// The messages under way, as indices of `arrows`, the oldest first.
    private var underWay: [FrameKey: [Int]] = [:]
    /// The index of the event at which each client last began to connect.
    private var attempts: [ClientID?: Int] = [:]
    /// The value of ``attempts`` when the server last accepted each client.
    private var accepted: [ClientID?: Int] = [:]
    /// The requests that clients have sent, to which responses are expected.
    private var asked: Set<FrameKey> = []

    static func match(_ events: [TraceEvent], endingAt end: Instant) -> [FrameArrow] {
        var matching = FrameArrows()
        for (place, event) in events.enumerated() { matching.observe(event, at: place) }
        var longest: [Bool: TimeSpan] = [:]
        func isUp(_ arrow: FrameArrow) -> Bool { events[arrow.from].name.hasPrefix("client.") }
        for arrow in matching.arrows {
            guard let to = arrow.to else { continue }
            longest[isUp(arrow)] = max(longest[isUp(arrow)] ?? .zero, events[to].time - events[arrow.from].time)
        }
        return matching.arrows.map { arrow in
            guard arrow.to == nil, let longest = longest[isUp(arrow)] else { return arrow }
            var arrow = arrow
            arrow.isUnderWay = end - events[arrow.from].time <= longest
            return arrow
        }
    }

    /// Reads the next event of the trace; returns the arrow that it begins or ends.
    @discardableResult
    mutating func observe(_ event: TraceEvent, at place: Int) -> FrameArrow? {
        guard event.fields != nil else { return nil }
        if event.name == "client.attempt.began" {
            attempts[event.client] = place
        } else if event.name == "server.accepted" {
            accepted[event.client] = attempts[event.client]
        }
        guard let (message, isSent) = FrameKey.of(event) else { return nil }
        guard isSent else { return receive(message, at: place) }
        if message.direction == .up { asked.insert(message) }
        guard !message.isAnswer || asked.contains(message.question) else { return nil }
        underWay[message, default: []].append(arrows.count)
        arrows.append(FrameArrow(from: place))
        return arrows.last
    }

    private mutating func receive(_ message: FrameKey, at place: Int) -> FrameArrow? {
        guard var waiting = underWay[message], !waiting.isEmpty else { return nil }
        let connection = (message.direction == .up ? accepted : attempts)[message.client] ?? 0
        let index = waiting.firstIndex { arrows[$0].from >= connection } ?? 0
        let arrow = waiting.remove(at: index)
        arrows[arrow].to = place
        underWay[message] = waiting
        return arrows[arrow]
    }
}

/// The key by which messages in flight are matched.
private struct FrameKey: Hashable {
    enum Direction: Hashable {
        case up, down
    }

    var direction: Direction
    var client: ClientID?
    /// The kind of message, such as `frame.send` or `request.messages`.
    var role: String
    var key: String?

    var isAnswer: Bool { direction == .down && role.hasPrefix("request.") }

    /// The key of the request that this message answers.
    var question: FrameKey { FrameKey(direction: .up, client: client, role: role, key: key) }

    private static let prefixes: [(text: String, direction: Direction, kind: String, isSent: Bool)] = [
        ("client.sent.", .up, "frame.", true), ("server.received.", .up, "frame.", false),
        ("server.sent.", .down, "frame.", true), ("client.received.", .down, "frame.", false),
        ("client.requested.", .up, "request.", true), ("server.requested.", .up, "request.", false),
        ("server.answered.", .down, "request.", true), ("client.answered.", .down, "request.", false),
    ]

    static func of(_ event: TraceEvent) -> (message: FrameKey, isSent: Bool)? {
        guard let prefix = prefixes.first(where: { event.name.hasPrefix($0.text) }) else { return nil }
        let role = prefix.kind + event.name.dropFirst(prefix.text.count)
        return (FrameKey(direction: prefix.direction, client: event.client, role: role, key: event.key), prefix.isSent)
    }
}
