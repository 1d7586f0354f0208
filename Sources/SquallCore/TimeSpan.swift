/// A signed length of time in whole nanoseconds, such as the difference between two instants.
///
/// `DurationText` parses durations in scenario files, and `Quantities` those of `squall packets`.
package struct TimeSpan: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable package static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }
    @inlinable package static var forever: TimeSpan { TimeSpan(nanoseconds: .max) }

    package static func microseconds(_ count: Int64) -> TimeSpan { .counted(count, of: 1_000) }
    package static func milliseconds(_ count: Int64) -> TimeSpan { .counted(count, of: 1_000_000) }
    package static func seconds(_ count: Int64) -> TimeSpan { .counted(count, of: 1_000_000_000) }

    private static func counted(_ count: Int64, of unit: Int64) -> TimeSpan {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        guard overflow else { return TimeSpan(nanoseconds: product) }
        return (count > 0) == (unit > 0) ? .forever : TimeSpan(nanoseconds: .min)
    }

    @inlinable
    package static func == (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds == right.nanoseconds
    }

    @inlinable
    package static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
        guard overflow else { return TimeSpan(nanoseconds: sum) }
        return right.nanoseconds > 0 ? .forever : TimeSpan(nanoseconds: .min)
    }

    package static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        guard overflow else { return TimeSpan(nanoseconds: difference) }
        return right.nanoseconds < 0 ? .forever : TimeSpan(nanoseconds: .min)
    }

    /// Multiplies a span; saturates at both ends of the range.
    package static func * (span: TimeSpan, factor: Int64) -> TimeSpan {
        .counted(factor, of: span.nanoseconds)
    }

    /// Returns the smallest multiple of `unit` that is not shorter than this span; saturates at the end of the range.
    ///
    /// `unit` must be positive.
    package func roundedUp(to unit: TimeSpan) -> TimeSpan {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.nanoseconds)
        return unit * (rest > 0 ? whole + 1 : whole)
    }
}

extension TimeSpan: CustomStringConvertible {
    /// The exact length in a single unit: `1h`, `10m`, `1.5s`, `250ms`.
    ///
    /// Whole hours and minutes use `h` and `m`. Other spans use the largest of `s`, `ms` and `us` that needs at most
    /// three decimals, or else `ns`.
    package var description: String {
        if self == .forever { return "forever" }
        if self == .zero { return "0s" }
        let magnitude = nanoseconds.magnitude
        let sign = nanoseconds < 0 ? "-" : ""
        for (suffix, length) in [("h", 3_600_000_000_000), ("m", 60_000_000_000)] as [(String, UInt64)]
        where magnitude % length == 0 {
            return "\(sign)\(magnitude / length)\(suffix)"
        }
        for (suffix, length) in [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)] as [(String, UInt64)]
        where magnitude >= length && magnitude % (length / 1000) == 0 {
            return "\(sign)\(magnitude / length)\(TimeSpan.decimals(magnitude % length / (length / 1000)))\(suffix)"
        }
        return "\(sign)\(magnitude)ns"
    }

    /// Formats thousandths as a decimal fraction without trailing zeros: `.05` for 50, an empty string for 0.
    private static func decimals(_ thousandths: UInt64) -> String {
        guard thousandths > 0 else { return "" }
        let digits = String(thousandths)
        var text = "." + String(repeating: "0", count: 3 - digits.count) + digits
        while text.hasSuffix("0") { text.removeLast() }
        return text
    }
}

extension TimeSpan {
    /// The span in whole milliseconds, rounded towards zero.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension TimeSpan {
    /// Converts a duration: fractions of a nanosecond are truncated, and durations out of range saturate.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(seconds) + TimeSpan(nanoseconds: attoseconds / 1_000_000_000)
    }
}
