/// A point in time on a run's clock, in whole nanoseconds since the run began.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    // The operator is inlinable, because comparing instants is the most frequent operation of a run, and a call into
    // another module costs more than the comparison itself.
    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable package static var zero: Instant { Instant(nanoseconds: 0) }
    /// A sentinel that is later than the end of any run: 292 years after the run began.
    @inlinable package static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable
    package static func == (left: Instant, right: Instant) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable
    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    // These operators are defined because the protocols' default implementations would call `<` and `==` through
    // witness tables.
    @inlinable package static func != (left: Instant, right: Instant) -> Bool { !(left == right) }
    @inlinable package static func > (left: Instant, right: Instant) -> Bool { right < left }
    @inlinable package static func <= (left: Instant, right: Instant) -> Bool { !(right < left) }
    @inlinable package static func >= (left: Instant, right: Instant) -> Bool { !(left < right) }

    /// Adds a span; saturates at both ends of the range.
    package static func + (instant: Instant, span: TimeSpan) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return span.nanoseconds > 0 ? .never : Instant(nanoseconds: .min)
    }

    /// Subtracts a span; saturates at both ends of the range.
    package static func - (instant: Instant, span: TimeSpan) -> Instant {
        let (difference, overflow) = instant.nanoseconds.subtractingReportingOverflow(span.nanoseconds)
        guard overflow else { return Instant(nanoseconds: difference) }
        return span.nanoseconds < 0 ? .never : Instant(nanoseconds: .min)
    }

    /// Returns the span from `earlier` to `later`, which is negative if `later` comes first; saturates at both ends of
    /// the range.
    package static func - (later: Instant, earlier: Instant) -> TimeSpan {
        TimeSpan(nanoseconds: later.nanoseconds) - TimeSpan(nanoseconds: earlier.nanoseconds)
    }
}

extension Instant? {
    /// Returns the earlier of two deadlines; nil means no deadline.
    package func or(sooner other: Instant?) -> Instant? {
        guard let self, let other else { return self ?? other }
        return other < self ? other : self
    }
}

extension Instant: CustomStringConvertible {
    /// The time in seconds with three decimals (`12.400`), rounded towards zero, as in all reports.
    package var description: String {
        guard self != .never else { return "never" }
        let milliseconds = nanoseconds / 1_000_000
        let fraction = String(abs(milliseconds % 1000))
        let padding = String(repeating: "0", count: 3 - fraction.count)
        // `Int64` has no minus zero, so the sign of times between -1 s and 0 is added here.
        let sign = milliseconds < 0 && milliseconds > -1000 ? "-" : ""
        return "\(sign)\(milliseconds / 1000).\(padding)\(fraction)"
    }
}
