package import SquallCore

/// The extra time that a live run gets for each bound: a fixed time and a share of the bound. None in virtual time.
package struct Tolerance: Hashable, Sendable {
    package var fixed: TimeSpan
    package var share: Ratio

    package init(fixed: TimeSpan, share: Ratio = .never) {
        self.fixed = max(fixed, .zero)
        self.share = share
    }

    package static let none = Tolerance(fixed: .zero)

    /// The time added to a bound.
    package func of(_ bound: TimeSpan) -> TimeSpan {
        fixed + share.of(bound)
    }
}
