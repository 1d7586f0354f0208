import ChatWire
import SquallCore

/// Checks that a live link works: sends a ping once per interval and expects each pong within a limit.
///
/// The limit runs from an unanswered ping rather than from the last frame: an idle link is not dead, and frames that a
/// stalled link finally delivers do not prove that it works now (catalogue C-40).
struct Heartbeat {
    enum Verdict {
        case alive
        case ping(id: String)
        case dead
    }

    private struct Ping {
        let id: String
        let sentAt: Instant
    }

    private let profile: ClientProfile.Heartbeat
    private let policy: HeartbeatPolicy
    private let sleepTolerance: TimeSpan
    /// Whether the protocol has client pings and server pongs.
    private let canPing: Bool
    /// Whether only the server sends pings in this protocol.
    private let onlyServerPings: Bool
    /// The ping interval from the server's `hello`; nil if the server does not specify an interval.
    var serverInterval: TimeSpan?
    private var count = 0
    /// The number of running ping timers.
    ///
    /// At most one unless a defect is injected.
    private var timers: Int64 = 0
    /// The instant at which the next ping is due; nil if no link is live or the client sends no pings.
    private var nextPing: Instant?
    private var unanswered: [Ping] = []
    /// The instant at which the server's last ping arrived, or its last frame if only the server sends pings; nil if no
    /// link is live or the server's silence is not limited.
    private var lastHeardAt: Instant?
    /// Whether the oldest unanswered ping has exceeded the limit for slow links.
    private var isSlow = false
    /// The round-trip time of the last answered ping on this link.
    private(set) var roundTrip: TimeSpan?
    /// The smoothed round-trip time of this link while it is not slow; nil before the first pong.
    private var usualRoundTrip: TimeSpan?
    /// The time at which the last answered ping was sent. TCP preserves order, so the server has received everything
    /// sent before that time.
    private(set) var provenUntil: Instant?

    init(_ rules: Rules) {
        profile = rules.profile.heartbeat
        policy = rules.policy.heartbeat
        sleepTolerance = rules.profile.device.sleepTolerance
        canPing = rules.wire.has(.ping, by: .client) && rules.wire.has(.pong, by: .server)
        onlyServerPings = !canPing && rules.wire.has(.ping, by: .server)
    }

    mutating func begin(at now: Instant) {
        if silenceLimit != nil, policy.pings == .areSent || !onlyServerPings { lastHeardAt = now }
        guard canPing, policy.pings == .areSent, profile.interval > .zero else { return }
        timers = policy.timer == .stops ? 1 : timers + 1
        nextPing = now + interval
    }

    private var interval: TimeSpan {
        max(TimeSpan(nanoseconds: (serverInterval ?? profile.interval).nanoseconds / max(timers, 1)), .milliseconds(1))
    }

    mutating func end() {
        nextPing = nil
        lastHeardAt = nil
        unanswered = []
        isSlow = false
        if policy.estimate == .ends { (roundTrip, usualRoundTrip) = (nil, nil) }
    }

    /// Registers a new ping and returns its ID; returns nil if no ping may be sent now.
    mutating func ping(at now: Instant) -> String? {
        guard canPing, policy.pings == .areSent, profile.interval > .zero else { return nil }
        // When the phone wakes up, the timer and the return to the foreground may request a ping at the same instant.
        if let last = unanswered.last, last.sentAt == now { return nil }
        count += 1
        let id = "ping-\(count)"
        unanswered.append(Ping(id: id, sentAt: now))
        nextPing = now + interval
        return id
    }

    /// Records a server ping.
    mutating func serverPinged(at now: Instant) {
        if lastHeardAt != nil { lastHeardAt = now }
    }

