import SquallCore
import Trace

/// A frame or an HTTP message on its way: the event of its sending and, where it arrived, that of its receipt.
struct FrameArrow: Hashable, Sendable {
    var from: Int
    var to: Int?
    /// It had not arrived when the run ended, but others had taken as long and did.
    var isUnderWay = false
}

/// Finds for each thing that was sent where it arrived: same client, same way, same role and key, in order.
///
/// What a dead connection swallowed must not be taken for what a later one delivered: what is received on a new
/// connection is looked for first among what was sent since the client began to open it. An answer to what the client
/// never told it had asked (an upgrade to WebSocket) is no arrow: nobody would tell of its arrival either.
struct FrameArrows {
    private var arrows: [FrameArrow] = []
    /// What is under way, as places in `arrows`, the oldest first.
    private var underWay: [FrameKey: [Int]] = [:]
    /// Where in the trace each client last began to connect, and where it had when the server last accepted it.
    private var attempts: [ClientID?: Int] = [:]
    private var accepted: [ClientID?: Int] = [:]
    /// What clients have sent, to be expected at the other end.
    private var asked: Set<FrameKey> = []

    static func match(_ events: [TraceEvent], endingAt end: Instant) -> [FrameArrow] {
        var matching = FrameArrows()
        for (place, event) in events.enumerated() { matching.take(event, at: place) }
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

    private mutating func take(_ event: TraceEvent, at place: Int) {
        guard event.fields != nil else { return }
        if event.name == "client.attempt.began" {
            attempts[event.client] = place
        } else if event.name == "server.accepted" {
            accepted[event.client] = attempts[event.client]
        }
        guard let (parcel, isSent) = FrameKey.of(event) else { return }
        if isSent {
            if parcel.way == .up { asked.insert(parcel) }
            guard !parcel.isAnswer || asked.contains(parcel.question) else { return }
            underWay[parcel, default: []].append(arrows.count)
            arrows.append(FrameArrow(from: place))
        } else {
            receive(parcel, at: place)
        }
    }

    private mutating func receive(_ parcel: FrameKey, at place: Int) {
        guard var waiting = underWay[parcel], !waiting.isEmpty else { return }
        let connection = (parcel.way == .up ? accepted : attempts)[parcel.client] ?? 0
        let index = waiting.firstIndex { arrows[$0].from >= connection } ?? 0
        arrows[waiting.remove(at: index)].to = place
        underWay[parcel] = waiting
    }
}

/// What tells one thing under way from others.
private struct FrameKey: Hashable {
    enum Way: Hashable {
        case up, down
    }

    var way: Way
    var client: ClientID?
    /// `frame.send`, `request.messages`.
    var role: String
    var key: String?

    var isAnswer: Bool { way == .down && role.hasPrefix("request.") }

    /// What this is the answer to.
    var question: FrameKey { FrameKey(way: .up, client: client, role: role, key: key) }

    private static let prefixes: [(text: String, way: Way, kind: String, isSent: Bool)] = [
        ("client.sent.", .up, "frame.", true), ("server.received.", .up, "frame.", false),
        ("server.sent.", .down, "frame.", true), ("client.received.", .down, "frame.", false),
        ("client.requested.", .up, "request.", true), ("server.requested.", .up, "request.", false),
        ("server.answered.", .down, "request.", true), ("client.answered.", .down, "request.", false),
    ]

    static func of(_ event: TraceEvent) -> (parcel: FrameKey, isSent: Bool)? {
        guard let prefix = prefixes.first(where: { event.name.hasPrefix($0.text) }) else { return nil }
        let role = prefix.kind + event.name.dropFirst(prefix.text.count)
        return (FrameKey(way: prefix.way, client: event.client, role: role, key: event.key), prefix.isSent)
    }
}
