import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// Observes one foreign client (a client that is not Squall's own) on the wire: its frames and requests and, unless the
/// client reports them itself, its connection attempts, connections and open sockets.
struct ClientWire: Sendable {
    private let wire: WireProfile
    /// Whether messages that the profile does not define are observed as well.
    private let observesAll: Bool
    /// The names of the observables and events that are observed on the wire because the client does not report them
    /// itself.
    private let substituted: Set<String>
    private var lines: [LinkID: Line] = [:]
    /// The WebSockets that have not ended, oldest first.
    private var sockets: [Socket] = []
    private var connected: LinkID?
    /// The connections on which the client's data went unread for some time, leaving it unknown whether and when the
    /// client ended them.
    private var unobservedLinks: Set<LinkID> = []
    /// The number of connection attempts since the last successful connection.
    private var attempts: Int64 = 0
    /// The instant at which the last attempt or connection ended; nil if the client may have made unobserved attempts
    /// since then.
    private var lastEnd: Instant?
    /// The last reported state of the newest WebSocket.
    private(set) var linkState = LinkState.none
    /// The events in transit to the client, oldest first.
    private var inTransit: [(link: LinkID, what: EventInTransit, at: Instant)] = []
    /// Whether the client reports its connection state itself.
    private let reportsState: Bool
    private var isConnectedByItsWord = false
    private var wasResumed = false
    /// How the network or the server ended the last connection, kept until the client reports that it is disconnected;
    /// otherwise nil.
    private var lastFailure: String?

    private struct Line {
        var tap: WireTap
        /// The instant at which the connection was accepted; its first bytes may be read much later.
        let acceptedAt: Instant
        /// Whether the client has sent a FIN or RST. If so, the connection is half-closed or the client is gone.
        var hasSentEnd = false
        /// Whether the server's FIN has reached the client.
        var hasReceivedEnd = false
    }

    private struct Socket {
        let link: LinkID
        var state = LinkState.opening
        /// The HTTP status with which the upgrade was rejected; nil if the upgrade was not rejected.
        var refusal: Int?
    }

    private enum EventInTransit {
        case end(LinkEnd)
        /// Data that the server has sent to a client after the client's FIN. It is not observed if the client's RST
        /// arrives first, because then the client is gone.
        case said([WireTap.Event])
    }

    /// The assumed time until the client notices the end of a connection. The delay ensures that the script's next step
    /// is recorded first.
    private static let crossing = TimeSpan.milliseconds(1)

    /// The next instant at which ``due(at:)`` returns observations; nil if no event is in transit to the client.
    var nextDeadline: Instant? { inTransit.first.map { $0.at + Self.crossing } }

    /// The observables and events that are observed on the wire if the client does not report them itself.
    static let substitutes = [
        "client.attempt.began", "client.attempt.failed", "client.connected", "client.disconnected",
        "connection.open_sockets",
    ]

    /// Creates an observer of a client. If `reportsState` is true, the client's own reports determine when it counts as
    /// connected; otherwise, the wire does.
    init(
        _ wire: WireProfile,
        standingInFor names: [String],
        reportsState: Bool,
        notingAll observesAll: Bool = false
    ) {
        self.wire = wire
        self.observesAll = observesAll
        substituted = Set(names)
        self.reportsState = reportsState
    }

    // MARK: - Traffic

    mutating func accepted(_ link: LinkID, at now: Instant) -> [Observation] {
        lines[link] = Line(tap: WireTap(wire, notingAll: observesAll), acceptedAt: now)
        // A client that opens a new connection has noticed the end of its previous connection.
        return due(at: .never)
    }

