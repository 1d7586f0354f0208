package import SquallCore

/// What a live run is forgiven: a fixed time, and a share of the bound.
///
/// None in virtual time.
package struct Tolerance: Hashable, Sendable {
    package var fixed: TimeSpan
    package var share: Ratio

    package init(fixed: TimeSpan, share: Ratio = .never) {
        self.fixed = max(fixed, .zero)
        self.share = share
    }

    package static let none = Tolerance(fixed: .zero)

    /// How much is added to a bound.
    package func of(_ bound: TimeSpan) -> TimeSpan {
        fixed + share.of(bound)
    }
}
