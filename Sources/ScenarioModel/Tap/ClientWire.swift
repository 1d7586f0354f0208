import ChatWire
import Faults
import Foundations
import ReferenceClient

/// What the wire shows of one foreign client: its frames and requests, and, in the place of a client that does not tell
/// of them, its attempts, connections and open sockets.
struct ClientWire: Sendable {
    private let wire: WireProfile
    /// The names that the client does not show itself.
    private let standsIn: Set<String>
    private var taps: [LinkID: WireTap] = [:]
    /// When each connection came about: what it says may be read much later.
    private var cameAt: [LinkID: Instant] = [:]
    /// The WebSockets that have not ended, in the order in which they came about.
    private var sockets: [LinkID] = []
    private var connected: LinkID?
    /// Of which the client's doings were not seen for a while, or ever since: when it ended them, and whether, nobody knows.
    private var dark: Set<LinkID> = []
    /// Attempts since the last connection.
    private var attempts: Int64 = 0
    /// When the last attempt or connection was seen to end, and nothing was hidden since.
    private var lastEnd: Instant?
    private var state = LinkState.none
    /// Ends that the client has not had the time to see.
    private var unseenEnds: [(link: LinkID, how: LinkEnd, at: Instant)] = []
    /// Whether the client says itself that it is connected.
    private let tellsState: Bool
    private var isConnectedByItsWord = false
    private var wasResumed = false
    /// How the last connection ended that the client has not spoken of yet.
    private var lastFailure: String?

    /// How long an end takes to the client's side: what the script does next comes before it.
    private static let crossing = TimeSpan.milliseconds(1)

    /// When ``due(at:)`` has something to tell.
    var nextDeadline: Instant? { unseenEnds.first.map { $0.at + Self.crossing } }

    /// What the wire tells of a client that does not itself.
    static let standIns = [
        "client.attempt.began", "client.attempt.failed", "client.connected", "client.disconnected",
        "connection.open_sockets",
    ]

    /// A client that tells of its state is connected when it says so; another when the wire does.
    init(_ wire: WireProfile, standingInFor names: [String], tellsState: Bool) {
        self.wire = wire
        standsIn = Set(names)
        self.tellsState = tellsState
    }

    // MARK: - What passes

    mutating func accepted(_ link: LinkID, at now: Instant) -> [Observation] {
        taps[link] = WireTap(wire)
        cameAt[link] = now
        // Who calls again has seen the end before.
        return due(at: .never)
    }

    mutating func upstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        // Taken out, so that its buffers are not copied.
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.upstream(bytes)
        taps[link] = tap
        return events.flatMap { tell($0, link, at: now) }
    }

    mutating func downstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.downstream(bytes)
        taps[link] = tap
        return events.flatMap { tell($0, link, at: now) }
    }

    /// The network or the server has ended a connection; the client is still to see it.
    mutating func endedFromAfar(_ link: LinkID, _ how: LinkEnd, at now: Instant) {
        unseenEnds.append((link, how, now))
        if connected == link { lastFailure = Self.word(for: how) }
    }

    /// The ends that the client can have seen by now.
    mutating func due(at now: Instant) -> [Observation] {
        var told: [Observation] = []
        while let first = unseenEnds.first, now == .never || first.at + Self.crossing <= now {
            unseenEnds.removeFirst()
            told += ended(first.link, first.how, at: first.at)
        }
        return told
    }

    private static func word(for how: LinkEnd) -> String { how == .rst ? "reset" : "end_of_stream" }

    /// The client has said what its connection's state is.
    mutating func reported(_ state: String) -> [Observation] {
        guard tellsState, (state == "connected") != isConnectedByItsWord else { return [] }
        isConnectedByItsWord.toggle()
        return allowed([
            isConnectedByItsWord
                ? .happened("client.connected", ["resumed": .bool(wasResumed)], by: .reported)
                : .happened("client.disconnected", ["failure": .string(lastFailure.take() ?? "own")], by: .reported)
        ])
    }

    /// The client's end of a connection has ended.
    mutating func ended(_ link: LinkID, _ how: LinkEnd, at now: Instant) -> [Observation] {
        cameAt[link] = nil
        guard let tap = taps.removeValue(forKey: link), tap.isSocket else { return [] }
        sockets.removeAll { $0 == link }
        lastEnd = dark.remove(link) == nil ? now : nil
        let word: JSON = ["failure": .string(Self.word(for: how))]
        var told: [Observation] = []
        if connected == link {
            connected = nil
            if !tellsState { told.append(.happened("client.disconnected", word, by: .observed)) }
        } else {
            told.append(.happened("client.attempt.failed", word, by: .observed))
        }
        if sockets.isEmpty { told += enter(.none) }
        return allowed(told + [openSockets])
    }

    /// Attempts may have been made that nobody saw: their spacing says nothing.
    mutating func wasHidden() {
        lastEnd = nil
    }

    /// Nothing of what the client does with this connection is seen any more.
    mutating func wentDark(_ link: LinkID) {
        if taps[link] != nil { dark.insert(link) }
    }

    /// The client's process is gone: what it counted begins anew, and what its kernel still ends is not its doing.
    mutating func killed() {
        taps.removeAll()
        sockets.removeAll()
        unseenEnds.removeAll()
        lastEnd = nil
        attempts = 0
        connected = nil
        isConnectedByItsWord = false
    }

    // MARK: - What it says

    private mutating func tell(_ event: WireTap.Event, _ link: LinkID, at now: Instant) -> [Observation] {
        switch event {
        case .upgradeAsked:
            attempts += 1
            // Who calls again has given up what leads nowhere.
            sockets.removeAll { dark.contains($0) }
            let isLate = dark.contains(link)
            sockets.append(link)
            var fields: JSON = ["number": .integer(attempts)]
            if let lastEnd, let came = cameAt[link], came >= lastEnd, sockets.count == 1, !isLate {
                fields.set("after", to: .integer((came - lastEnd).nanoseconds))
            }
            lastEnd = nil
            return allowed([.happened("client.attempt.began", fields, by: .observed), openSockets] + enter(.opening))
        case .upgradeAnswered(let status): return status == 101 ? enter(.open) : []
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
                if !tellsState {
                    told += allowed([
                        .happened("client.connected", ["resumed": .bool(accepted.resumed)], by: .observed)
                    ])
                }
                told += enter(.connected)
            }
            return told
        }
    }

    private var openSockets: Observation {
        .set("connection.open_sockets", to: .integer(Int64(sockets.count)), by: .observed)
    }

    private mutating func enter(_ new: LinkState) -> [Observation] {
        guard new != state else { return [] }
        state = new
        return [.set("link.state", to: .string(new.rawValue), by: .observed)]
    }

    private func allowed(_ observations: [Observation]) -> [Observation] {
        observations.filter { !Self.standIns.contains($0.name) || standsIn.contains($0.name) }
    }
}
