import SquallCore

// Reports the observables after each input: all are derived from the client's state, and only changes are emitted.

extension Client {
    /// Reports the observables of the groups that the current input has changed.
    mutating func show(_ step: inout Step) {
        let changes = step.changes
        if changes.contains(.connection) { showConnection(&step) }
        if changes.contains(.session, or: .connection) { showSession(&step) }
        var counted: [String] = []
        if changes.contains(.conversations) { counted = showConversations(&step) }
        if changes.contains(.screen, or: .conversations) || changes.contains(.people) { showScreen(&step) }
        if changes.contains(.screen) { showReading(&step) }
        for key in step.touched { showMessage(key, &step) }
        for key in statusesToShow(&step) { showStatus(key, &step) }
        if changes.contains(.outbox) { showOutbox(&step) }
        if changes.contains(.peers) { showPeers(&step) }
        if changes.contains(.notices, or: .connection) || changes.contains(.outbox, or: .screen) { showNotices(&step) }
        if changes.contains(.metrics) { showMetrics(&step) }
        if changes.contains(.tasks) { showTasks(&step) }
        if changes.contains(.uploads) { showUploads(&step) }
        if changes.contains(.media) { showMedia(&step) }
        // The items of an open menu depend on the state of its message.
        let isMenuTouched = deletions.menu.map(step.touched.contains) ?? false
        if changes.contains(.deletions) || isMenuTouched { showDeletions(&step) }
        if changes.contains(.phone) { showPhone(&step) }
        if changes.contains(.conversations, or: .unread) { showUnread(counted + unread.takeChanged(), &step) }
        if changes.contains(.conversations, or: .list) || changes.contains(.deletions) { showList(&step) }
        if changes.contains(.people) { showPeople(&step) }
        if changes.contains(.conversations, or: .times) { showTimes(&step) }
    }

    private mutating func showConnection(_ step: inout Step) {
        let look = connection.takeLook()
        guard display.isNew(look) else { return }
        display.show("network.reachable", .bool(look.isReachable), &step)
        display.show("network.captive", .bool(look.isCaptive), &step)
        display.show("connection.state", look.state.rawValue, &step)
        display.show("connection.transport", look.transport, &step)
        display.show("connection.host", look.host, &step)
        display.show("connection.label", connection.label, &step)
        display.show("connection.tone", connection.tone.rawValue, &step)
        display.show("connection.attempt", .integer(look.failures), &step)
        display.show("connection.last_error", look.lastFailure?.word, &step)
        display.show("connection.open_sockets", .integer(Int64(look.openSockets)), &step)
        display.show("connection.next_attempt_in", look.nextAttemptIn.json, &step)
        display.show("connection.rtt", look.roundTrip.json, &step)
        display.show("connection.quality", look.quality.rawValue, &step)
        display.show("auth.authenticated", .bool(connection.phase == .live), &step)
        display.show("auth.requires_reauth", .bool(look.requiresNewKey), &step)
        display.show("auth.version_warning", versionWarning, &step)
    }

    private mutating func showSession(_ step: inout Step) {
        let look = Session.Look(
            isPolling: session.isPolling,
            lastSequence: session.lastSequence,
            isSyncing: session.isSyncing,
            isRefreshing: session.isRefreshing || conversations.showsRefresh
        )
        guard display.isNew(look) else { return }
        display.show("poll.active", .bool(look.isPolling), &step)
        display.show("sync.last_sequence", look.lastSequence.map { .integer($0) } ?? .null, &step)
        display.show("sync.in_flight", .bool(look.isSyncing), &step)
        display.show("refresh.in_flight", .bool(look.isRefreshing), &step)
    }

    /// Reports the changed conversations and the rows on the screen; returns the names of the changed conversations.
    private mutating func showConversations(_ step: inout Step) -> [String] {
        let open = conversations.open
        var rows: [String]? = open == nil ? [] : nil
        let changed = conversations.takeChanged()
        for name in changed {
            let conversation = conversations[name]
            let keys = conversation.keys
            display.show("conversation.messages", key: name, list: keys, &step)
            if name == open { rows = keys }
        }
        display.show("view.conversation", open, &step)
        if let kept = staleRows {
            display.show("view.rows", list: kept, &step)
        } else if let rows = rows ?? (screen.kept.isEmpty ? nil : open.map { conversations[$0].keys }) {
            display.show("view.rows", list: rows, &step)
        }
        return changed
    }

    private mutating func showMessage(_ key: String, _ step: inout Step) {
        guard let message = conversations.messages[key] else {
            display.show("stream.text", key: key, conversations.streams[key], &step)
            return
        }
        // The complete message replaces the text received so far.
        if conversations.streams.wereReceived { display.clear("stream.text", key: key, &step) }
        let kind = showKind(of: message, &step)
        display.show("message.text", key: key, text(of: message, kind), &step)
        display.show("message.timestamp", key: key, .integer(message.timestamp), &step)
        if kind == .deleted || deletions.isKnown(key) { showImageAfterDeletion(of: message, &step) }
    }

