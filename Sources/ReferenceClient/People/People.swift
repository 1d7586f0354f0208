import ChatWire
import SquallCore

/// Owns what is known of the others: who there is, how reachable they are, and how sure that is.
///
/// The server tells of changes by itself; the whole is fetched when the list is opened and after each connection from then on. What
/// is not sure any more, for want of a healthy connection or because it cannot be fetched, is when somebody was last seen and never
/// that they are there.
struct People {
    struct Person {
        let user: String
        var status: PresenceStatus
        /// Milliseconds since 1970 on the server's clock.
        var lastSeen: Int64?
        /// The status in words.
        var text: String?
        /// Whether it was heard on this connection.
        var isFresh = true
    }

    private let rules: Rules
    private var policy: PeoplePolicy { rules.policy.people }
    private var persons: [String: Person] = [:]
    /// In the order they came to be known.
    private(set) var users: [String] = []
    /// Who is in a conversation, as the server lists them.
    private(set) var members: [String: [String]] = [:]
    /// Who somebody is, in a line.
    private(set) var about: [String: String] = [:]
    /// Conversations with anybody in them, in the server's order.
    private(set) var conversations: [String] = []
    /// Whether the connection answers.
    private(set) var isHealthy = false
    /// Whether the list was ever opened.
    private(set) var isInUse = false
    /// What each was when the conversation was opened; only a defect looks at it.
    private var atOpening: [String: Presence] = [:]

    // Fetching.
    private var tries: Int64 = 0
    private var retryAt: Instant?
    private var refreshAt: Instant?

    init(_ rules: Rules) {
        self.rules = rules
    }

    subscript(user: String) -> Person? { persons[user] }

    var deadline: Instant? { retryAt.or(sooner: refreshAt) }

    /// What is shown of somebody, on every surface.
    func presence(of user: String) -> Presence {
        if policy.source == .isTheConnection { return isHealthy ? .online : .offline }
        guard let person = persons[user] else { return .unknown }
        let isSure = (person.isFresh && isHealthy) || policy.stale == .isKept
        return isSure || person.status == .offline ? Presence(person.status) : .lastSeen
    }

    /// The same above the messages; another only with a defect.
    func presenceInHeader(of user: String) -> Presence {
        policy.surfaces == .headerHasItsOwn ? atOpening[user] ?? presence(of: user) : presence(of: user)
    }

    mutating func opened() {
        guard policy.surfaces == .headerHasItsOwn else { return }
        atOpening = [:]
        for user in users { atOpening[user] = presence(of: user) }
    }

    // MARK: - What comes

    /// Somebody is another, so long after the server knew.
    mutating func became(_ person: Person, after latency: TimeSpan?, _ step: inout Step) {
        let user = person.user
        let wasSure = persons[user]?.isFresh == true && isHealthy
        change(user, latency: wasSure ? latency : nil, &step) { $0[user] = person }
    }

    mutating func fetched(_ agents: [Agent], _ step: inout Step) {
        tries = 0
        retryAt = nil
        step.changes.insert(.people)
        members = [:]
        conversations = []
        for agent in agents {
            if members[agent.conversation] == nil { conversations.append(agent.conversation) }
            members[agent.conversation, default: []].append(agent.user)
            about[agent.user] = agent.about
            let person = Person(user: agent.user, status: agent.status, lastSeen: agent.lastSeen, text: agent.text)
            change(agent.user, &step) { $0[agent.user] = person }
        }
    }

    /// Whether the connection answers is another. `serverTime` is the last moment of which anything was sure.
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

    /// What was heard on a connection is sure no longer than it lives.
    mutating func linkLost(_ step: inout Step) {
        becomeUnsure(&step)
        retryAt = nil
        refreshAt = nil
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
        var fields: JSON = [
            "from": .string(before.rawValue), "to": .string(after.rawValue),
            "how": policy.changes == .fade ? "fade" : "jump",
        ]
        if let latency {
            fields.set("latency", to: .integer(latency.nanoseconds))
            step.emit(.presenceArrived(after: latency))
        }
        step.log("client.presence_changed", key: user, fields)
    }

    // MARK: - Fetching

    mutating func listOpened(_ step: inout Step) {
        isInUse = true
        step.changes.insert(.people)
        fetch(&step)
    }

    mutating func connected(_ step: inout Step) {
        if isInUse { fetch(&step) }
    }

    /// Asks who there is, once; the list has it asked again and again.
    mutating func ask(_ step: inout Step) {
        tries = 0
        retryAt = nil
        step.emit(.ask(.people))
    }

    private mutating func fetch(_ step: inout Step) {
        let interval = rules.profile.people.refresh
        refreshAt = interval > .zero ? step.now + interval : nil
        ask(&step)
    }

    /// After the last try nobody is known to be there.
    mutating func fetchFailed(_ step: inout Step) {
        tries += 1
        guard policy.failure == .isTriedAgain else { return }
        guard tries < rules.profile.people.maxTries else {
            step.log("client.presence_unavailable", ["tries": .integer(tries)])
            return becomeUnsure(&step)
        }
        retryAt = step.now + rules.profile.people.retryBase.doubled(tries - 1)
    }

    mutating func timer(_ step: inout Step) {
        if let due = retryAt, due <= step.now {
            retryAt = nil
            step.emit(.ask(.people))
        }
        if let due = refreshAt, due <= step.now { fetch(&step) }
    }

    /// Nobody looks.
    mutating func background() {
        retryAt = nil
        refreshAt = nil
    }

    /// Where the connection is gone, the next one asks.
    mutating func foreground(_ step: inout Step) {
        if isInUse, isHealthy { fetch(&step) }
    }
}

/// What `peer.presence` shows: the server's words, and what is left of them when they are not sure.
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
