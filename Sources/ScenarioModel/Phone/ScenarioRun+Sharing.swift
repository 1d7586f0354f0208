import ChatWire
import FakeServer
import ReferenceClient
import SquallCore

// The share extension of a device, and the container through which it passes messages to the client.

extension ScenarioRun {
    /// Starts the share extension with a message, whether or not the client is running.
    mutating func share(_ draft: SharedDraft, label: String?, on index: Int, cause: Int, at now: Instant) {
        let id = hosts[index].id
        let user = hosts[index].centre.map { $0.user(initially: id.name) } ?? id.name
        guard hosts[index].isOn, let user else {
            let fields: JSON = ["conversation": .string(draft.conversation)]
            record(.happened("client.extension.refused", fields, by: .injected), of: id, cause: cause, at: now)
            return
        }
        let profile = plan.scenario.profile
        let process = ShareExtension(
            draft,
            label: label,
            number: hosts[index].sharing.launches,
            id: id,
            user: user,
            key: profile.server.auth.key,
            profile: profile.client,
            policy: plan.policy,
            wire: profile.wire,
            seed: plan.seed,
            at: now
        )
        hosts[index].sharing.begin(process)
        findDeadline(of: index)
        var fields: JSON = ["conversation": .string(draft.conversation)]
        if let label { fields.set("label", to: .string(label)) }
        let key = process.message.key
        record(.happened("client.extension.began", key: key, fields, by: .injected), of: id, cause: cause, at: now)
    }

    /// Completes the share extension's writes that are due. A running client is notified of each message.
    mutating func completeShares(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        for output in hosts[index].sharing.timer(at: now) {
            switch output {
            case .wroteFile: break
            case .wroteMessage(let message):
                record(.happened("client.extension.saved", key: message.key, by: .injected), of: id, at: now)
                recordWaitingShares(of: index, at: now)
                feed(.sharedChanged, to: id, at: now)
            case .transfer(let name, let requests): beginTransfer(name, requests, of: index, at: now)
            }
        }
        findDeadline(of: index)
    }

    mutating func killExtensions(of index: Int, cause: Int?, at now: Instant) {
        for key in hosts[index].sharing.killExtensions() {
            let killed = Observation.happened("client.extension.killed", key: key, by: .injected)
            record(killed, of: hosts[index].id, cause: cause, at: now)
        }
        findDeadline(of: index)
    }

    /// Notifies the client of any messages in the container.
    mutating func reportShares(to index: Int) {
        let contents = hosts[index].sharing.contents
        guard !contents.isEmpty else { return }
        hosts[index].pending.append(.shared(contents))
        pendingHosts.append(index)
    }

    mutating func removeShare(_ key: String, of index: Int, at now: Instant) {
        if hosts[index].sharing.remove(key) { recordWaitingShares(of: index, at: now) }
    }

    private mutating func recordWaitingShares(of index: Int, at now: Instant) {
        let count = Int64(hosts[index].sharing.count)
        record(.set("shared.waiting", to: .integer(count)), of: hosts[index].id, at: now)
    }
}
