import SquallCore

/// Decides whether a client may send now: at most so many messages in any stretch as long as the window.
struct RateLimit: Hashable, Sendable {
    enum Admission: Hashable, Sendable {
        case admitted
        /// The wait until the next message would be admitted.
        case refused(retryAfter: TimeSpan)
    }

    /// When messages were admitted, oldest first.
    private var admissions: [ClientID: [Instant]] = [:]

    /// A message that is refused does not count.
    mutating func admit(_ client: ClientID, under limit: ServerProfile.RateLimit, at now: Instant) -> Admission {
        let (count, window) = (limit.count, limit.window)
        guard window > .zero else { return .admitted }
        var recent = admissions[client] ?? []
        recent.removeFirst(recent.prefix { now - $0 >= window }.count)
        defer { admissions[client] = recent }
        guard Int64(recent.count) >= count else {
            recent.append(now)
            return .admitted
        }
        // The limit may have been lowered below what is already in the window.
        let leaving = recent.count - Int(max(count, 1))
        guard recent.indices.contains(leaving) else { return .refused(retryAfter: window) }
        return .refused(retryAfter: recent[leaving] + window - now)
    }

    mutating func forget() {
        admissions = [:]
    }
}
