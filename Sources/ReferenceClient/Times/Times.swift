import ChatWire
import SquallCore

/// Estimates the time on the server's clock, and owns the times displayed with messages.
///
/// The phone's clock may be wrong and may be set at any time, so the client derives the time on the server's clock from
/// timestamps in the server's frames and from the steady clock. Each timestamp is late by the frame's latency, so the
/// largest difference seen is the closest to the true one.
struct Times {
    private let rules: Rules
    private static let storeKey = "times.server_ahead_of_phone"

    /// How far the server's clock is ahead of the steady clock, in milliseconds; nil until the first timestamp arrives.
    private var ahead: Int64?
    /// How far the server's clock was ahead of the phone's at the last estimate that was stored, in milliseconds.
    ///
    /// The steady clock starts anew with each process, so after a launch without a network only this difference is
    /// known.
    private var aheadOfPhone: Int64
    /// The keys of the messages whose exact time the user has requested.
    private(set) var exact: Set<String> = []
    /// The instant at which any of the displayed times next changes; nil if none will change.
    var nextTick: Instant?

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        aheadOfPhone = store[Self.storeKey]?.intValue ?? 0
    }

    var isShown: Bool { rules.profile.times.isShown }
    var texts: ClientTexts.Time { rules.profile.text.time }
    var calendar: Calendar { Calendar(offset: rules.profile.times.utcOffset.nanoseconds / 1_000_000) }
    var deadline: Instant? { nextTick }

    /// Updates the estimate with a timestamp that the server has just sent, in milliseconds since 1970.
    mutating func observe(_ moment: Int64, _ step: inout Step) {
        ahead = max(ahead ?? .min, moment &- step.now.nanoseconds / 1_000_000)
        let difference = serverTime(at: step.now) &- rules.deviceTime(at: step.now)
        // Small differences are the latency of the frames.
        guard (difference &- aheadOfPhone).magnitude >= 1000 else { return }
        aheadOfPhone = difference
        step.store(Self.storeKey, .integer(difference))
    }

    /// Updates the estimate with the server's time in `connected` or in a pong, which precedes the first message.
    mutating func announced(_ moment: Int64, _ step: inout Step) {
        guard rules.policy.times.announcements == .areUsed else { return }
        let before = ahead
        observe(moment, &step)
        if ahead != before { step.changes.insert(.times) }
    }

    /// Returns the estimated time on the server's clock in milliseconds since 1970; before the first estimate, the
    /// phone's time, corrected by the difference that an earlier process has stored.
    func serverTime(at now: Instant) -> Int64 {
        guard rules.policy.times.clock == .ofServer else { return rules.deviceTime(at: now) }
        guard let ahead else { return rules.deviceTime(at: now) &+ aheadOfPhone }
        return now.nanoseconds / 1_000_000 &+ ahead
    }

    mutating func longPressed(_ message: String, _ step: inout Step) {
        exact.insert(message)
        step.changes.insert(.times)
    }

    mutating func timer(_ step: inout Step) {
        if let due = nextTick, due <= step.now {
            nextTick = nil
            step.changes.formUnion([.times, .people])
        }
    }

    /// Schedules an update of the displayed times in `span` milliseconds, unless an earlier update is scheduled.
    mutating func tick(in span: Int64, from now: Instant) {
        nextTick = nextTick.or(sooner: now + .milliseconds(max(span, 1)))
    }
}

/// How the times of messages are computed and displayed.
package struct TimesPolicy: Hashable, Sendable {
    /// The clock by which the age of a message is computed: the server's or the phone's.
    package enum Clock: Hashable, Sendable { case ofServer, ofPhone }
    /// Whether the server's time in `connected` and in pongs is used, or only the timestamps of live messages.
    package enum Announcements: Hashable, Sendable { case areUsed, areIgnored }
    package enum ExactTime: Hashable, Sendable { case inThePhonesZone, inUTC }
    package enum Headings: Hashable, Sendable { case aboveEachDay, aboveEachMessage }
    /// Whether the heading `Today` becomes `Yesterday` at midnight.
    package enum HeadingNames: Hashable, Sendable { case areRenewed, stay }

    package var clock = Clock.ofServer
    package var announcements = Announcements.areUsed
    package var exactTime = ExactTime.inThePhonesZone
    package var headings = Headings.aboveEachDay
    package var headingNames = HeadingNames.areRenewed

    static let defects: [Defect] = [
        Defect(
            "ageByPhoneClock",
            ["PO-2.3a", "PO-2.3d", "PO-2.3i"],
            "the age of a message is computed from the phone's clock, which may be wrong",
            policy: { $0.times.clock = .ofPhone }
        ),
        Defect(
            "clockLearnedLate",
            ["PO-2.3a", "PO-2.3d"],
            "the server's time is learned from the first live message, so that older messages show a wrong age",
            policy: { $0.times.announcements = .areIgnored }
        ),
        Defect(
            "exactTimeInUTC",
            ["PO-2.3b"],
            "the exact time of a message is in UTC instead of the phone's time zone",
            policy: { $0.times.exactTime = .inUTC }
        ),
        Defect(
            "headingsNotRenewed",
            ["PO-2.3c"],
            "the heading of a day keeps the name that it got when the message arrived, also after midnight",
            policy: { $0.times.headingNames = .stay }
        ),
        Defect(
            "headingAboveEachMessage",
            ["PO-2.3c"],
            "the heading of a day is above each of its messages",
            policy: { $0.times.headings = .aboveEachMessage }
        ),
    ]
}

extension Times {
    static let registry: [RegistryEntry] = [
        .observable(
            "message.time_text",
            .text,
            key: "message",
            "The age of a message of the open conversation by the server's clock; absent unless times are shown."
        ),
        .observable(
            "message.day",
            .text,
            key: "message",
            "The heading above the first message of a day; null for other messages, absent unless times are shown."
        ),
        .observable(
            "message.exact_time",
            .text,
            key: "message",
            "The message's timestamp to the second, reported once the message has been long-pressed."
        ),
    ]
}
