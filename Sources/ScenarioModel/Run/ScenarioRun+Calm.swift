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
        guard plan.hasCalm, !end.isInterrupted, end.abandonReason == nil, case .finished = director.outcome else {
            return
        }
        // Decide the expectations now, on a copy of the monitors. The original monitors continue to check the
        // invariants.
        var judge = monitors
        let judgement = judge.finish(at: now, scriptFinished: true)
        guard judgement.hasPassed else { return }
        let digest = recorder.digest(endingAt: now)
        // Foreign clients are not restarted, because they may store nothing on disk.
        let before = Calm.Before(end: now, events: recorder.events.count, digest: digest, judgement: judgement)
        calm = Calm(before, restarts: !hasForeign)
        calmDown(at: now)
    }

    /// Compares clients and server if the next comparison is due.
    mutating func compareIfDue(at now: Instant) {
        guard let isLast = calm?.isLast, let deadline = calm?.deadline, deadline <= now else { return }
        let agreed = compareClients(isLast: isLast, at: now)
        calm?.compared(agreed: agreed)
        guard agreed, let calm, calm.restarts, !calm.isRestarted else { return }
        let shown = monitors.state
        restartClients(at: now)
        self.calm?.restarted(shown, at: now)
    }

    /// Kills and restarts each client that can be compared with the server, because the state that a client restores
    /// from its disk must also agree.
    private mutating func restartClients(at now: Instant) {
        for index in hosts.indices where Comparison.isPossible(hosts[index].id, in: monitors.state) {
            order("kill", .kill(down: nil), of: index, nil, at: now)
            order("start", .start, of: index, nil, at: now)
        }
        settle(at: now)
    }

    /// Undoes all changes that the script has made to the network, the server and the devices.
    private mutating func calmDown(at now: Instant) {
        let cause = record(.happened(RunRegistry.calmBegan, by: .injected), of: nil, at: now)
        perform(relay.handle(.healAll, at: now), cause: cause, at: now)
        // Cut the connections that have lost or changed frames, because the protocol cannot inform the client of a loss
        // on a connection that stays open.
        comparisonFacts.read(recorder.events)
        let hasLostFrames = comparisonFacts.hasCorrupted || comparisonFacts.hasLostFrames
        let serving = server.calmDown(to: plan.scenario.profile.server, cuttingLinks: hasLostFrames, at: now)
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
        comparisonFacts.read(recorder.events)
        findOutdatedValues(at: now)
        var found: [(index: Int, differences: [String])] = []
        for index in hosts.indices where hosts[index].isRunning {
            let outdated = hosts[index].outdated
            let comparison = comparison(of: hosts[index].id).differences()
            guard let differences = comparison.map({ $0 + outdated }) ?? (outdated.isEmpty ? nil : outdated) else {
                continue
            }
            guard differences.isEmpty || isLast else { return false }
            found.append((index, differences))
        }
        for (index, differences) in found {
            let fields: JSON = ["differences": .array(differences.map(JSON.string))]
            record(.happened(RunRegistry.compared, fields, by: .observed), of: hosts[index].id, at: now)
        }
        return found.allSatisfy(\.differences.isEmpty)
    }

    /// Limits how many clients have their displayed values compared with their state, because each comparison takes
    /// time.
    private static let inspectedClients = 4

    /// Compares what the clients show with their own state.
    mutating func findOutdatedValues(at now: Instant) {
        for index in hosts.indices.prefix(Self.inspectedClients) { hosts[index].findOutdatedValues(at: now) }
    }

    /// Returns the comparison of a client's state with the server's state.
    private func comparison(of client: ClientID) -> Comparison {
        let recorder = recorder
        let facts = comparisonFacts
        let own = facts.client(client)
        let truth = server.truth(for: client, since: own.firstSequence) { recorder.name(of: $0) }
        let settings = plan.scenario.profile.client
        let wire = plan.scenario.profile.wire
        let knowsUser = truth.user == client.name || wire.hasField(.userID, in: .connected, by: .server)
        let host = index(of: client).map { hosts[$0] }
        return Comparison(
            truth: truth,
            shown: monitors.state,
            client: client,
            showsWholeTexts: settings.connect.maxMessageSize == 0 && !facts.hasCorrupted,
            wasCorrupted: facts.hasCorrupted,
            isRateLimited: own.isRateLimited(
                perMinute: settings.flush.perMinute,
                at: recorder.events.last?.time ?? .zero
            ),
            beforeRestart: calm?.beforeRestart,
            isFirstProcess: host?.isFirstProcess ?? false && !own.hasChangedUser,
            hasList: host?.hasList ?? false && own.hasList,
            hasFailedPage: own.hasFailedPage,
            isCurrent: own.shown.contains,
            agreesOnUnread: knowsUser && !facts.hasRefusedReceipt && wire.has(.readReceipt, by: .client)
                && (wire.has(.deleted, by: .server) || !facts.hasDeletedMessages),
            learnsPresence: wire.has(.presence, by: .server),
            lostKeys: host?.lostKeys ?? [],
            hasUnannounced: facts.hasUnannounced(to: client),
            name: { recorder.name(of: $0) }
        )
    }
}
