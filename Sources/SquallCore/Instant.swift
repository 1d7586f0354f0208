/// A point on a run's own clock, in whole nanoseconds since the run began.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    // Compared more than anything else in a run: calls across modules would cost more than what they do.
    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable package static var zero: Instant { Instant(nanoseconds: 0) }
    /// Later than anything that can happen in a run (292 years).
    @inlinable package static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable
    package static func == (left: Instant, right: Instant) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable
    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    // The other ways round, which would ask for these two by way of the protocols.
    @inlinable package static func != (left: Instant, right: Instant) -> Bool { !(left == right) }
    @inlinable package static func > (left: Instant, right: Instant) -> Bool { right < left }
    @inlinable package static func <= (left: Instant, right: Instant) -> Bool { !(right < left) }
    @inlinable package static func >= (left: Instant, right: Instant) -> Bool { !(left < right) }

    /// Saturates at ``never`` rather than trapping.
    package static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return span.nanoseconds > 0 ? .never : Instant(nanoseconds: .min)
    }

    /// Saturates at both ends.
    package static func - (instant: Instant, span: TimeSpan) -> Instant {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(span.nanoseconds)
        guard overflow else { return Instant(nanoseconds: difference) }
        return span.nanoseconds < 0 ? .never : Instant(nanoseconds: .min)
    }

    /// Negative where `later` is the earlier one; saturates at both ends.
    package static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds) - TimeSpan(nanoseconds: earlier.nanoseconds)
    }
}

extension Instant? {
    /// The earlier one of two deadlines; nil is that of somebody who wants nothing.
    package func or(sooner other: Instant?) -> Instant? {
        guard let self, let other else { return self ?? other }
        return other < self ? other : self
    }
}

extension Instant: CustomStringConvertible {
    /// Seconds with three decimals, `12.400`, as every report prints a time; what is beyond them is cut off.
    package var description: String {
        guard self != .never else { return "never" }
        let milliseconds = nanoseconds / 1_000_000
        let fraction = String(abs(milliseconds % 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        // A whole part of zero has lost its sign.
        let sign = milliseconds < 0 && milliseconds > -1000 ? "-" : ""
        return "\(sign)\(milliseconds / 1000).\(padding)\(fraction)"
    }
}
