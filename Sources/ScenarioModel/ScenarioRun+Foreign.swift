import Adapter
import ChatWire
import FakeServer
import Faults
import SquallCore
import TemporalLogic
import Trace

/// Clients that Squall does not drive itself: a process behind an adapter, or somebody's that is only seen on the wire.
extension ScenarioRun {
    /// What starts a client, of whichever kind.
    func launching(_ index: Int) -> TransportOutput {
        let (id, profile) = (hosts[index].id, plan.scenario.profile)
        guard hasForeign else { return .launch(id) }
        return .foreign(id, .launch(webSocketPath: profile.wire.webSocketPath, key: profile.server.auth.key))
    }

    // MARK: - From the process

    mutating func foreign(_ id: ClientID, _ input: ForeignInput, at now: Instant) {
        guard let index = index(of: id), hosts[index].foreign != nil else { return }
        let signals: [AdapterSignal]?
        switch input {
        case .started(let addresses, let isReused):
            started(index, addresses, isReused: isReused, at: now)
            signals = nil
        case .couldNotStart(let reason): signals = hosts[index].foreign?.session.couldNotStart(reason)
        case .output(let bytes):
            signals =
                plan.client.foreign?.hasAdapter == true
                ? hosts[index].foreign?.session.receive(bytes, at: now) : nil
        case .errors(let bytes):
            hosts[index].foreign?.session.receiveErrors(bytes)
            signals = nil
        case .outputClosed:
            if plan.client.foreign?.hasAdapter == true { hosts[index].foreign?.session.outputClosed(at: now) }
            signals = nil
        case .exited(let end): signals = hosts[index].foreign?.session.exited(end)
        case .gone(let kind): signals = hosts[index].foreign?.session.gone(kind)
        case .exhausted(let connections, let descriptors):
            let whose = id == .only ? "the client" : "\(id)"
            let reason =
                "\(whose) has \(connections) connections open, and Squall, which may have \(descriptors) descriptors (ulimit -n), "
                + "cannot take another"
            return abandon(reason, at: now)
        }
        if let signals { take(signals, of: index, at: now) }
        findDeadline(of: index)
    }

    private mutating func started(_ index: Int, _ addresses: AdapterAddresses, isReused: Bool, at now: Instant) {
        guard hosts[index].isStarting, let foreign = hosts[index].foreign else { return }
        guard foreign.plan.hasAdapter else { return run(index, at: now) }
        let greeting = AdapterInit(
            client: hosts[index].id.name,
            addresses: addresses,
            key: plan.scenario.profile.server.auth.key,
            seed: plan.seed.value
        )
        hosts[index].foreign?.greeting = greeting
        if isReused { hosts[index].foreign?.begin(isReused: true) }
        ask(index, isReused ? AdapterCommand("reset") : greeting.command, at: now)
    }

    private mutating func ask(_ index: Int, _ command: AdapterCommand, at now: Instant) {
        let line = hosts[index].foreign?.session.ask(command, at: now)
        if let line { outputs.append(.foreign(hosts[index].id, .write(line))) }
    }

    /// The process is there and listens: it begins, and what was done meanwhile follows.
    private mutating func run(_ index: Int, at now: Instant) {
        let id = hosts[index].id
        hosts[index].process = .foreign
        turnOn(index, at: now)
        record(.happened("client.started", by: .injected), of: id, at: now)
        for observation in hosts[index].foreign?.blank() ?? [] { record(observation, of: id, at: now) }
        notifyForeign(index, .start, at: now)
        let early = hosts[index].early
        hosts[index].early.removeAll()
        for input in early { feed(input, to: id, at: now) }
        beginScript(at: now)
    }

