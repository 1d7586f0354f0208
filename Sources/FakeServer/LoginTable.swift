import ChatWire
import SquallCore

/// Which logins have been seen, so that a recording of one is told from the next.
///
/// A nonce is remembered for as long as its time would pass, and no longer: what is older is refused for its age.
struct LoginTable: Hashable, Sendable {
    /// Why a login is refused.
    enum Refusal: String, Hashable, Sendable {
        /// It does not show when it was made.
        case undated
        /// It was made longer ago than the window, or will be made later than that.
        case stale
        case reused
    }

    /// By ascending time at which they are too old in any case, milliseconds since 1970.
    private var seen: [(nonce: String, until: Int64)] = []

    /// Nil for a login that is let in; `clock` in milliseconds since 1970.
    mutating func refusal(
        of freshness: ClientFrame.Freshness?,
        at clock: Int64,
        window: TimeSpan
    ) -> Refusal? {
        guard let freshness else { return .undated }
        let width = window.nanoseconds / 1_000_000
        seen.removeAll { $0.until < clock }
        let (age, overflow) = clock.subtractingReportingOverflow(freshness.timestamp)
        guard !overflow, (-width...width).contains(age) else { return .stale }
        guard !seen.contains(where: { $0.nonce == freshness.nonce }) else { return .reused }
        seen.append((freshness.nonce, freshness.timestamp + width))
        return nil
    }

    mutating func forget() {
        seen = []
    }
}

extension LoginTable {
    static func == (left: LoginTable, right: LoginTable) -> Bool {
        left.seen.elementsEqual(right.seen) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for entry in seen {
            hasher.combine(entry.nonce)
            hasher.combine(entry.until)
        }
    }
}