    /// Returns the keys of the messages whose status has to be reported: those that have just changed or, with a
    /// planted defect, those that changed a second ago.
    private mutating func statusesToShow(_ step: inout Step) -> [String] {
        guard rules.policy.shown.messageStatus == .late else { return step.touched }
        return lateStatuses.exchange(step.touched, at: step.now)
    }

    private mutating func showStatus(_ key: String, _ step: inout Step) {
        guard let message = conversations.messages[key], message.isOwn else { return }
        let isDeleted = message.isDeleted || deletions.hides(key)
        let look = isDeleted ? MessageLook.deleted : MessageLook(outbox[key], rules)
        display.show("message.status", key: key, look.status.rawValue, &step)
        display.show("message.icon", key: key, look.icon, &step)
        let pulses = look.status == .sending && rules.policy.shown.clock == .pulses
        display.show("message.icon_pulses", key: key, .bool(pulses), &step)
        display.show("message.tone", key: key, look.tone?.rawValue, &step)
        display.show("message.hint", key: key, look.hint, &step)
        display.show("message.retry_available", key: key, .bool(look.canRetry), &step)
        display.show("message.read", key: key, .bool(message.isRead), &step)
    }

    private mutating func showOutbox(_ step: inout Step) {
        display.show("outbox.count", count: Int64(outbox.count), &step)
        let queued = rules.policy.shown.queueCount == .isShown ? outbox.queuedCount : 0
        display.show("outbox.header_text", headerText(queued), &step)
    }

    private mutating func headerText(_ queued: Int) -> String? {
        switch queued {
        case 0: nil
        case 1: rules.profile.text.header.queuedOne
        default: rules.profile.text.header.queued.filling("count", with: String(queued))
        }
    }

    private mutating func showPeers(_ step: inout Step) {
        for conversation in peers.conversations {
            display.show("peer.typing", key: conversation, list: peers.typing[conversation] ?? [], &step)
        }
    }

    private mutating func showNotices(_ step: inout Step) {
        let due = dueBanners
        notices.forgetDismissal(unless: due.first?.kind)
        let banner = notices.showing(due)
        let look = Notices.Look(
            banner: banner,
            isInSight: banner != nil && isBannerInSight,
            toast: notices.toast?.text,
            alert: dueAlert
        )
        guard display.isNew(look) else { return }
        display.show("banner.kind", banner?.kind.rawValue, &step)
        display.show("banner.text", banner?.text, &step)
        display.show("banner.tone", banner?.tone.rawValue, &step)
        display.show("banner.action", banner?.action.rawValue, &step)
        display.showOnceSet("banner.placement", banner.map { _ in bannerPlacement.rawValue }, &step)
        display.show("banner.pulses", .bool(banner.map { pulses($0) } ?? false), &step)
        display.show("banner.in_sight", .bool(look.isInSight), &step)
        display.show("toast.text", look.toast, &step)
        display.show("alert.title", look.alert?.title, &step)
        display.show("alert.text", look.alert?.text, &step)
        display.show("alert.actions", list: look.alert?.actions ?? [], &step)
    }

    /// The alert to display; only a captive portal causes an alert, because only the user can log in to the portal.
    private var dueAlert: Notices.Alert? {
        let texts = rules.profile.text
        if connection.isCaptive, rules.policy.portal.alert == .isShown {
            return Notices.Alert(
                title: texts.alert.portalTitle,
                text: texts.alert.portalText,
                actions: [texts.alert.portalOpen, texts.alert.portalRetry]
            )
        }
        guard rules.policy.shown.failure == .opensAlert, outbox.hasFailed else { return nil }
        return Notices.Alert(title: texts.message.failed, text: texts.message.failed, actions: [])
    }
}

extension Client {
    private mutating func showTasks(_ step: inout Step) {
        display.show("commands.started", list: tasks.started, &step)
        display.show("commands.unanswered", count: tasks.unanswered, &step)
    }

    private mutating func showMetrics(_ step: inout Step) {
        display.show("metrics.attempts", .integer(metrics.attempts), &step)
        display.show("metrics.connections", .integer(metrics.connections), &step)
        display.show("metrics.success_percent", metrics.successPercent.map { .integer($0) } ?? .null, &step)
        display.show("metrics.mean_reconnect", metrics.meanReconnect.json, &step)
        display.show("metrics.mean_delivery", metrics.meanDelivery.json, &step)
        showTallies(&step)
        guard let mean = metrics.meanPresence, let slowest = metrics.presencePercentile else { return }
        display.show("metrics.mean_presence", .integer(mean.nanoseconds), &step)
        display.show("metrics.presence_p95", .integer(slowest.nanoseconds), &step)
    }
}

extension TimeSpan? {
    fileprivate var json: JSON { map { .integer($0.nanoseconds) } ?? .null }
}
