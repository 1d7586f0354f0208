import SquallCore

extension Client {
    /// Updates the displayed list of conversations, with its previews and badges, once the list has been opened.
    mutating func showList(_ step: inout Step) {
        guard list.isInUse else { return }
        var rows: [(name: String, newest: Int64)] = []
        for name in list.names {
            let summary = list.summaries[name]
            let message = conversations[name].newest.flatMap { conversations.messages[$0] }
            // The server's list may contain a newer message than the client has, and the client may have received a
            // newer message since the list was fetched. The newer of the two is displayed.
            let isHere = (message?.timestamp ?? .min) >= (summary?.lastTimestamp ?? .min)
            let newest = isHere ? message?.timestamp : summary?.lastTimestamp
            rows.append((name, newest ?? .min))
            let preview = isHere ? message.map { text(of: $0, kind(of: $0)) } : summary?.lastText
            display.show("list.preview", key: name, preview, &step)
            let badge = list.badge(of: name)
            display.show("badge.text", key: name, badge, &step)
            display.show("badge.tone", key: name, badge == nil ? nil : badgeTone(of: name).rawValue, &step)
        }
        rows.sort { ($1.newest, $0.name) < ($0.newest, $1.name) }
        if rules.policy.conversations.order == .byText { sortByText(&rows) }
        display.show("list.conversations", list: rows.map(\.name), &step)
    }

    private func sortByText(_ rows: inout [(name: String, newest: Int64)]) {
        rows.sort { first, second in
            guard let one = conversations[first.name].rows.last, let other = conversations[second.name].rows.last else {
                return first.newest > second.newest
            }
            return other.isWrittenBefore(one)
        }
    }

    /// Returns the colour of the conversation's badge: red only with a planted defect, otherwise the profile's colour.
    private func badgeTone(of conversation: String) -> Tone {
        guard rules.policy.list.colour == .isCalm || !list.isAboveLimit(conversation) else { return .red }
        return rules.profile.badge.tone == .green ? .green : .blue
    }

    /// Updates the displayed unread counts of the `changed` conversations, the active views and the app's badge.
    mutating func showUnread(_ changed: [String], _ step: inout Step) {
        for name in unreadLag(changed, &step) { display.show("unread", key: name, count: unread[name], &step) }
        for name in unread.views.names {
            let isActive = unread.views.isActive(name, chosen: conversations.open)
            display.show("view.active", key: name, .bool(isActive), &step)
        }
        // The phone still shows the badge that an earlier process of the app has set.
        guard unread.wasAnyUnread || list.isInUse || rules.launch > 1 else { return }
        if rules.policy.notifications.badge == .staysAsItWas, display.hasShown("badge.app") { return }
        display.show("badge.app", count: unread.sum, &step)
    }

    private mutating func unreadLag(_ changed: [String], _ step: inout Step) -> [String] {
        rules.policy.shown.unread == .atOnce ? changed : lateUnread.exchange(changed, at: step.now)
    }
}
