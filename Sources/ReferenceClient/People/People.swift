import ChatWire
import SquallCore

/// Owns the presence of the other users, and tracks whether it is up to date.
///
/// The server pushes changes. The full list is fetched when the list of conversations is opened, and from then on at
/// the profile's interval. Once it has been fetched, it is fetched again after each connect. A presence is out of date
/// if the connection is unhealthy or a fetch has failed. An outdated presence is displayed as the time when the user
/// was last seen, never as present.
struct People {
    struct Person {
        let user: String
        var status: PresenceStatus
        /// The time at which the user was last present, in milliseconds since 1970 by the server's clock; nil if
        /// unknown.
        var lastSeen: Int64?
        /// The user's status text; nil if the user has none.
        var text: String?
        /// Whether the presence was received on the current connection.
        var isFresh = true
    }

    private let rules: Rules
    private var policy: PeoplePolicy { rules.policy.people }
    private var persons: [String: Person] = [:]
    /// The other users in the order in which the client learned of them.
    private(set) var users: [String] = []
    /// The members of each conversation, in the server's order.
    private(set) var members: [String: [String]] = [:]
    /// A one-line description of each user.
    private(set) var about: [String: String] = [:]
    /// The conversations that have members, in the server's order.
    private(set) var conversations: [String] = []
    /// Whether the connection is live and the server answers pings in time.
    private(set) var isHealthy = false
    /// Whether the list of conversations has been opened.
    private(set) var isInUse = false
    /// Whether the client requests presence regularly, and not only what a header needs.
    private var isKeptCurrent: Bool { isInUse || rules.profile.people.refresh > .zero }
    /// Each user's presence when the open conversation was opened; used only with a planted defect.
    private var atOpening: [String: Presence] = [:]

    // The state of the requests for presence.
    private var tries: Int64 = 0
    private var retryAt: Instant?
    /// Whether the connection was lost after the last request was sent. If that request then fails, it is not retried:
    /// the client may notice the two failures in either order, and the loss also cancels a scheduled retry.
    private var isAbandoned = false
    private var refreshAt: Instant?
    private var lateChanges = Delayed<(person: Person, latency: TimeSpan?)>(by: .seconds(1))

