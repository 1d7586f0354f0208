package import SquallCore

/// Parses durations in the syntax of scenario files: `250us`, `50ms`, `1.5s`, `10m`, `1h`.
package enum DurationText {
    private static let units: [(suffix: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
    ]

    /// Parses a number with a unit; returns nil for other text, fractional nanoseconds, and 292 years or more.
    package static func parse(_ text: String) -> TimeSpan? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard !digits.isEmpty, let unit = units.first(where: { $0.suffix == text[digits.endIndex...] }) else {
            return nil
        }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        let (product, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return TimeSpan(nanoseconds: product) }
        guard !parts[1].isEmpty, parts[1].count <= 9, let fraction = Int64(parts[1]) else { return nil }
        let scale = parts[1].reduce(Int64(1)) { scale, _ in scale * 10 }
        let (scaled, tooLarge) = fraction.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !tooLarge, scaled % scale == 0 else { return nil }
        let (sum, beyond) = product.addingReportingOverflow(scaled / scale)
        return beyond ? nil : TimeSpan(nanoseconds: sum)
    }

    /// Parses a duration with an optional minus sign; returns nil for any other text.
    static func parseSigned(_ text: String) -> TimeSpan? {
        guard text.hasPrefix("-") else { return parse(text) }
        return parse(String(text.dropFirst())).map { TimeSpan(nanoseconds: -$0.nanoseconds) }
    }

    /// Returns the help text for a string that is not a duration.
    static func help(for text: String) -> String {
        if Int64(text) != nil { return "a duration needs its unit: '\(text)s' or '\(text)ms'" }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[number.endIndex...].drop { $0 == " " }
        if !number.isEmpty, let meant = spelled.first(where: { $0.words.contains(unit.lowercased()) }) {
            let text = "\(number)\(meant.unit)"
            if parse(text) != nil { return "did you mean '\(text)'?" }
            return "a duration must be a whole number of nanoseconds, below 292 years"
        }
        return "write a number and a unit, as in 250us, 50ms, 1.5s, 10m or 1h"
    }

    /// Alternative spellings of the units, for suggestions.
    private static let spelled: [(unit: String, words: [String])] = [
        ("ms", ["ms", "msec", "msecs", "millis", "milliseconds", "millisecond"]),
        ("s", ["s", "sec", "secs", "second", "seconds"]),
        ("m", ["m", "min", "mins", "minute", "minutes"]),
        ("h", ["h", "hr", "hrs", "hour", "hours"]),
        ("d", ["d", "day", "days"]),
        ("us", ["us", "µs", "usec", "microseconds"]),
        ("ns", ["ns", "nsec", "nanoseconds"]),
    ]
}
