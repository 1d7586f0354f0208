import ChatWire
import SquallCore

/// Knows what time it is on the server's clock, and what the times of messages say.
///
/// The phone's clock may be wrong; the server's is what its newest words show. What it said last was said some time ago, so the
/// largest difference ever seen is the nearest to the true one.
struct Times {
    private let rules: Rules
    /// How far the server's clock is ahead of the phone's, in milliseconds.
    private var ahead: Int64?
    /// Messages whose exact time the user has asked for.
    private(set) var exact: Set<String> = []
    /// When what is shown says something else.
    var nextTick: Instant?

    init(_ rules: Rules) {
        self.rules = rules
    }

    var isShown: Bool { rules.profile.times.isShown }
    var texts: ClientTexts.Time { rules.profile.text.time }
    var calendar: Calendar { Calendar(offset: rules.profile.times.utcOffset.nanoseconds / 1_000_000) }
    var deadline: Instant? { nextTick }

    /// The server has just said this time.
    mutating func heard(_ moment: Int64, at now: Instant) {
        let difference = moment &- rules.deviceTime(at: now)
        ahead = max(ahead ?? .min, difference)
    }

    /// Milliseconds since 1970 on the server's clock, as far as that is known.
    func serverTime(at now: Instant) -> Int64 {
        rules.deviceTime(at: now) &+ (rules.policy.times.clock == .ofServer ? ahead ?? 0 : 0)
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

    /// Until then what is shown stays true: `span` milliseconds from now.
    mutating func tick(in span: Int64, from now: Instant) {
        nextTick = nextTick.or(sooner: now + .milliseconds(max(span, 1)))
    }
}

/// Whose clock tells how old a message is.
package struct TimesPolicy: Hashable, Sendable {
    package enum Clock: Hashable, Sendable { case ofServer, ofPhone }

    package var clock = Clock.ofServer
}

extension Times {
    static let registry: [RegistryEntry] = [
        .observable(
            "message.time_text",
            .text,
            key: "message",
            "How long ago it was, by the server's clock. Of the open conversation, where the profile shows times."
        ),
        .observable(
            "message.day",
            .text,
            key: "message",
            "What stands above it where a day begins with it; null within a day. Of the open conversation, where the profile shows "
                + "times."
        ),
        .observable("message.exact_time", .text, key: "message", "Its time to the second, once it was pressed long."),
    ]
}
