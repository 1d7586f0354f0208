import SquallCore

/// Parses quantities in netem's syntax. Every parser throws ``TermError`` if the text is invalid, and `what` names the
/// quantity in the error message.
enum Quantities {
    /// Parses a percentage such as `5%` or `0.1%`. It must not exceed 100, and may have up to six decimal places.
    static func share(_ text: String, of what: String) throws(TermError) -> Ratio {
        guard text.hasSuffix("%") else {
            throw TermError("\(what): '\(text)' is not a percentage: write it as in 5%")
        }
        let wrong = TermError("\(what): '\(text)' is not a percentage from 0% to 100% with at most six decimals")
        guard let millionths = decimal(text.dropLast(), places: 6), millionths <= 100_000_000,
            let ratio = Ratio(UInt32(millionths), of: 100_000_000)
        else { throw wrong }
        return ratio
    }

    /// Parses a time such as `50ms`, `1.5s` or `200us`, with at most nine decimal places.
    static func time(_ text: String, of what: String) throws(TermError) -> TimeSpan {
        let units: [(String, UInt64)] = [("ms", 1_000_000), ("us", 1_000), ("ns", 1), ("s", 1_000_000_000)]
        for (unit, length) in units where text.hasSuffix(unit) {
            let longest = UInt64(PacketFaults.maximumDelay.nanoseconds)
            guard let billionths = decimal(text.dropLast(unit.count), places: 9),
                let nanoseconds = product(billionths, length, over: 1_000_000_000), nanoseconds <= longest
            else { break }
            return TimeSpan(nanoseconds: Int64(nanoseconds))
        }
        throw TermError(
            "\(what): '\(text)' is not a time of at most an hour with a unit, as in 50ms, 1.5s or 200us"
        )
    }

    /// Parses a rate such as `10mbit` (bits) or `1mbps` (bytes) and returns it in bits per second; kilo means 1000.
    static func rate(_ text: String, of what: String) throws(TermError) -> UInt64 {
        let units: [(String, UInt64)] = [
            ("kbit", 1_000), ("mbit", 1_000_000), ("gbit", 1_000_000_000), ("bit", 1),
            ("kbps", 8_000), ("mbps", 8_000_000), ("gbps", 8_000_000_000), ("bps", 8),
        ]
        let lowered = text.lowercased()
        for (unit, size) in units where lowered.hasSuffix(unit) {
            guard let billionths = decimal(lowered.dropLast(unit.count), places: 9),
                let bits = product(billionths, size, over: 1_000_000_000), bits > 0
            else { break }
            return bits
        }
        throw TermError(
            "\(what): '\(text)' is not a rate with a unit, as in 512kbit or 10mbit (bits), or 1mbps (bytes)"
        )
    }

    /// Parses an integer from 1 to 10,000,000.
    static func count(_ text: String, of what: String) throws(TermError) -> Int {
        guard let number = Int(text), number >= 1, number <= 10_000_000 else {
            throw TermError("\(what): '\(text)' is not an integer from 1 to 10000000")
        }
        return number
    }

    /// Parses packet numbers such as `3,7-9` into sorted, non-overlapping ranges.
    static func numbers(_ text: String, of what: String) throws(TermError) -> [ClosedRange<UInt64>] {
        var ranges: [ClosedRange<UInt64>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
                first >= 1, first <= last
            else {
                throw TermError("\(what): '\(part)' is not a list of packet numbers, as in 1 or 3,7-9")
            }
            ranges.append(first...last)
        }
        return merged(ranges)
    }

    /// Sorts the ranges, and merges those that overlap.
    private static func merged(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
        var merged: [ClosedRange<UInt64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// Parses a decimal number and returns it multiplied by 10 to the power of `places`; returns nil if the text is not
    /// a decimal number.
    private static func decimal(_ text: Substring, places: Int) -> UInt64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard let whole = parts.first, !whole.isEmpty, parts.count == 1 || !fraction.isEmpty, fraction.count <= places,
            (whole + fraction).utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(whole + fraction + String(repeating: "0", count: places - fraction.count))
    }

    /// Returns `value * factor / divisor`; nil if the result does not fit into 64 bits.
    private static func product(_ value: UInt64, _ factor: UInt64, over divisor: UInt64) -> UInt64? {
        let product = value.multipliedFullWidth(by: factor)
        guard product.high < divisor else { return nil }
        return divisor.dividingFullWidth(product).quotient
    }
}
