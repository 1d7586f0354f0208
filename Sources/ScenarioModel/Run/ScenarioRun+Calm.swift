import ChatWire
import FakeServer
import Faults
import ReferenceClient
import SquallCore
import TemporalLogic
import Trace

// The fault-free (calm) period at the end of a run, in which clients and server are compared.

extension ScenarioRun {
    /// Begins the fault-free (calm) period if the plan has one and the run has not failed.
    mutating func beginCalm(at now: Instant) {
        guard plan.hasCalm, !end.isInterrupted, end.abandonment == nil, case .finished = director.outcome else {
            return
        }
        // Decide the expectations now, on a copy of the monitors. The original monitors continue to check the
        // invariants.
        var judge = monitors
        let judgement = judge.finish(at: now, scriptFinished: true)
        guard judgement.hasPassed else { return }
        let digest = recorder.digest(endingAt: now)
        calm = Calm(.init(end: now, events: recorder.events.count, digest: digest, judgement: judgement))
        calmDown(at: now)
    }

    /// Compares clients and server if the time of the next comparison has come.
    mutating func compareIfDue(at now: Instant) {
        guard let isLast = calm?.isLast, let deadline = calm?.deadline, deadline <= now else { return }
        let agreed = compareClients(isLast: isLast, at: now)
        calm?.compared(agreed: agreed)
        guard agreed, calm?.isRestarted == false else { return }
        let shown = monitors.state
        restartClients(at: now)
        calm?.restarted(shown, at: now)
    }

    /// Kills and restarts each client that agrees with the server, because the state that it restores from its disk
    /// must agree as well.
    private mutating func restartClients(at now: Instant) {
        for index in hosts.indices where comparison(of: hosts[index].id).differences() != nil {
            order("kill", .kill(down: nil), of: index, nil, at: now)
            order("start", .start, of: index, nil, at: now)
        }
        settle(at: now)
    }

    /// Undoes all changes that the script has made to the network, the server and the devices.
    private mutating func calmDown(at now: Instant) {
        let cause = record(.happened(RunRegistry.calmBegan, by: .injected), of: nil, at: now)
        perform(relay.handle(.healAll, at: now), cause: cause, at: now)
        // Cut the connections that have lost or changed frames: on a connection that stays open, the protocol cannot
        // inform the client.
        let haveLostFrames =
            hasCorrupted
            || recorder.events.contains { $0.name == "network.frames" || $0.name == "server.swallowed.message" }
        let serving = server.calmDown(to: plan.scenario.profile.server, cuttingLinks: haveLostFrames, at: now)
        perform(serving, cause: cause, at: now)
        for index in hosts.indices {
            if !hosts[index].networkReachable { order("network", .network(reachable: true), of: index, cause, at: now) }
            if case .down = hosts[index].process { order("start", .start, of: index, cause, at: now) }
            wake(index, at: now)
            if hosts[index].isDiskFull { order("disk", .disk(isFull: false), of: index, cause, at: now) }
            if hosts[index].isLocked { order("unlock", .unlock, of: index, cause, at: now) }
            if !hosts[index].isInForeground { order("foreground", .foreground, of: index, cause, at: now) }
        }
        settle(at: now)
    }

    /// Performs a command on a device, and records it as if it came from the script.
    private mutating func order(_ verb: String, _ command: ClientCommand, of index: Int, _ cause: Int?, at now: Instant)
    {
        let event = record(.happened("device.\(verb)", by: .injected), of: hosts[index].id, cause: cause, at: now)
        perform(command, on: index, cause: event, at: now)
    }

    /// Compares each client with the server; returns whether all agree.
    ///
    /// A comparison is recorded only if it is decisive: if all agree, or if it is the last one.
    private mutating func compareClients(isLast: Bool, at now: Instant) -> Bool {
        let found = hosts.indices.map { index in
            hosts[index].isRunning ? comparison(of: hosts[index].id).differences() : nil
        }
        let agreed = found.allSatisfy { $0?.isEmpty ?? true }
        guard agreed || isLast else { return false }
        for (index, differences) in found.enumerated() {
            guard let differences else { continue }
            let fields: JSON = ["differences": .array(differences.map(JSON.string))]
            record(.happened(RunRegistry.compared, fields, by: .observed), of: hosts[index].id, at: now)
        }
        return agreed
    }

    /// Whether a fault has changed bytes, which the protocol cannot detect because it has no checksums.
    private var hasCorrupted: Bool {
        recorder.events.contains { event in
            event.name == "fault.began" && event.fields?["fault"] == "corrupt"
                || event.name == "network.frames" && ["corrupt", "rewrite"].contains(event.fields?["action"])
        }
    }

