import SquallCore

extension Presence {
    var tone: Tone {
        switch self {
        case .online: .green
        case .busy: .yellow
        case .idle: .amber
        case .offline, .lastSeen, .unknown: .grey
        }
    }

    /// Whether the user counts as present, that is, online, busy or idle.
    var isThere: Bool {
        switch self {
        case .online, .busy, .idle: true
        case .offline, .lastSeen, .unknown: false
        }
    }
}

extension Client {
    mutating func showPeople(_ step: inout Step) {
        for user in people.users {
            let presence = people.presence(of: user)
            display.show("peer.presence", key: user, presence.rawValue, &step)
            guard people.isInUse else { continue }
            display.show("peer.last_seen", key: user, lastSeen(user, presence, &step), &step)
        }
        // Until the list is first opened, the client knows only the users whose presence the server has pushed. Typing
        // indicators do not depend on that.
        guard people.isInUse || !people.users.isEmpty else {
            if !peers.conversations.isEmpty { showTyping(&step) }
            return
        }
        for conversation in people.conversations {
            let presence: Presence? =
                if let partner = partner(of: conversation) { people.presence(of: partner) } else { nil }
            display.show("list.presence", key: conversation, presence?.rawValue, &step)
            display.show("list.tone", key: conversation, presence?.tone.rawValue, &step)
            guard let members = people.members[conversation], members.count > 1 else { continue }
            for user in members {
                display.show("member.presence", key: user, people.presenceAmongMembers(of: user).rawValue, &step)
            }
        }
        showHeader(&step)
    }

    private mutating func showHeader(_ step: inout Step) {
        let open = conversations.open
        let partner: String? = if let open { partner(of: open) } else { nil }
        let presence = partner.map { people.presenceInHeader(of: $0) }
        display.show("header.presence", presence?.rawValue, &step)
        display.show("header.tone", presence?.tone.rawValue, &step)
        display.show("header.subtitle", open == nil ? nil : subtitle(of: partner, presence), &step)
        showTyping(&step)
        showMembers(of: open, &step)
    }

    private mutating func showTyping(_ step: inout Step) {
        let isTyping =
            rules.policy.people.typing == .anywhere
            ? peers.conversations.contains { peers.isTyping(in: $0) }
            : conversations.open.map { peers.isTyping(in: $0) } ?? false
        display.show("header.typing", .bool(isTyping), &step)
    }

    private func subtitle(of partner: String?, _ presence: Presence?) -> String {
        let neutral = rules.profile.text.header.neutral
        // Without a connection, the last status text may be out of date.
        guard let partner, let presence, ![.lastSeen, .unknown].contains(presence) else { return neutral }
        guard let text = people[partner]?.text, !text.isEmpty else { return neutral }
        return text
    }

    private mutating func showMembers(of open: String?, _ step: inout Step) {
        let members = open.flatMap { people.members[$0] } ?? []
        let isGroup = members.count > 1
        var there: [String] = []
        var away: [String] = []
        for user in isGroup ? members : [] {
            let presence = people.presenceAmongMembers(of: user)
            if presence.isThere { there.append(user) } else { away.append(user) }
        }
        display.show("header.members", list: there + away, &step)
        let isKnown = !members.contains { [.lastSeen, .unknown].contains(people.presence(of: $0)) }
        let text = rules.profile.text.header.online.filling("count", with: String(there.count))
            .filling("all", with: String(members.count))
        display.show("header.online", isGroup && isKnown ? text : nil, &step)
    }

    /// Returns the other user in a conversation of two; nil in a group or if the members are unknown.
    func partner(of conversation: String) -> String? {
        guard rules.policy.people.status == .isShown else { return nil }
        // Until the members are known, a conversation that is named after a user counts as one with that user.
        guard let members = people.members[conversation] else { return people[conversation]?.user }
        return members.count == 1 ? members.first : nil
    }

    /// Returns the time at which the user was last seen, as text relative to now; nil if the user is present or the
    /// time is unknown.
    mutating func lastSeen(_ user: String, _ presence: Presence, _ step: inout Step) -> String? {
        guard !presence.isThere, let moment = people[user]?.lastSeen else { return nil }
        let relative = RelativeTime(age: times.serverTime(at: step.now) - moment, times.texts)
        times.tick(in: relative.lasts, from: step.now)
        return rules.profile.text.header.lastSeen.filling("time", with: relative.text)
    }
}
