import ChatWire
import SquallCore

/// Asks a live link whether it lives: a ping each interval, and an answer to each within the limit.
///
/// The limit runs from an unanswered ping and not from the last frame: an idle link is not a dead one, and frames that
/// a stalled link lets go at last prove nothing about now (catalogue C-40).
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
    /// Whether the protocol has pings, and answers to them.
    private let canAsk: Bool
    /// Whether the protocol has the server ask instead.
    private let canListen: Bool
    /// Between two pings, as the server's hello says; nil where it says nothing.
    var asked: TimeSpan?
    private var count = 0
    /// Timers that run.
    ///
    /// More than one only with a defect.
    private var timers: Int64 = 0
    /// Nil while there is no link to ask.
    private var nextPing: Instant?
    private var unanswered: [Ping] = []
    /// When the server was last heard: its pings, or anything where the protocol has it ask. Nil while there is no link to
    /// listen to.
    private var heardAt: Instant?
    /// Whether the oldest of them is overdue enough to show.
    private var isSlow = false
    /// The round trip of the last answered ping on this link.
    private(set) var roundTrip: TimeSpan?

    init(_ rules: Rules) {
        profile = rules.profile.heartbeat
        policy = rules.policy.heartbeat
        sleepTolerance = rules.profile.device.sleepTolerance
        canAsk = rules.wire.has(.ping, by: .client) && rules.wire.has(.pong, by: .server)
        canListen = !canAsk && rules.wire.has(.ping, by: .server)
    }

    mutating func begin(at now: Instant) {
        if listenLimit != nil, policy.pings == .areSent || !canListen { heardAt = now }
        guard canAsk, policy.pings == .areSent, profile.interval > .zero else { return }
        timers = policy.timer == .stops ? 1 : timers + 1
        nextPing = now + interval
    }

    private var interval: TimeSpan {
        max(TimeSpan(nanoseconds: (asked ?? profile.interval).nanoseconds / max(timers, 1)), .milliseconds(1))
    }

    mutating func end() {
        nextPing = nil
        heardAt = nil
        unanswered = []
        isSlow = false
        if policy.estimate == .ends { roundTrip = nil }
    }

    /// Nil where none is to be sent.
    mutating func ping(at now: Instant) -> String? {
        guard canAsk, policy.pings == .areSent, profile.interval > .zero else { return nil }
        count += 1
        let id = "ping-\(count)"
        unanswered.append(Ping(id: id, sentAt: now))
        nextPing = now + interval
        return id
    }

    /// The server has pinged by itself.
    mutating func serverPinged(at now: Instant) {
        if heardAt != nil { heardAt = now }
    }

    /// A pong that echoes no id answers the oldest ping; one with an id that is not open answers none.
    mutating func pong(_ id: String?, at now: Instant) {
        guard let place = id.map({ id in unanswered.firstIndex { $0.id == id } }) ?? unanswered.indices.first else {
            return
        }
        roundTrip = now - unanswered[place].sentAt
        // Links keep order: what was asked before an answered ping will get no answer that still matters.
        unanswered.removeFirst(place + 1)
        isSlow = false
    }

    /// Whether what has just arrived leaves the link alive.
    mutating func frameArrived(at now: Instant) -> Bool {
        if policy.evidence == .anyFrame { unanswered = [] }
        let isInTime = policy.limit != .withNextFrame || (deathLimit.map { now < $0 } ?? true)
        if canListen, heardAt != nil { heardAt = now }
        return isInTime
    }

    /// How long the server may keep silent: as its hello says, where the protocol has it ask, else as the profile does.
    private var listenLimit: TimeSpan? {
        if canListen, let asked { return asked + profile.pongLimit }
        return profile.serverLimit > .zero ? profile.serverLimit : nil
    }

    /// When an unanswered ping, or one of the server's that does not come, makes the link a dead one.
    private var deathLimit: Instant? {
        let heard = heardAt.flatMap { heardAt in listenLimit.map { heardAt + $0 } }
        return heard.or(sooner: unanswered.first.map { $0.sentAt + profile.pongLimit })
    }

    /// When an unanswered ping makes it a slow one.
    private var slowLimit: Instant? { unanswered.first.map { $0.sentAt + profile.slowLimit } }

    var deadline: Instant? {
        nextPing.or(sooner: policy.limit == .onTime ? deathLimit : nil).or(sooner: isSlow ? nil : slowLimit)
    }

    mutating func check(at now: Instant) -> Verdict {
        isSlow = slowLimit.map { $0 <= now } ?? false
        if policy.limit == .onTime, let limit = deathLimit, limit <= now {
            guard now - limit > sleepTolerance else { return .dead }
            // The process slept, perhaps with the answer in the socket's buffer: ask again and judge that.
            unanswered = []
            if heardAt != nil { heardAt = now }
            return ping(at: now).map { .ping(id: $0) } ?? .alive
        }
        guard let next = nextPing, next <= now, let id = ping(at: now) else { return .alive }
        return .ping(id: id)
    }

    /// Whether an answer has been waited for too long.
    var isOverdue: Bool { isSlow }

    var quality: LinkQuality {
        if isSlow { return .slow }
        guard let roundTrip else { return .unknown }
        return roundTrip >= profile.slowLimit ? .slow : .good
    }
}

/// What `connection.quality` shows.
enum LinkQuality: String, CaseIterable {
    case unknown, good, slow
    /// Not connected, because a ping went unanswered.
    case dead
}
