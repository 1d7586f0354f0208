import Adapter
import ChatWire
import ReferenceClient
import SquallCore
import Trace

// Pushes to devices, and the user's actions on notifications. The client need not be connected or even running.

extension ScenarioRun {
    /// Delivers a push to the devices that have this token. A push for an unknown token is lost, as with a real push
    /// service.
    mutating func deliver(_ payload: [UInt8], to token: String, label: String?, at now: Instant) {
        guard let push = Push(payload: payload) else { return }
        // If the script gives the push no label, the client that sent the message may have recorded one.
        let label = label ?? recorder.label(of: push.message)
        for index in hosts.indices where hosts[index].centre?.token == token {
            let isReachable = hosts[index].isReachable
            hosts[index].centre?.take(push, label: label, isReachable: isReachable, at: now)
            findDeadline(of: index)
        }
    }

    /// Delivers the pushes that arrive now: to the client if it is running, otherwise to the device, which shows them.
    mutating func receivePushes(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        let isReachable = hosts[index].isReachable
        for push in hosts[index].centre?.arrivals(isReachable: isReachable, at: now) ?? [] {
            let fields: JSON = ["conversation": .string(push.conversation)]
            let arrival = Observation.happened("client.push_arrived", key: push.message, fields, by: .injected)
            let cause = record(arrival, of: id, at: now)
            guard hosts[index].centre?.shows(push) == true else { continue }
            let partner = hosts[index].partners[push.conversation]
            let notification = PhoneNotification(push, from: partner, plan.scenario.profile.client, plan.policy)
            switch hosts[index].process {
            case _ where hasForeign:
                // A foreign client reports for itself how it presents the push. The device stores the notification only
                // so that the user can tap it.
                _ = hosts[index].centre?.show(notification, Presentation.allCases)
                feed(.command(.push(push)), to: id, cause: cause, at: now)
            case .running: feed(.command(.push(push)), to: id, cause: cause, at: now)
            case .starting, .suspended, .down:
                show(notification, Presentation.allCases, on: index, cause: cause, at: now)
            }
        }
        findDeadline(of: index)
    }

    /// Performs a request from the client to its device, such as showing a notification.
    mutating func perform(_ request: PhoneRequest, of index: Int, cause: Int?, at now: Instant) {
        switch request {
        case .notify(let notification, let presentation):
            show(notification, presentation, on: index, cause: cause, at: now)
        case .clearNotifications:
            emit(hosts[index].centre?.clear(), of: index, cause: cause, at: now)
        case .showNotifications(let user):
            openCentre(of: index)
            hosts[index].centre?.showNotifications(of: user)
            hosts[index].partners = [:]
        case .callPartner(let conversation, let name):
            hosts[index].partners[conversation] = name
        case .readPermission: reportPermission(to: index)
        case .readShared: reportShares(to: index)
        case .removeShared(let key): removeShare(key, of: index, at: now)
        case .requestPermission:
            openCentre(of: index)
            emit(hosts[index].centre?.prompt(), of: index, cause: cause, at: now)
            reportPermission(to: index)
        }
    }

    /// Reports the notification permission to the client if the user has already answered the prompt.
    private mutating func reportPermission(to index: Int) {
        guard let permission = hosts[index].centre?.permission else { return }
        hosts[index].pending.append(.command(.permission(permission)))
        pendingHosts.append(index)
    }

    private mutating func show(
        _ notification: PhoneNotification,
        _ presentation: [Presentation],
        on index: Int,
        cause: Int?,
        at now: Instant
    ) {
        emit(hosts[index].centre?.show(notification, presentation), of: index, cause: cause, at: now)
    }

    private mutating func emit(_ observations: [Observation]?, of index: Int, cause: Int?, at now: Instant) {
        guard !hasForeign else { return }
        for observation in observations ?? [] { record(observation, of: hosts[index].id, cause: cause, at: now) }
    }

    // MARK: - Stimuli

    /// Creates the device's notification centre when the scenario or the client first uses it.
    private mutating func openCentre(of index: Int) {
        guard hosts[index].centre == nil else { return }
        hosts[index].centre = NotificationCentre(plan.scenario.profile.client)
    }

    mutating func turnOn(_ index: Int, at now: Instant) {
        hosts[index].isOn = true
        resumePushes(index, at: now)
    }

