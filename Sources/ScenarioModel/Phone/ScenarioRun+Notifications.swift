import Adapter
import ChatWire
import ReferenceClient
import SquallCore

// Pushes to phones, and what users do with what comes of them. None of it needs the app's connection, nor the app.

extension ScenarioRun {
    /// The phone that has the token; a push for any other token is lost, as a real one is.
    mutating func deliver(_ push: Push, to token: String, label: String?, at now: Instant) {
        for index in hosts.indices where hosts[index].centre?.token == token {
            let isReachable = hosts[index].isReachable
            hosts[index].centre?.take(push, label: label, isReachable: isReachable, at: now)
            findDeadline(of: index)
        }
    }

    /// Pushes that are due reach the phone: the app hears of them where it runs, and is otherwise not asked.
    mutating func receivePushes(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        let isReachable = hosts[index].isReachable
        for push in hosts[index].centre?.arrivals(isReachable: isReachable, at: now) ?? [] {
            let fields: JSON = ["conversation": .string(push.conversation)]
            let told = Observation.happened("client.push_arrived", key: push.message, fields, by: .injected)
            let cause = record(told, of: id, at: now)
            guard hosts[index].centre?.shows(push) == true else { continue }
            let partner = hosts[index].partners[push.conversation]
            let notification = PhoneNotification(push, from: partner, plan.scenario.profile.client, plan.policy)
            switch hosts[index].process {
            case _ where hasForeign:
                // What a foreign app shows of it is for the app to say, as soon as it can; that it can be tapped is all that is
                // known here.
                _ = hosts[index].centre?.show(notification, Presentation.allCases)
                feed(.command(.push(push)), to: id, cause: cause, at: now)
            case .running: feed(.command(.push(push)), to: id, cause: cause, at: now)
            case .starting, .suspended, .down:
                show(notification, Presentation.allCases, on: index, cause: cause, at: now)
            }
        }
        findDeadline(of: index)
    }

    /// What an app wants of its phone.
    mutating func perform(_ wish: PhoneRequest, of index: Int, cause: Int?, at now: Instant) {
        switch wish {
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
        case .readPermission:
            guard let permission = hosts[index].centre?.permission else { return }
            hosts[index].pending.append(.command(.permission(permission)))
            pendingHosts.append(index)
        }
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

    // MARK: - What script and user do

    /// From the first word about notifications on, the phone has something to do with them.
    private mutating func openCentre(of index: Int) {
        guard hosts[index].centre == nil else { return }
        hosts[index].centre = NotificationCentre(plan.scenario.profile.client.device)
    }

    mutating func turnOn(_ index: Int, at now: Instant) {
        hosts[index].isOn = true
        resumePushes(index, at: now)
    }

    /// Network or power may have come back, for which pushes have waited.
    mutating func resumePushes(_ index: Int, at now: Instant) {
        if hosts[index].isReachable { hosts[index].centre?.reached(at: now) }
    }

    /// A token that comes while the app does not run is there for it when it does.
    mutating func give(token: String, to index: Int, cause: Int, at now: Instant) {
        openCentre(of: index)
        hosts[index].centre?.token = token
        feed(.command(.token(token)), to: hosts[index].id, cause: cause, at: now)
    }

    /// The app hears the answer to its own question; what is changed in the phone's settings it has to look up.
    mutating func permit(_ permission: PushPermission, on index: Int, cause: Int, at now: Instant) {
        openCentre(of: index)
        let isAnswer = hosts[index].centre?.permit(permission) ?? false
        guard isAnswer || hasForeign else { return }
        feed(.command(.permission(permission)), to: hosts[index].id, cause: cause, at: now)
    }

    /// A tap opens the app, whatever has become of it.
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
            rouse(index, with: command, cause: cause, at: now)
        }
    }

    /// An answer wakes the app, and leaves it where it is: in the background.
    mutating func reply(_ command: ClientCommand, on index: Int, cause: Int, at now: Instant) {
        guard case .reply(let asked, let text, let label, _) = command,
            let notification = takeNotification(asked, of: index, cause: cause, at: now, where: \.takesReply)
        else { return }
        let command = ClientCommand.reply(to: asked, text: text, label: label, push: notification.push)
        switch hosts[index].process {
        case .down:
            hosts[index].early += [.command(.background), .command(command)]
            launch(index, at: now)
        case .suspended, .starting, .running:
            rouse(index, with: command, cause: cause, at: now)
        }
    }

    /// Has an app that is there hear of something, also where it stands still: Squall's own, or another's.
    private mutating func rouse(_ index: Int, with command: ClientCommand, cause: Int, at now: Instant) {
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
