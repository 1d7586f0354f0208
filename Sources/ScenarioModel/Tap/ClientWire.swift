import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// What the wire shows of one foreign client: its frames and requests, and, in the place of a client that does not tell
/// of them, its attempts, connections and open sockets.
struct ClientWire: Sendable {
    private let wire: WireProfile
    /// The names that the client does not show itself.
    private let standsIn: Set<String>
    private var lines: [LinkID: Line] = [:]
    /// The WebSockets that have not ended, in the order in which they came about.
    private var sockets: [Socket] = []
    private var connected: LinkID?
    /// Of which the client's doings were not seen for a while, or ever since: when it ended them, and whether, nobody knows.
    private var dark: Set<LinkID> = []
    /// Attempts since the last connection.
    private var attempts: Int64 = 0
    /// When the last attempt or connection was seen to end, and nothing was hidden since.
    private var lastEnd: Instant?
    /// Of the newest WebSocket, as it was told last.
    private var reportedState = LinkState.none
    /// What the client has not had the time to see.
    private var underWay: [(link: LinkID, what: Crossing, at: Instant)] = []
    /// Whether the client says itself that it is connected.
    private let reportsState: Bool
    private var isConnectedByItsWord = false
    private var wasResumed = false
    /// How the last connection ended that the client has not spoken of yet.
    private var lastFailure: String?

    private struct Line {
        var tap: WireTap
        /// When it came about: what it says may be read much later.
        let cameAt: Instant
        /// The client has ended its own direction: it may read on, or be gone.
        var hasSaidAll = false
        var hasHeardAll = false
    }

    private struct Socket {
        let link: LinkID
        var state = LinkState.opening
        /// With which status the upgrade was refused.
        var refusal: Int?
    }

    private enum Crossing {
        case end(LinkEnd)
        /// Said to a client that has ended its own direction: if it is gone, its kernel says so now.
        case said([WireTap.Event])
    }

    /// How long an end takes to the client's side: what the script does next comes before it.
    private static let crossing = TimeSpan.milliseconds(1)

    /// When ``due(at:)`` has something to tell.
    var nextDeadline: Instant? { underWay.first.map { $0.at + Self.crossing } }

    /// What the wire tells of a client that does not itself.
    static let standIns = [
        "client.attempt.began", "client.attempt.failed", "client.connected", "client.disconnected",
        "connection.open_sockets",
    ]

    /// A client that tells of its state is connected when it says so; another when the wire does.
    init(_ wire: WireProfile, standingInFor names: [String], reportsState: Bool) {
        self.wire = wire
        standsIn = Set(names)
        self.reportsState = reportsState
    }

    // MARK: - What passes

    mutating func accepted(_ link: LinkID, at now: Instant) -> [Observation] {
        lines[link] = Line(tap: WireTap(wire), cameAt: now)
        // Who calls again has seen the end before.
        return due(at: .never)
    }