    /// Schedules the pushes that were waiting for network or power if the device now has both network and power.
    mutating func resumePushes(_ index: Int, at now: Instant) {
        if hosts[index].isReachable { hosts[index].centre?.becameReachable(at: now) }
    }

    /// Gives the device a push token. A client that is not running receives the token when it starts.
    mutating func give(token: String, to index: Int, cause: Int, at now: Instant) {
        openCentre(of: index)
        hosts[index].centre?.token = token
        feed(.command(.token(token)), to: hosts[index].id, cause: cause, at: now)
    }

    /// Sets the notification permission. Squall's own client is notified only if this answers the app's request; it
    /// must query for later changes itself.
    mutating func permit(_ permission: PushPermission, on index: Int, cause: Int, at now: Instant) {
        openCentre(of: index)
        let isAnswer = hosts[index].centre?.permit(permission) ?? false
        guard isAnswer || hasForeign else { return }
        feed(.command(.permission(permission)), to: hosts[index].id, cause: cause, at: now)
    }

    /// Answers the notification permission prompt, and passes the answer to the client.
    mutating func answerPrompt(_ permission: PushPermission, on index: Int, cause: Int, at now: Instant) {
        let id = hosts[index].id
        let ended = hosts[index].centre?.endPrompt(with: permission) ?? []
        guard !ended.isEmpty else {
            record(.happened("client.prompt_absent", by: .injected), of: id, cause: cause, at: now)
            return
        }
        emit(ended, of: index, cause: cause, at: now)
        feed(.command(.permission(permission)), to: id, cause: cause, at: now)
    }

    /// Removes the unanswered prompt of a client whose process has ended.
    mutating func endPrompt(of index: Int, cause: Int?, at now: Instant) {
        emit(hosts[index].centre?.endPrompt(), of: index, cause: cause, at: now)
    }

    /// Handles a tap on a notification, which brings the client to the foreground. A suspended client is woken, and a
    /// client that is not running is started.
    mutating func tap(_ label: String?, on index: Int, cause: Int, at now: Instant) {
        guard let notification = takeNotification(label, of: index, cause: cause, at: now) else { return }
        let push = notification.push
        record(.happened("client.notification_tapped", key: push.message, by: .injected), of: hosts[index].id, at: now)
        let command = ClientCommand.tap(label: label, push: push)
        switch hosts[index].process {
        case .down where hasForeign:
            hosts[index].early.append(.command(command))
            launch(index, at: now)
        case .down:
            hosts[index].launchedBy = push
            launch(index, at: now)
        case .suspended, .starting, .running:
            wake(index, with: command, cause: cause, at: now)
        }
    }

    /// Handles a reply to a notification, which wakes the client and leaves it in the background.
    mutating func reply(_ command: ClientCommand, on index: Int, cause: Int, at now: Instant) {
        guard case .reply(let asked, let text, let label, _) = command,
            let notification = takeNotification(asked, of: index, cause: cause, at: now, where: \.takesReply)
        else { return }
        let command = ClientCommand.reply(to: asked, text: text, label: label, push: notification.push)
        switch hosts[index].process {
        case .down:
            record(.happened("device.background", by: .injected), of: hosts[index].id, cause: cause, at: now)
            hosts[index].isInForeground = false
            hosts[index].early += [.command(.background), .command(command)]
            launch(index, at: now)
        case .suspended, .starting, .running:
            wake(index, with: command, cause: cause, at: now)
        }
    }

    /// Wakes a suspended client, and passes it a command.
    private mutating func wake(_ index: Int, with command: ClientCommand, cause: Int, at now: Instant) {
        wake(index, at: now)
        feed(.command(command), to: hosts[index].id, cause: cause, at: now)
    }

    private mutating func takeNotification(
        _ label: String?,
        of index: Int,
        cause: Int,
        at now: Instant,
        where isFit: (PhoneNotification) -> Bool = { _ in true }
    ) -> PhoneNotification? {
        let entry = hosts[index].isOn ? hosts[index].centre?.entry(of: label) : nil
        guard let notification = entry?.notification, isFit(notification) else {
            let absent = Observation.happened("client.notification_absent", key: label, by: .injected)
            record(absent, of: hosts[index].id, cause: cause, at: now)
            return nil
        }
        emit(hosts[index].centre?.remove(notification), of: index, cause: cause, at: now)
        return notification
    }
}
