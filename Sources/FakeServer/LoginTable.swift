import ChatWire
import SquallCore

/// The recent logins, used to reject a replay of a recorded login.
///
/// A nonce is remembered while its login's timestamp is recent; after that, any login with that timestamp is rejected
/// as stale.
struct LoginTable: Hashable, Sendable {
    /// The reason why a login is rejected.
    enum Refusal: String, Hashable, Sendable {
        /// The login has no timestamp.
        case undated
        /// The difference between the timestamp and the server's clock, in either direction, exceeds the window.
        case stale
        /// The nonce was used before.
        case reused
    }

    /// The nonces in order of arrival, each with the time at which its login becomes stale, in milliseconds since 1970.
    private var seen: [(nonce: String, until: Int64)] = []

    /// Returns the reason for rejecting a login; nil if it is accepted. `clock` is in milliseconds since 1970.
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