    mutating func upstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        let events = read(link) { $0.upstream(bytes) }
        return events.flatMap { emit($0, link, at: now) }
    }

    mutating func downstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        let events = read(link) { $0.downstream(bytes) }
        guard lines[link]?.hasSaidAll != true else {
            if !events.isEmpty { underWay.append((link, .said(events), now)) }
            return []
        }
        return events.flatMap { emit($0, link, at: now) }
    }

    private mutating func read(_ link: LinkID, _ body: (inout WireTap) -> [WireTap.Event]) -> [WireTap.Event] {
        // Taken out, so that its buffers are not copied.
        guard var line = lines.removeValue(forKey: link) else { return [] }
        defer { lines[link] = line }
        return body(&line.tap)
    }

    /// The network or the server has ended a connection; the client is still to see it.
    mutating func endedFromAfar(_ link: LinkID, _ how: LinkEnd, at now: Instant) {
        underWay.append((link, .end(how), now))
        if connected == link { lastFailure = Self.word(for: how) }
    }

    /// What the client can have seen by now.
    mutating func due(at now: Instant) -> [Observation] {
        var told: [Observation] = []
        while let first = underWay.first, now == .never || first.at + Self.crossing <= now {
            underWay.removeFirst()
            switch first.what {
            case .said(let events): told += events.flatMap { emit($0, first.link, at: first.at) }
            case .end(let how):
                lines[first.link]?.hasHeardAll = true
                told += over(first.link, how, at: first.at)
            }
        }
        return told
    }

    private static func word(for how: LinkEnd) -> String { how == .rst ? "reset" : "end_of_stream" }

    /// The client has said what its connection's state is.
    mutating func reported(_ state: String) -> [Observation] {
        guard reportsState, (state == "connected") != isConnectedByItsWord else { return [] }
        isConnectedByItsWord.toggle()
        return allowed([
            isConnectedByItsWord
                ? .happened("client.connected", ["resumed": .bool(wasResumed)], by: .reported)
                : .happened("client.disconnected", ["failure": .string(lastFailure.take() ?? "own")], by: .reported)
        ])
    }

    /// The client has ended its direction of a connection, or all of it.
    mutating func ended(_ link: LinkID, _ how: LinkEnd, at now: Instant) -> [Observation] {
        lines[link]?.hasSaidAll = true
        if how == .rst { underWay.removeAll { $0.link == link } }
        return over(link, how, at: now)
    }

    /// One of both directions has ended, which is the end of a WebSocket; a response may follow yet.
    private mutating func over(_ link: LinkID, _ how: LinkEnd, at now: Instant) -> [Observation] {
        guard let line = lines[link] else { return [] }
        if how == .rst || line.tap.isSocket || line.hasSaidAll && line.hasHeardAll { lines[link] = nil }
        guard line.tap.isSocket else { return [] }
        sockets.removeAll { $0.link == link }
        lastEnd = dark.remove(link) == nil ? now : nil
        let word: JSON = ["failure": .string(Self.word(for: how))]
        var told: [Observation] = []
        if connected == link {
            connected = nil
            if !reportsState { told.append(.happened("client.disconnected", word, by: .observed)) }
        } else {
            told.append(.happened("client.attempt.failed", word, by: .observed))
        }
        return allowed(told + state + [openSockets])
    }

    /// Attempts may have been made that nobody saw: their spacing says nothing.
    mutating func wasHidden() {
        lastEnd = nil
    }

    /// Nothing of what the client does with this connection is seen any more.
    mutating func wentDark(_ link: LinkID) {
        if lines[link] != nil { dark.insert(link) }
    }

    /// The client's process is gone, and its connections with it: what it counted begins anew, and what its kernel still ends
    /// is not its doing.
    mutating func killed() -> [Observation] {
        let hadSockets = !sockets.isEmpty
        lines.removeAll()
        sockets.removeAll()
        underWay.removeAll()
        dark.removeAll()
        lastEnd = nil
        attempts = 0
        connected = nil
        isConnectedByItsWord = false
        return allowed(state + (hadSockets ? [openSockets] : []))
    }

    // MARK: - What it says

    private mutating func emit(_ event: WireTap.Event, _ link: LinkID, at now: Instant) -> [Observation] {
        switch event {
        case .upgradeAsked:
            attempts += 1
            // Who calls again has given up what leads nowhere.
            sockets.removeAll { dark.contains($0.link) }
            var told: [Observation] = []
            if let place = sockets.firstIndex(where: { $0.link == link }) {
                // Asked for again on the connection on which it was refused.
                let failure = sockets.remove(at: place).refusal.map { JSON.string("http_\($0)") } ?? .null
                told.append(.happened("client.attempt.failed", ["failure": failure], by: .observed))
            }
            let isLate = dark.contains(link)
            sockets.append(Socket(link: link))
            var fields: JSON = ["number": .integer(attempts)]
            if let lastEnd, let came = lines[link]?.cameAt, came >= lastEnd, sockets.count == 1, !isLate {
                fields.set("after", to: .integer((came - lastEnd).nanoseconds))
            }
            lastEnd = nil
            return allowed(told + [.happened("client.attempt.began", fields, by: .observed), openSockets] + state)
        case .upgradeAnswered(let status):
            change(link) { socket in
                if status == 101 { socket.state = .open } else { socket.refusal = status }
            }
            return state
        case .requested(let route, let target):
            guard Registry.entry(named: "client.requested.\(route.name)") != nil else { return [] }
            let fields: JSON = ["method": .string(route.kind.method), "target": .string(target)]
            return [.happened("client.requested.\(route.name)", fields, by: .observed)]
        case .answered(let route, let status):
            guard Registry.entry(named: "client.answered.\(route.name)") != nil else { return [] }
            return [
                .happened("client.answered.\(route.name)", ["status": .integer(Int64(status))], by: .observed)
            ]
        case .confirmed: return []
        case .sent(let frame):
            let (key, fields) = frame.traced
            return [.happened(FrameNames.sentByClient[frame.role], key: key, fields, by: .observed)]
        case .received(let frame):
            let (key, fields) = frame.traced
            var told: [Observation] = [
                .happened(FrameNames.receivedByClient[frame.role], key: key, fields, by: .observed)
            ]
            if case .connected(let accepted) = frame {
                connected = link
                attempts = 0
                wasResumed = accepted.resumed
                if !reportsState {
                    told += allowed([
                        .happened("client.connected", ["resumed": .bool(accepted.resumed)], by: .observed)
                    ])
                }
                change(link) { $0.state = .connected }
                told += state
            }
            return told
        }
    }

    private var openSockets: Observation {
        .set("connection.open_sockets", to: .integer(Int64(sockets.count)), by: .observed)
    }

    private mutating func change(_ link: LinkID, _ body: (inout Socket) -> Void) {
        guard let place = sockets.firstIndex(where: { $0.link == link }) else { return }
        body(&sockets[place])
    }

    /// That of the newest WebSocket, where it is another than was told last.
    private var state: [Observation] {
        mutating get {
            let new = sockets.last?.state ?? .none
            guard new != reportedState else { return [] }
            reportedState = new
            return [.set("link.state", to: .string(new.rawValue), by: .observed)]
        }
    }

    private func allowed(_ observations: [Observation]) -> [Observation] {
        observations.filter { !Self.standIns.contains($0.name) || standsIn.contains($0.name) }
    }
}