    private mutating func take(_ signals: [AdapterSignal], of index: Int, at now: Instant) {
        let id = hosts[index].id
        let (server, serverWire) = (server, serverWire)
        let steps = hosts[index].foreign?.take(signals) { server.hasStored($0) || serverWire.hasStored($0) }
        for step in steps ?? [] {
            switch step {
            case .reset: if let greeting = hosts[index].foreign?.greeting { ask(index, greeting.command, at: now) }
            case .ready:
                if hosts[index].foreign?.offer.takes("reset") == true { outputs.append(.foreign(id, .reusable(true))) }
                run(index, at: now)
            case .observe(let observation):
                record(observation, of: id, at: now)
                if observation.name == "connection.state", case .set(.string(let state)) = observation.change {
                    emit(hosts[index].wire?.reported(state), index, at: now)
                }
            case .closeInput:
                outputs.append(.foreign(id, .closeInput))
                // The answer that they waited for does not come, and the client's own farewell may be among them.
                let written = hosts[index].heldBack
                hosts[index].heldBack.removeAll()
                for input in written { take(input, at: now) }
            case .failed(let failure):
                let text = failure.description
                outputs.append(.foreign(id, .reusable(false)))
                record(.happened("client.crashed", ["reason": .string(text)], by: .reported), of: id, at: now)
                abandon(id == .only ? text : "\(id): \(text)", at: now)
            }
        }
        releaseHeldBack(index, at: now)
    }

    /// How the script went, with what a client owes of what a `wait` has missed.
    func explained(_ script: RunEnding.Script) -> RunEnding.Script {
        guard hasForeign, case .stuck(let location, let why, let due) = script,
            case .wait(let condition, _, _)? = plan.scenario.script.first(where: { $0.location == location })?.kind
        else { return script }
        let labels = Expectation(.never(condition), location: location).keys
        let reasons = hosts.flatMap { $0.foreign?.whyUnnamed(among: labels) ?? [] }
        return .stuck(at: location, why: (reasons + [why]).joined(separator: "; "), by: due)
    }

    /// What the processes said last on standard error, for whoever asks why.
    mutating func recordLastErrors(at now: Instant) {
        for host in hosts {
            for line in host.foreign?.session.lastErrors ?? [] {
                record(
                    .happened("client.log", ["text": .string("stderr: \(line)")], by: .reported),
                    of: host.id,
                    at: now
                )
            }
        }
    }

    // MARK: - To the process

    mutating func notifyForeign(_ index: Int, _ command: ClientCommand, at now: Instant) {
        if let line = hosts[index].foreign?.emit(command, at: now) {
            outputs.append(.foreign(hosts[index].id, .write(line)))
        }
        findDeadline(of: index)
    }

    /// Stops the process; false where there is none that runs.
    mutating func stopForeign(_ index: Int, until: Instant, at now: Instant) -> Bool {
        guard case .foreign = hosts[index].process else { return false }
        hosts[index].process = .foreignStopped(until: until)
        hosts[index].foreign?.session.pause(at: now)
        outputs.append(.foreign(hosts[index].id, .pause))
        return true
    }

    /// Does what is due with a foreign client; false where that is nothing of its own.
    mutating func foreignDue(_ index: Int, at now: Instant) -> Bool {
        guard hosts[index].foreign != nil else { return false }
        if let due = hosts[index].wire?.nextDeadline, due <= now {
            emit(hosts[index].wire?.due(at: now), index, at: now)
            return true
        }
        if let due = hosts[index].foreign?.session.nextDeadline, due <= now {
            take(hosts[index].foreign?.session.timer(at: now) ?? [], of: index, at: now)
            return true
        }
        guard case .foreignStopped(let until) = hosts[index].process, until <= now else { return false }
        wakeForeign(index, at: now)
        return true
    }

    /// Lets a process go on that is stopped.
    mutating func wakeForeign(_ index: Int, at now: Instant) {
        guard case .foreignStopped = hosts[index].process else { return }
        let id = hosts[index].id
        hosts[index].process = .foreign
        hosts[index].foreign?.session.resume(at: now)
        outputs.append(.foreign(id, .resume))
        record(.happened("client.woke", ["order": "unknown"], by: .injected), of: id, at: now)
        let early = hosts[index].early
        hosts[index].early.removeAll()
        for input in early { feed(input, to: id, at: now) }
        findDeadline(of: index)
    }

