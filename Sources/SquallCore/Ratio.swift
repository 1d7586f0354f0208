/// A ratio from 0 to 1, stored as a fraction in lowest terms to avoid floating point: 5 of 100 equals 1 of 20.
package struct Ratio: Hashable, Sendable {
    package let numerator: UInt32
    package let denominator: UInt32

    /// Creates a ratio; returns nil unless `numerator <= denominator` and the denominator is positive.
    package init?(_ numerator: UInt32, of denominator: UInt32) {
        guard denominator > 0, numerator <= denominator else { return nil }
        let divisor = Ratio.commonDivisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// Returns the greatest common divisor; `right` must be positive.
    private static func commonDivisor(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (larger, smaller) = (right, left)
        while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }

    private init(certain numerator: UInt32) {
        self.numerator = numerator
        self.denominator = 1
    }

    package static let never = Ratio(certain: 0)
    package static let always = Ratio(certain: 1)

    /// Returns `amount` multiplied by this ratio, rounded towards zero.
    package func of(_ amount: TimeSpan) -> TimeSpan {
        let product = amount.nanoseconds.multipliedFullWidth(by: Int64(numerator))
        return TimeSpan(nanoseconds: Int64(denominator).dividingFullWidth(product).quotient)
    }
}
