import SquallCore

/// A sliding-window limit on each client's messages.
struct RateLimit: Hashable, Sendable {
    enum Admission: Hashable, Sendable {
        case admitted
        /// The message is rejected; `retryAfter` is the time until the next message would be admitted.
        case refused(retryAfter: TimeSpan)
    }

    /// The instants at which messages were admitted, by client, oldest first.
    private var admissions: [ClientID: [Instant]] = [:]

    /// Decides whether to admit a message now. A rejected message does not count towards the limit.
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
        // The admission that must leave the window before the next message is admitted. It is not the oldest one if the
        // script has lowered the limit.
        let leaving = recent.count - Int(max(count, 1))
        guard recent.indices.contains(leaving) else { return .refused(retryAfter: window) }
        return .refused(retryAfter: recent[leaving] + window - now)
    }

    mutating func forget() {
        admissions = [:]
    }
}
