import ChatWire
import FakeServer
import ReferenceClient
import SquallCore

// Clients and their phones: what starts, sleeps, wakes and goes.

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
                launchedBy: hosts[index].launchedBy
            )
        )
        hosts[index].launchedBy = nil
        turnOn(index, at: now)
        hosts[index].process = .running
        hosts[index].client = client
        let cause = record(.happened("client.started", by: .injected), of: id, at: now)
        feed(.command(.start), to: id, cause: cause, at: now)
        for input in hosts[index].early { feed(input, to: id, at: now) }
        hosts[index].early.removeAll()
        emitTransfers(index, at: now)
        beginScript(at: now)
    }

    /// The script begins when every client is there.
    mutating func beginScript(at now: Instant) {
        if !director.hasBegun, !hosts.indices.contains(where: { hosts[$0].isStarting }) { director.begin(at: now) }
    }

    mutating func feed(_ input: ClientInput, to id: ClientID, cause: Int? = nil, at now: Instant) {
        guard let index = index(of: id) else { return }
        switch hosts[index].process {
        case .foreign:
            if case .command(let command) = input { notifyForeign(index, command, at: now) }
        case .running:
            guard let wanted = hosts[index].client?.handle(input, at: now) else { return }
            findDeadline(of: index)
            perform(wanted, of: index, cause: cause, at: now)
        case .suspended: hosts[index].waiting.append(input)
        case .starting, .foreignStopped: hosts[index].early.append(input)
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
        switch hosts[index].process {
        case .starting, .foreign, .foreignStopped: break
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
        record(.happened("client.woke", ["order": .string(order.rawValue)], by: .injected), of: id, at: now)
        if order == .timersFirst { fireTimers(of: index, at: now) }
        for input in waiting { feed(input, to: id, at: now) }
        emitTransfers(index, at: now)
    }

    mutating func fireTimers(of index: Int, at now: Instant) {
        while case .running = hosts[index].process, let deadline = hosts[index].client?.nextDeadline, deadline <= now {
            feed(.timer, to: hosts[index].id, at: now)
        }
    }

    mutating func launch(_ index: Int, at now: Instant) {
        if relaunchForeign(index, at: now) { return }
        hosts[index].process = .starting
        findDeadline(of: index)
        outputs.append(launching(index))
    }

    mutating func kill(_ index: Int, until: Instant?, cause: Int?, at now: Instant) {
        let isAsked = killForeign(index, at: now)
        hosts[index].process = .down(until: until)
        hosts[index].client = nil
        hosts[index].launchedBy = nil
        // What is shared lies on the phone; what else was done with an app that was starting has gone with it.
        hosts[index].early.removeAll { !$0.isShared }
        hosts[index].waiting.removeAll()
        findDeadline(of: index)
        hosts[index].pending.removeAll()
        if !isAsked { outputs.append(.kill(hosts[index].id)) }
        record(.happened("client.killed", by: .injected), of: hosts[index].id, cause: cause, at: now)
    }
}

extension ClientInput {
    /// Whether it waits on the phone for the app.
    fileprivate var isShared: Bool {
        if case .command(.share) = self { true } else { false }
    }
}
