package import SquallCore

/// The extra time that is added to each time bound in a live run: a fixed time plus a fraction of the bound. The
/// tolerance is zero in virtual time.
package struct Tolerance: Hashable, Sendable {
    package var fixed: TimeSpan
    package var share: Ratio

    package init(fixed: TimeSpan, share: Ratio = .never) {
        self.fixed = max(fixed, .zero)
        self.share = share
    }

    package static let none = Tolerance(fixed: .zero)

    /// Returns the time to add to `bound`.
    package func of(_ bound: TimeSpan) -> TimeSpan {
        fixed + share.of(bound)
    }
}