    /// Records a pong. A pong without an ID answers the oldest ping; a pong with an unknown ID answers no ping.
    mutating func pong(_ id: String?, at now: Instant) {
        guard let index = id.map({ id in unanswered.firstIndex { $0.id == id } }) ?? unanswered.indices.first else {
            return
        }
        let roundTrip = now - unanswered[index].sentAt
        // A slow pong does not change the usual round trip; otherwise a permanently slow link would eventually count as
        // normal.
        if roundTrip < slowRoundTrip {
            // Each new sample has a weight of one eighth (RFC 6298 section 2.3), so that one outlier has little effect.
            let usual = usualRoundTrip ?? roundTrip
            usualRoundTrip = usual + TimeSpan(nanoseconds: (roundTrip - usual).nanoseconds / 8)
        }
        self.roundTrip = roundTrip
        provenUntil = unanswered[index].sentAt
        // TCP preserves order, so the pongs of earlier pings no longer matter.
        unanswered.removeFirst(index + 1)
        isSlow = false
    }

    /// Records a received frame; returns false if it arrived too late, so that the link counts as dead.
    mutating func frameArrived(at now: Instant) -> Bool {
        if policy.evidence == .anyFrame { unanswered = [] }
        let isInTime = policy.limit != .withNextFrame || (deathLimit.map { now < $0 } ?? true)
        if onlyServerPings, lastHeardAt != nil { lastHeardAt = now }
        return isInTime
    }

    /// How long a ping may remain unanswered. A slow link gets twice its last round trip, up to the profile's cap.
    private var pongLimit: TimeSpan {
        guard policy.growth == .followsTheRoundTrip, let roundTrip else { return profile.pongLimit }
        return max(profile.pongLimit, min(roundTrip + roundTrip, profile.pongLimitCap))
    }

    /// How long the server may stay silent: derived from its `hello` if only the server sends pings, otherwise from the
    /// profile; nil for no limit.
    private var silenceLimit: TimeSpan? {
        if onlyServerPings, let serverInterval { return serverInterval + profile.pongLimit }
        return profile.serverLimit > .zero ? profile.serverLimit : nil
    }

    /// The instant at which the link counts as dead because of an unanswered ping or a missing server ping; nil if
    /// there is no such limit.
    private var deathLimit: Instant? {
        let heard = lastHeardAt.flatMap { lastHeardAt in silenceLimit.map { lastHeardAt + $0 } }
        return heard.or(sooner: unanswered.first.map { $0.sentAt + pongLimit })
    }

    /// The shortest round trip that counts as slow: a multiple of the usual one, up to the profile's limit.
    private var slowRoundTrip: TimeSpan {
        guard policy.slowness == .isRelative, profile.slowFactor > 0, let usualRoundTrip else {
            return profile.slowLimit
        }
        let (multiple, overflow) = usualRoundTrip.nanoseconds.multipliedReportingOverflow(by: profile.slowFactor)
        guard !overflow else { return profile.slowLimit }
        return min(max(TimeSpan(nanoseconds: multiple), profile.slowFloor), profile.slowLimit)
    }

    /// The instant at which the link counts as slow because of an unanswered ping.
    private var slowLimit: Instant? { unanswered.first.map { $0.sentAt + slowRoundTrip } }

    var deadline: Instant? {
        nextPing.or(sooner: policy.limit == .onTime ? deathLimit : nil).or(sooner: isSlow ? nil : slowLimit)
    }

    mutating func check(at now: Instant) -> Verdict {
        isSlow = slowLimit.map { $0 <= now } ?? false
        if policy.limit == .onTime, let limit = deathLimit, limit <= now {
            guard now - limit > sleepTolerance else { return .dead }
            // The process was suspended and the pong may be in the socket's buffer, so another ping decides whether the
            // link is dead.
            unanswered = []
            if lastHeardAt != nil { lastHeardAt = now }
            return ping(at: now).map { .ping(id: $0) } ?? .alive
        }
        guard let next = nextPing, next <= now, let id = ping(at: now) else { return .alive }
        return .ping(id: id)
    }

    /// Whether an unanswered ping has exceeded the limit for slow links.
    var isOverdue: Bool { isSlow }

    var quality: LinkQuality {
        if isSlow { return .slow }
        guard let roundTrip else { return .unknown }
        return roundTrip >= slowRoundTrip ? .slow : .good
    }
}

/// The values of the observable `connection.quality`.
enum LinkQuality: String, CaseIterable {
    case unknown, good, slow
    /// Not connected, because a ping went unanswered.
    case dead
}