    mutating func upstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        let events = read(link) { $0.upstream(bytes) }
        return events.flatMap { emit($0, link, at: now) }
    }

    mutating func downstream(_ bytes: [UInt8], on link: LinkID, at now: Instant) -> [Observation] {
        let events = read(link) { $0.downstream(bytes) }
        guard lines[link]?.hasSentEnd != true else {
            if !events.isEmpty { inTransit.append((link, .said(events), now)) }
            return []
        }
        return events.flatMap { emit($0, link, at: now) }
    }

    private mutating func read(_ link: LinkID, _ body: (inout WireTap) -> [WireTap.Event]) -> [WireTap.Event] {
        // Remove the value from the dictionary while changing it, so that its buffers are not copied.
        guard var line = lines.removeValue(forKey: link) else { return [] }
        defer { lines[link] = line }
        return body(&line.tap)
    }

    /// Handles a connection that the network or the server has ended. The FIN or RST has not reached the client yet.
    mutating func endedByPeer(_ link: LinkID, _ how: LinkEnd, at now: Instant) {
        inTransit.append((link, .end(how), now))
        if connected == link { lastFailure = Self.word(for: how) }
    }

    /// Returns the observations of all events that have reached the client by `now`, or of all events in transit if
    /// `now` is ``SquallCore/Instant/never``.
    mutating func due(at now: Instant) -> [Observation] {
        var observations: [Observation] = []
        while let first = inTransit.first, now == .never || first.at + Self.crossing <= now {
            inTransit.removeFirst()
            switch first.what {
            case .said(let events): observations += events.flatMap { emit($0, first.link, at: first.at) }
            case .end(let how):
                lines[first.link]?.hasReceivedEnd = true
                observations += over(first.link, how, at: first.at)
            }
        }
        return observations
    }

    private static func word(for how: LinkEnd) -> String { how == .rst ? "reset" : "end_of_stream" }

    /// Handles a connection state that the client has reported.
    mutating func reported(_ state: String) -> [Observation] {
        guard reportsState, (state == "connected") != isConnectedByItsWord else { return [] }
        isConnectedByItsWord.toggle()
        return allowed([
            isConnectedByItsWord
                ? .happened("client.connected", ["resumed": .bool(wasResumed)], by: .reported)
                : .happened("client.disconnected", ["failure": .string(lastFailure.take() ?? "own")], by: .reported)
        ])
    }

    /// Handles the client's FIN, which ends its own direction of a connection, or its RST, which ends the whole
    /// connection.
    mutating func ended(_ link: LinkID, _ how: LinkEnd, at now: Instant) -> [Observation] {
        lines[link]?.hasSentEnd = true
        if how == .rst { inTransit.removeAll { $0.link == link } }
        return over(link, how, at: now)
    }

    /// Handles the end of one direction of a connection. A WebSocket is over once either direction ends, but a plain
    /// HTTP connection may still receive a response.
    private mutating func over(_ link: LinkID, _ how: LinkEnd, at now: Instant) -> [Observation] {
        guard let line = lines[link] else { return [] }
        if how == .rst || line.tap.isSocket || line.hasSentEnd && line.hasReceivedEnd { lines[link] = nil }
        guard line.tap.isSocket else { return [] }
        sockets.removeAll { $0.link == link }
        lastEnd = unobservedLinks.remove(link) == nil ? now : nil
        let word: JSON = ["failure": .string(Self.word(for: how))]
        var observations: [Observation] = []
        if connected == link {
            connected = nil
            if !reportsState { observations.append(.happened("client.disconnected", word, by: .observed)) }
        } else {
            observations.append(.happened("client.attempt.failed", word, by: .observed))
        }
        return allowed(observations + state + [openSockets])
    }

    /// Records that the client was unobservable for some time. The client may have made connection attempts in the
    /// meantime, so the time since the last observed attempt is no longer known.
    mutating func becameUnobservable() {
        lastEnd = nil
    }

    /// Records that the client's data on this connection is no longer read.
    mutating func stoppedReading(_ link: LinkID) {
        if lines[link] != nil { unobservedLinks.insert(link) }
    }

    /// Handles the end of the client's process and of all its connections. Counters are reset. A FIN or RST that the
    /// kernel sends afterwards is not attributed to the client.
    mutating func killed() -> [Observation] {
        let hadSockets = !sockets.isEmpty
        lines.removeAll()
        sockets.removeAll()
        inTransit.removeAll()
        unobservedLinks.removeAll()
        lastEnd = nil
        attempts = 0
        connected = nil
        isConnectedByItsWord = false
        return allowed(state + (hadSockets ? [openSockets] : []))
    }

    // MARK: - Observations

    private mutating func emit(_ event: WireTap.Event, _ link: LinkID, at now: Instant) -> [Observation] {
        switch event {
        case .upgradeRequested:
            attempts += 1
            // A client that opens a new connection has abandoned its connections in `unobservedLinks`.
            sockets.removeAll { unobservedLinks.contains($0.link) }
            var observations: [Observation] = []
            if let index = sockets.firstIndex(where: { $0.link == link }) {
                // The client is repeating the upgrade request on the same connection after a rejection, so its first
                // attempt has failed.
                let failure = sockets.remove(at: index).refusal.map { JSON.string("http_\($0)") } ?? .null
                observations.append(.happened("client.attempt.failed", ["failure": failure], by: .observed))
            }
            let isLate = unobservedLinks.contains(link)
            sockets.append(Socket(link: link))
            var fields: JSON = ["number": .integer(attempts)]
            if let lastEnd, let came = lines[link]?.acceptedAt, came >= lastEnd, sockets.count == 1, !isLate {
                fields.set("after", to: .integer((came - lastEnd).nanoseconds))
            }
            lastEnd = nil
            return allowed(
                observations + [.happened("client.attempt.began", fields, by: .observed), openSockets] + state
            )
        case .upgradeAnswered(let status):
            change(link) { socket in
                if status == 101 { socket.state = .open } else { socket.refusal = status }
            }
            // In an unknown protocol, no frame completes a login, so the client is connected after the upgrade.
            return status == 101 && wire.isUnknown ? becameConnected(link, resumed: false) : state
        case .requested(let route, let target):
            guard Registry.entry(named: "client.requested.\(route.name)") != nil else { return [] }
            let fields: JSON = ["method": .string(route.kind.method), "target": .string(target)]
            return [.happened("client.requested.\(route.name)", fields, by: .observed)]
        case .answered(let route, let status):
            guard Registry.entry(named: "client.answered.\(route.name)") != nil else { return [] }
            return [
                .happened("client.answered.\(route.name)", ["status": .integer(Int64(status))], by: .observed)
            ]
        case .confirmed, .requestEnded, .responseEnded: return []
        case .sent(let frame):
            let (key, fields) = frame.traced
            return [.happened(FrameNames.sentByClient[frame.role], key: key, naming(link, in: fields), by: .observed)]
        case .received(let frame):
            let (key, fields) = frame.traced
            let name = FrameNames.receivedByClient[frame.role]
            var observations: [Observation] = [.happened(name, key: key, naming(link, in: fields), by: .observed)]
            if case .connected(let accepted) = frame {
                observations += becameConnected(link, resumed: accepted.resumed)
            }
            return observations
        case .sentOther(.close), .receivedOther(.close): return []
        case .sentOther(let message): return [.happened(FrameLog.sentText, message.fields(), by: .observed)]
        case .receivedOther(let message): return [.happened(FrameLog.receivedText, message.fields(), by: .observed)]
        }
    }

    private mutating func becameConnected(_ link: LinkID, resumed: Bool) -> [Observation] {
        connected = link
        attempts = 0
        wasResumed = resumed
        var observations: [Observation] = []
        if !reportsState {
            observations += allowed([.happened("client.connected", ["resumed": .bool(resumed)], by: .observed)])
        }
        change(link) { $0.state = .connected }
        return observations + state
    }

    /// Returns the fields of a frame's event. The connection's number is included unless the connection is the newest
    /// one.
    private func naming(_ link: LinkID, in fields: JSON) -> JSON {
        guard let newest = sockets.last, newest.link != link else { return fields }
        var named = fields
        named.set("link", to: .integer(Int64(link.number)))
        return named
    }

    private var openSockets: Observation {
        .set("connection.open_sockets", to: .integer(Int64(sockets.count)), by: .observed)
    }

    private mutating func change(_ link: LinkID, _ body: (inout Socket) -> Void) {
        guard let index = sockets.firstIndex(where: { $0.link == link }) else { return }
        body(&sockets[index])
    }

    /// The observation of the newest WebSocket's state; empty if the state has not changed since it was last reported.
    private var state: [Observation] {
        mutating get {
            let new = sockets.last?.state ?? .none
            guard new != linkState else { return [] }
            linkState = new
            return [.set("link.state", to: .string(new.rawValue), by: .observed)]
        }
    }

    private func allowed(_ observations: [Observation]) -> [Observation] {
        observations.filter { !Self.substitutes.contains($0.name) || substituted.contains($0.name) }
    }
}
