/// The presence status of a user or an agent.
package enum PresenceStatus: String, Hashable, Sendable, CaseIterable {
    case online, busy, idle, offline
}
