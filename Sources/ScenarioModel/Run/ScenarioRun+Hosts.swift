import ChatWire
import FakeServer
import ReferenceClient
import SquallCore

// The lifecycle of the clients' processes: launch, start, suspension, waking and termination.

extension ScenarioRun {
    mutating func findDeadline(of index: Int) {
        hostDeadlines.set(index, to: hosts[index].nextDeadline)
    }

    mutating func launched(_ id: ClientID, _ store: StoreImage, at now: Instant) {
        guard let index = index(of: id), case .starting = hosts[index].process else { return }
        let profile = plan.scenario.profile
        let client = Client(
            id: id,
            profile: profile.client,
            policy: plan.policy,
            wire: profile.wire,
            key: profile.server.auth.key,
            seed: plan.seed,
            store: store,
            phone: Phone(
                hasNetwork: hosts[index].networkReachable,
                transfers: hosts[index].transfers?.names ?? [],
                token: hosts[index].centre?.token,
                permission: hosts[index].centre?.permission,
                launchedBy: hosts[index].launchedBy,
                isLocked: hosts[index].isLocked,
                areKeysLocked: hosts[index].areKeysLocked
            )
        )
        hosts[index].launchedBy = nil
        hosts[index].install(client)
        run(index, at: now)
    }

    /// Starts a host's client, which is now ready, and then passes it the commands that were issued earlier.
    mutating func run(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        hosts[index].process = .running
        turnOn(index, at: now)
        let cause = record(.happened("client.started", by: .injected), of: id, at: now)
        for observation in hosts[index].withForeign({ $0.blank() }) ?? [] { record(observation, of: id, at: now) }
        feed(.command(.start), to: id, cause: cause, at: now)
        let early = hosts[index].early
        hosts[index].early.removeAll()
        for input in early { feed(input, to: id, at: now) }
        emitTransfers(index, at: now)
        beginScript(at: now)
    }

    /// Starts the script once every client is ready.
    mutating func beginScript(at now: Instant) {
        if !director.hasBegun, !hosts.indices.contains(where: { hosts[$0].isStarting }) { director.begin(at: now) }
    }

    mutating func feed(_ input: ClientInput, to id: ClientID, cause: Int? = nil, at now: Instant) {
        guard let index = index(of: id) else { return }
        switch hosts[index].process {
        case .running:
            let reaction = hosts[index].handle(input, at: now)
            findDeadline(of: index)
            switch reaction {
            case .reference(let wanted)?: perform(wanted, of: index, cause: cause, at: now)
            case .foreign(let effects)?: perform(effects, of: index, at: now)
            case nil: break
            }
        case .suspended: hosts[index].waiting.append(input)
        case .starting: hosts[index].early.append(input)
        case .down: break
        }
    }

    mutating func hostDue(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        defer { findDeadline(of: index) }
        if foreignDue(index, at: now) { return }
        if let due = hosts[index].transfers?.nextDeadline, due <= now {
            serve(id, at: now) { $0.timer(hasNetwork: $1, at: now) }
            return
        }
        if let due = hosts[index].centre?.nextDeadline, due <= now {
            receivePushes(index, at: now)
            return
        }
        if let due = hosts[index].sharing.nextDeadline, due <= now {
            completeShares(index, at: now)
            return
        }
        switch hosts[index].process {
        case .starting: break
        case .running: feed(.timer, to: id, at: now)
        case .suspended: wake(index, at: now)
        case .down: launch(index, at: now)
        }
    }

    mutating func wake(_ index: Int, at now: Instant) {
        guard case .suspended(_, let order) = hosts[index].process else { return }
        let id = hosts[index].id
        let waiting = hosts[index].waiting
        hosts[index].waiting.removeAll()
        hosts[index].process = .running
        stepForeign(index, at: now) { $0.resume(at: now) }
        let word = order?.rawValue ?? "unknown"
        record(.happened("client.woke", ["order": .string(word)], by: .injected), of: id, at: now)
        if order == .timersFirst { fireTimers(of: index, at: now) }
        for input in waiting { feed(input, to: id, at: now) }
        emitTransfers(index, at: now)
        findDeadline(of: index)
    }

    private mutating func fireTimers(of index: Int, at now: Instant) {
        while case .running = hosts[index].process, let deadline = hosts[index].programDeadline, deadline <= now {
            feed(.timer, to: hosts[index].id, at: now)
        }
    }

    mutating func launch(_ index: Int, at now: Instant) {
        hosts[index].process = .starting
        if hasForeign {
            stepForeign(index, at: now) { $0.launch() }
        } else {
            outputs.append(.launch(hosts[index].id))
            findDeadline(of: index)
        }
    }

    mutating func kill(_ index: Int, until: Instant?, cause: Int?, at now: Instant) {
        let id = hosts[index].id
        if hasForeign {
            let isRunning = hosts[index].isRunning
            stepForeign(index, at: now) { $0.releaseAll() }
            stepForeign(index, at: now) { $0.kill(isRunning: isRunning, at: now) }
        } else {
            hosts[index].removeClient()
            outputs.append(.kill(id))
        }
        hosts[index].process = .down(until: until)
        hosts[index].hasList = false
        hosts[index].isFirstProcess = false
        hosts[index].launchedBy = nil
        // Keep only files that were shared with the app, because they are stored on the device. All other queued
        // commands are lost along with the process.
        hosts[index].early.removeAll { !$0.isShared }
        hosts[index].waiting.removeAll()
        hosts[index].pending.removeAll()
        findDeadline(of: index)
        record(.happened("client.killed", by: .injected), of: id, cause: cause, at: now)
        endPrompt(of: index, cause: cause, at: now)
    }
}

extension ClientInput {
    /// Whether the device stores this input until the client runs.
    fileprivate var isShared: Bool {
        if case .command(.share) = self { true } else { false }
    }
}
