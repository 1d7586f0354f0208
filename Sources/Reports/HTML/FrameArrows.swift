import SquallCore
import Trace

/// A frame or an HTTP message between client and server: the indices of the events that record its sending and, if it
/// arrived, its receipt.
struct FrameArrow: Hashable, Sendable {
    var from: Int
    var to: Int?
    /// Whether the message may still have been in flight when the run ended, because it had not been in transit for
    /// longer than the slowest message that arrived.
    var isUnderWay = false
}

/// Matches the sending of each frame or HTTP message with its receipt by client, direction, role, key and order.
///
/// A message that was lost on a dead connection must not be matched with a message that was delivered on a later
/// connection. A message that is received on a new connection is therefore first matched with the messages that were
/// sent after the client began to open that connection. If the client did not report a request, such as a WebSocket
/// upgrade, the response has no arrow, because its receipt is not reported either.
struct FrameArrows: Sendable {
    private var arrows: [FrameArrow] = []
    /// The messages in flight, as indices of `arrows`, oldest first.
    private var underWay: [FrameKey: [Int]] = [:]
    /// For each client, the index of the event at which it last began to connect.
    private var attempts: [ClientID?: Int] = [:]
    /// For each client, the value in ``attempts`` when the server last accepted the client's connection.
    private var accepted: [ClientID?: Int] = [:]
    /// The requests that clients have sent and that have not been answered yet.
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

    /// Processes the next event of the trace. Returns the arrow that the event begins or ends; nil if it does neither.
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
        guard !message.isAnswer || asked.contains(message.request) else { return nil }
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
    /// The role of the message, such as `frame.send` or `request.messages`.
    var role: String
    var key: String?

    var isAnswer: Bool { direction == .down && role.hasPrefix("request.") }

    /// The key of the request to which this message is the response.
    var request: FrameKey { FrameKey(direction: .up, client: client, role: role, key: key) }

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