    /// Ends the client: true where its own adapter does, so that the process is not touched.
    mutating func killForeign(_ index: Int, at now: Instant) -> Bool {
        guard let foreign = hosts[index].foreign else { return false }
        // What it had written has left it.
        let written = hosts[index].heldBack
        hosts[index].heldBack.removeAll()
        for input in written { take(input, at: now) }
        hosts[index].early.removeAll()
        emit(hosts[index].wire?.killed(), index, at: now)
        if case .foreign = hosts[index].process, foreign.offer.takes("kill") {
            hosts[index].foreign?.forget()
            ask(index, AdapterCommand("kill"), at: now)
            return true
        }
        hosts[index].foreign?.session.end()
        return false
    }

    /// Starts a client again whose adapter outlives it; false where a process has to be started.
    mutating func relaunchForeign(_ index: Int, at now: Instant) -> Bool {
        guard hosts[index].foreign != nil else { return false }
        if hosts[index].foreign?.session.isReady == true {
            run(index, at: now)
            return true
        }
        hosts[index].foreign?.begin()
        return false
    }

    // MARK: - On the wire

    /// Reads along what comes from the network; true where it has to wait for the answer to a send.
    mutating func watch(_ input: RelayInput, at now: Instant) -> Bool {
        switch input {
        case .accepted(let link):
            guard let index = index(of: link.client) else { return false }
            emit(hosts[index].wire?.accepted(link, at: now), index, at: now)
        case .received(let link, .client, let bytes):
            guard let index = index(of: link.client) else { return false }
            if holdsBack(index, input) { return true }
            emit(hosts[index].wire?.upstream(bytes, on: link, at: now), index, at: now)
        case .ended(let link, .client, let how):
            guard let index = index(of: link.client) else { return false }
            if holdsBack(index, input) { return true }
            emit(hosts[index].wire?.ended(link, how, at: now), index, at: now)
        default: break
        }
        return false
    }

    /// Reads along what goes to the client.
    mutating func watch(_ output: RelayOutput, at now: Instant) {
        switch output {
        case .write(let link, .client, let bytes):
            guard let index = index(of: link.client) else { return }
            emit(hosts[index].wire?.downstream(bytes, on: link, at: now), index, at: now)
        case .end(let link, .client, let how):
            guard let index = index(of: link.client) else { return }
            hosts[index].wire?.endedFromAfar(link, how, at: now)
            findDeadline(of: index)
        case .readMode(let link, .client, let readMode):
            guard readMode != .none, let index = index(of: link.client) else { return }
            hosts[index].wire?.wentDark(link)
        case .acceptMode(let client, let acceptMode):
            if acceptMode != .open, let index = index(of: client) { hosts[index].wire?.wasHidden() }
        default: break
        }
    }

    private mutating func emit(_ observations: [Observation]?, _ index: Int, at now: Instant) {
        for observation in observations ?? [] { record(observation, of: hosts[index].id, at: now) }
    }

    /// A message may reach the server before its sender's answer has named it; it waits for that, in order.
    private mutating func holdsBack(_ index: Int, _ input: RelayInput) -> Bool {
        guard let foreign = hosts[index].foreign, !foreign.session.isOver,
            foreign.isAskedToSend || !hosts[index].heldBack.isEmpty
        else { return false }
        hosts[index].heldBack.append(input)
        return true
    }

    private mutating func releaseHeldBack(_ index: Int, at now: Instant) {
        guard !hosts[index].heldBack.isEmpty, hosts[index].foreign?.isAskedToSend == false else { return }
        let inputs = hosts[index].heldBack
        hosts[index].heldBack.removeAll()
        for input in inputs { take(input, at: now) }
    }
}