    /// Whether the client must still delay its messages: the server has requested a delay that is not over, or the
    /// client has used up its own rate limit.
    private func isRateLimited(_ client: ClientID) -> Bool {
        guard let now = recorder.events.last?.time else { return false }
        let own = recorder.events.filter { $0.client == client }
        let limit = plan.scenario.profile.client.flush.perMinute
        let sent = own.count { $0.name == "client.sent.send" && $0.time + .seconds(60) > now }
        if limit > 0, sent >= limit { return true }
        return own.contains { event in
            guard event.name == "server.sent.error", event.fields?["code"] == "rate_limited",
                let delay = event.fields?["retry_after"]?.intValue
            else { return false }
            return event.time + TimeSpan(nanoseconds: delay) > now
        }
    }

    /// Whether a rule of the script has prevented the server from processing a read receipt. The client cannot notice,
    /// because read receipts are not confirmed.
    private var hasRefusedReceipt: Bool {
        recorder.events.contains { $0.name == "server.action.hit" && $0.fields?["of"] == "read_receipt" }
    }

    /// Whether the client's process was killed after its disk had been full. Its last unread counts and read reports
    /// may not be on disk.
    private func mayHaveLostWrites(_ client: ClientID) -> Bool {
        guard let full = recorder.events.firstIndex(where: { $0.name == "device.disk" && $0.client == client }) else {
            return false
        }
        return recorder.events[full...].contains { $0.name == "client.killed" && $0.client == client }
    }

    private func comparison(of client: ClientID) -> Comparison {
        let recorder = recorder
        let session = ShownSession(of: client, in: recorder.events)
        // After a sign-in, a client shows only what the server has sent since then.
        let signIn = recorder.events.lastIndex { $0.name == "client.signed_in" && $0.client == client } ?? 0
        let first = recorder.events[signIn...].first { $0.name == "client.received.connected" && $0.client == client }
        let sequence = first?.fields?["last_sequence"]?.intValue ?? 0
        let truth = server.truth(for: client, since: sequence) { recorder.name(of: $0) }
        let limit = plan.scenario.profile.client.connect.maxMessageSize
        let wire = plan.scenario.profile.wire
        let knowsUser = truth.user == client.name || wire.tells(.userID, in: .connected, by: .server)
        return Comparison(
            truth: truth,
            shown: monitors.state,
            client: client,
            showsWholeTexts: limit == 0 && !hasCorrupted,
            wasCorrupted: hasCorrupted,
            isRateLimited: isRateLimited(client),
            beforeRestart: calm?.beforeRestart,
            isFirstProcess: index(of: client).map { hosts[$0].isFirstProcess } ?? false && !session.hasSignedOut,
            hasOtherDevices: hosts.contains { $0.id != client && server.user(of: $0.id) == truth.user },
            hasList: index(of: client).map { hosts[$0].hasList } ?? false && session.hasList,
            hasFailedPage: session.hasFailedPage,
            isCurrent: session.shown.contains,
            agreesOnUnread: knowsUser && !hasRefusedReceipt && wire.has(.readReceipt, by: .client)
                && (wire.has(.deleted, by: .server) || !recorder.events.contains { $0.name == "server.deleted" }),
            mayHaveLostWrites: mayHaveLostWrites(client),
            name: { recorder.name(of: $0) }
        )
    }
}

/// The values that a client has shown since its process started or its last user signed out. Earlier values are
/// obsolete.
private struct ShownSession {
    private(set) var hasSignedOut = false
    /// Whether the user has opened the list of conversations.
    private(set) var hasList = false
    /// Whether the last request for a page of messages has failed; nil if there was none.
    private var lastPageFailed: Bool?
    var hasFailedPage: Bool { lastPageFailed ?? false }
    /// The names of the observables that the client has shown, with their keys in brackets.
    private(set) var shown: Set<String> = []

    init(of client: ClientID, in events: [TraceEvent]) {
        for event in events.reversed() where event.client == client {
            switch event.name {
            case "client.signed_out": hasSignedOut = true
            case "client.started": return
            case "client.answered.messages" where lastPageFailed == nil:
                lastPageFailed = event.fields?["status"]?.intValue != 200
            case "client.request_failed.messages" where lastPageFailed == nil: lastPageFailed = true
            // A list that was opened before the sign-in does not count.
            case "client.signed_in": hasSignedOut = true
            case "user.open_list": hasList = hasList || !hasSignedOut
            default:
                guard !hasSignedOut, event.fields == nil else { break }
                shown.insert(event.key.map { "\(event.name)[\($0)]" } ?? event.name)
            }
        }
    }
}