    private static let storeKey = "people.in_use"

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        // The header of a group needs the members, also of a group that opens before the list.
        isInUse = store[Self.storeKey] == true
    }

    subscript(user: String) -> Person? { persons[user] }

    var deadline: Instant? { retryAt.or(sooner: refreshAt).or(sooner: lateChanges.deadline) }

    /// Returns the presence to display for a user. The header, the list of conversations and the list of members all
    /// display this value.
    func presence(of user: String) -> Presence {
        if policy.source == .isTheConnection { return isHealthy ? .online : .offline }
        guard let person = persons[user] else { return .unknown }
        let isSure = (person.isFresh && isHealthy) || policy.stale == .isKept
        return isSure || person.status == .offline ? Presence(person.status) : .lastSeen
    }

    /// Returns the presence to display in the header above the messages. It differs from ``presence(of:)`` only with a
    /// planted defect.
    func presenceInHeader(of user: String) -> Presence {
        policy.surfaces == .headerHasItsOwn ? atOpening[user] ?? presence(of: user) : presence(of: user)
    }

    /// Returns the presence to display in the list of a group's members. It differs from ``presence(of:)`` only with a
    /// planted defect.
    func presenceAmongMembers(of user: String) -> Presence {
        policy.surfaces == .membersHaveTheirOwn ? atOpening[user] ?? presence(of: user) : presence(of: user)
    }

    /// Saves every presence when a conversation is opened; needed only with a planted defect.
    mutating func opened() {
        guard policy.surfaces != .shareOneValue else { return }
        atOpening = [:]
        for user in users { atOpening[user] = presence(of: user) }
    }

    // MARK: - Updates

    /// Handles a presence change that the server has pushed. `latency` is the age of the change, or nil if the server
    /// sends no time with it.
    mutating func became(_ person: Person, after latency: TimeSpan?, _ step: inout Step) {
        guard policy.change == .isPrompt else { return lateChanges.add((person, latency), at: step.now) }
        update(person, after: latency, &step)
    }

    private mutating func update(_ person: Person, after latency: TimeSpan?, _ step: inout Step) {
        let user = person.user
        let wasSure = persons[user]?.isFresh == true && isHealthy
        change(user, latency: wasSure ? latency : nil, &step) { $0[user] = person }
    }

    /// Handles the list of users; `serverTime` is in milliseconds since 1970.
    mutating func fetched(_ agents: [Agent], serverTime: Int64, _ step: inout Step) {
        tries = 0
        retryAt = nil
        step.changes.insert(.people)
        members = [:]
        conversations = []
        for agent in agents {
            if members[agent.conversation] == nil { conversations.append(agent.conversation) }
            members[agent.conversation, default: []].append(agent.user)
            about[agent.user] = agent.about
            let lastSeen = policy.lastSeen == .isTheServers ? agent.lastSeen : serverTime
            let person = Person(user: agent.user, status: agent.status, lastSeen: lastSeen, text: agent.text)
            change(agent.user, &step) { $0[agent.user] = person }
        }
    }

    /// Handles a change in the connection's health.
    ///
    /// If the connection is no longer healthy, all users who are not offline count as last seen at `serverTime`, in
    /// milliseconds since 1970.
    mutating func became(isHealthy: Bool, serverTime: Int64, _ step: inout Step) {
        let before = users.map { presence(of: $0) }
        self.isHealthy = isHealthy
        for (user, before) in zip(users, before) {
            if !isHealthy, policy.stale == .isLastSeen, persons[user]?.status != .offline {
                persons[user]?.lastSeen = serverTime
            }
            emit(user, from: before, latency: nil, &step)
        }
        step.changes.insert(.people)
    }

    /// Marks all presences as out of date and stops fetching, because the connection is lost.
    mutating func linkLost(_ step: inout Step) {
        becomeUnsure(&step)
        retryAt = nil
        refreshAt = nil
        isAbandoned = true
    }

    private mutating func becomeUnsure(_ step: inout Step) {
        for user in users { change(user, &step) { $0[user]?.isFresh = false } }
    }

    private mutating func change(
        _ user: String,
        latency: TimeSpan? = nil,
        _ step: inout Step,
        _ change: (inout [String: Person]) -> Void
    ) {
        let before = persons[user] == nil ? nil : presence(of: user)
        change(&persons)
        if before == nil { users.append(user) }
        step.changes.insert(.people)
        if let before { emit(user, from: before, latency: latency, &step) }
    }

    private func emit(_ user: String, from before: Presence, latency: TimeSpan?, _ step: inout Step) {
        let after = presence(of: user)
        guard after != before else { return }
        var fields: JSON = ["from": .string(before.rawValue), "to": .string(after.rawValue)]
        if let latency {
            fields.set("latency", to: .integer(latency.nanoseconds))
            step.emit(.presenceArrived(after: latency))
        }
        step.log("client.presence_changed", key: user, fields)
    }

    // MARK: - Fetching

    mutating func listOpened(_ step: inout Step) {
        if !isInUse { step.store(Self.storeKey, true) }
        isInUse = true
        step.changes.insert(.people)
        fetch(&step)
    }

    mutating func connected(_ step: inout Step) {
        if isKeptCurrent { return fetch(&step) }
        // A header shows the presence of a partner even if the list was never opened.
        if persons.values.contains(where: { !$0.isFresh }) { ask(&step) }
    }

    /// Requests the list of users once, without scheduling further requests.
    mutating func ask(_ step: inout Step) {
        tries = 0
        retryAt = nil
        isAbandoned = false
        step.emit(.ask(.people))
    }

    private mutating func fetch(_ step: inout Step) {
        let interval = rules.profile.people.refresh
        refreshAt = interval > .zero ? step.now + interval : nil
        ask(&step)
    }

    /// Schedules another attempt after a failed request; after the last attempt, marks all presences as out of date.
    mutating func fetchFailed(_ step: inout Step) {
        tries += 1
        guard policy.failure == .isTriedAgain, !isAbandoned else { return }
        guard tries < rules.profile.people.maxTries else {
            step.log("client.presence_unavailable", ["tries": .integer(tries)])
            return becomeUnsure(&step)
        }
        retryAt = step.now + rules.profile.people.retryBase.doubled(tries - 1)
    }

    mutating func timer(_ step: inout Step) {
        for change in lateChanges.takeDue(at: step.now) { update(change.person, after: change.latency, &step) }
        if let due = retryAt, due <= step.now {
            (retryAt, isAbandoned) = (nil, false)
            step.emit(.ask(.people))
        }
        if let due = refreshAt, due <= step.now { fetch(&step) }
    }

    /// Stops fetching while the app is in the background.
    mutating func background() {
        retryAt = nil
        refreshAt = nil
    }

    /// Fetches the list again if the connection is healthy; otherwise ``connected(_:)`` does so later.
    mutating func foreground(_ step: inout Step) {
        if isKeptCurrent, isHealthy { fetch(&step) }
    }
}

/// The values of `peer.presence`: the server's statuses, and those for a presence that is out of date or unknown.
enum Presence: String, CaseIterable {
    case online, busy, idle, offline
    case lastSeen = "last_seen"
    case unknown

    init(_ status: PresenceStatus) {
        self =
            switch status {
            case .online: .online
            case .busy: .busy
            case .idle: .idle
            case .offline: .offline
            }
    }
}
