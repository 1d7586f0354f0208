/// How reachable a user or an agent is.
package enum PresenceStatus: String, Hashable, Sendable, CaseIterable {
    case online, busy, idle, offline
}
