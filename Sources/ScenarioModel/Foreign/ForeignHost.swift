import Adapter
import ChatWire
import FakeServer
import Faults
import ReferenceClient
import SquallCore
import Trace

/// The host of a foreign client (a client that is not Squall's own). It communicates with the client's adapter and
/// observes the client on the wire.
///
/// A client without an adapter is observed only on the wire, but its process starts, fails and ends like any other
/// client's.
struct ForeignHost: Sendable {
    /// An action that the host requests from the run. The run performs the actions in order.
    enum Effect: Sendable {
        case output(ForeignOutput)
        case record(Observation)
        /// Passes previously held input from the client to the relay.
        case relay(RelayInput)
        /// Marks the client as running, because it is ready.
        case run
        /// Terminates the client's process.
        case kill
        /// Ends the run for the given reason, because it cannot continue with this client.
        case abandon(String)
    }

    private let id: ClientID
    /// The path of the client's WebSocket.
    private let path: String
    /// The key that the server accepts.
    private let key: String
    private let seed: Seed
    private(set) var client: ForeignClient
    private var wire: ClientWire
    /// The content of the `init` command, which is sent when the client is ready to receive it.
    private var greeting: AdapterInit?
    private var held = HeldInput()
    /// Whether a process has been requested but has not started yet.
    private var isAwaited = false
    private var clock = ClientClock()
    /// The steps that the person at the client has been asked to perform, oldest first.
    private var requested: [ManualStep] = []
    /// The ids of the messages that the client has sent. A repeated message does not complete a manual step.
    private var sent: Set<String> = []

    init(_ id: ClientID, _ foreign: ForeignPlan, _ plan: RunPlan) {
        self.id = id
        let profile = plan.scenario.profile
        path = profile.wire.webSocketPath
        key = profile.server.auth.key
        seed = plan.seed
        client = ForeignClient(id, foreign)
        wire = ClientWire(
            profile.wire,
            standingInFor: ClientWire.substitutes.filter { !foreign.offer.shows($0) },
            reportsState: foreign.offer.shows("connection.state"),
            notingAll: plan.recordsTexts
        )
    }

    /// The next instant at which ``due(at:isStored:)`` must be called; nil if no deadline is pending.
    var nextDeadline: Instant? { wire.nextDeadline.or(sooner: client.session.nextDeadline) }

    /// The last lines that the process wrote to standard error.
    var lastErrors: [String] { client.session.lastErrors }

    // MARK: - The process

    /// Starts the client. If the adapter of a killed client is still running, it is reused.
    mutating func launch() -> [Effect] {
        if client.session.isReady { return [.run] }
        client.begin()
        clock.reset()
        isAwaited = true
        return [.output(.launch(webSocketPath: path, key: key))]
    }

    /// Handles the start of the process.
    mutating func started(_ addresses: AdapterAddresses, isReused: Bool, at now: Instant) -> [Effect] {
        isAwaited = false
        guard client.plan.hasAdapter else { return [.run] }
        let greeting = AdapterInit(
            client: id.name,
            addresses: addresses,
            key: key,
            seed: seed.value,
            clock: client.plan.clock
        )
        self.greeting = greeting
        if isReused { client.begin(isReused: true) }
        return [ask(isReused ? AdapterCommand("reset") : greeting.command, at: now)]
    }

    /// Returns the observations that clear the values reported by the previous process. The run records them when a new
    /// process starts.
    mutating func blank() -> [Observation] { client.blank() }

    /// Freezes the process.
    mutating func pause(at now: Instant) -> [Effect] {
        client.session.pause(at: now)
        return [.output(.pause)]
    }

    /// Resumes a frozen process.
    mutating func resume(at now: Instant) -> [Effect] {
        client.session.resume(at: now)
        return [.output(.resume)] + advance(to: now)
    }

    /// Releases all held input, so that it reaches the relay before the client ends. The answers that the input was
    /// waiting for will never arrive.
    mutating func releaseAll() -> [Effect] {
        client.abandonPendingSends()
        return held.releaseAll().map(Effect.relay)
    }

    /// Ends the client, either by sending a command to its adapter, which keeps running, or by terminating its process.
    mutating func kill(isRunning: Bool, at now: Instant) -> [Effect] {
        let seen = recorded(wire.killed())
        guard isRunning, client.offer.takes("kill") else {
            client.session.end()
            return seen + [.kill]
        }
        client.forget()
        clock.reset()
        return seen + [ask(AdapterCommand("kill"), at: now)]
    }

    private mutating func ask(_ command: AdapterCommand, at now: Instant) -> Effect {
        clock.disturb()
        return .output(.write(client.session.ask(command, at: now)))
    }

    // MARK: - The client's clock

    /// Returns the state of the client's clock.
    ///
    /// While the client is behind, the run's deadlines must wait, but the deadline for the client's answer still
    /// applies.
    func clocks(at now: Instant) -> ClientClocks {
        guard client.plan.clock == .virtual else { return .real }
        let session = client.session
        if session.nextDeadline.map({ $0 <= now }) ?? false { return .unknown }
        if isAwaited || session.isStartingOrEnding {
            return .behind("\(id) is starting or ending", holdsDeadlines: true)
        }
        guard session.isReady, !session.isPaused else { return .idle(next: nil) }
        if clock.isAsked {
            return .behind(
                "\(id) has not answered \(AdapterCommand.advance)",
                holdsDeadlines: clock.isAsked(at: now)
            )
        }
        guard let next = clock.idle else { return .unknown }
        return .idle(next: next)
    }

    /// Sends the run's time to the client, unless the client is already waiting at that time.
    mutating func advance(to now: Instant) -> [Effect] {
        guard client.plan.clock == .virtual, client.session.isReady, !client.session.isPaused,
            clock.needsAdvance(at: now)
        else { return [] }
        defer { clock.asked(at: now) }
        return [ask(.advance(to: now), at: now)]
    }

    /// Updates the state of the client's clock after the client has sent something.
    ///
    /// - Throws: ``AdapterFailure/Kind`` if the client's timers keep the run's clock from advancing.
    private mutating func noteClock(_ signals: [AdapterSignal]) throws(AdapterFailure.Kind) {
        for signal in signals {
            if case .done(let command, let completion) = signal, command.type == AdapterCommand.advance {
                try clock.answered(next: completion.nextTimer)
            } else {
                clock.disturb()
            }
        }
    }

    // MARK: - The adapter

    /// Sends a script command to the adapter. Ignores other inputs, which only Squall's own client handles.
    mutating func handle(_ input: ClientInput, at now: Instant) -> [Effect] {
        if case .command(let command) = input, client.plan.home == .attended, let step = ManualStep(command) {
            if step.isDone(in: wire.linkState) { return [.record(step.record())] }
            requested.append(step)
            return [.output(.request(step.request))]
        }
        guard case .command(let command) = input, let line = client.emit(command, at: now) else { return [] }
        clock.disturb()
        return [.output(.write(line))]
    }

    /// Handles the output or exit of the process. `isStored` returns whether the server has stored the message with the
    /// given id.
    mutating func take(_ input: ForeignInput, at now: Instant, isStored: (String) -> Bool) -> [Effect] {
        switch input {
        // While a new process is starting, ignore output from the killed process, which may not be read until after the
        // new launch.
        case .output, .errors, .outputClosed, .exited:
            if isAwaited { return [] }
        case .started, .couldNotStart, .gone, .exhausted: break
        }
        switch input {
        case .couldNotStart(let reason): return take(client.session.couldNotStart(reason), at: now, isStored)
        case .exited(let end): return take(client.session.exited(end), at: now, isStored)
        case .gone(let kind): return take(client.session.gone(kind), at: now, isStored)
        case .errors(let bytes): client.session.receiveErrors(bytes)
        // Standard output is read only if an adapter writes to it.
        case .output(let bytes) where client.plan.hasAdapter:
            return take(client.session.receive(bytes, at: now), at: now, isStored)
        case .outputClosed where client.plan.hasAdapter: client.session.outputClosed(at: now)
        case .started, .output, .outputClosed, .exhausted: break
        }
        return []
    }

    /// Handles the deadlines that have passed.
    mutating func due(at now: Instant, isStored: (String) -> Bool) -> [Effect] {
        if let due = wire.nextDeadline, due <= now { return recorded(wire.due(at: now)) }
        return take(client.session.timer(at: now), at: now, isStored)
    }

    /// Reports the client as failed if it has closed its standard output, without waiting any longer for it to exit.
    mutating func failIfOutputClosed(at now: Instant, isStored: (String) -> Bool) -> [Effect] {
        guard client.session.hasClosedOutput else { return [] }
        return take([client.session.fail(.closedOutput)], at: now, isStored)
    }

    private mutating func take(_ signals: [AdapterSignal], at now: Instant, _ isStored: (String) -> Bool) -> [Effect] {
        var signals = signals
        do throws(AdapterFailure.Kind) {
            try noteClock(signals)
        } catch {
            if !client.session.isOver { signals.append(client.session.fail(error)) }
        }
        var effects: [Effect] = []
        for step in client.take(signals, isStored: isStored) {
            switch step {
            case .reset: if let greeting { effects.append(ask(greeting.command, at: now)) }
            case .ready:
                if client.offer.takes("reset") { effects.append(.output(.reusable(true))) }
                effects += advance(to: now) + [.run]
            case .observe(let observation):
                effects.append(.record(observation))
                if observation.name == "connection.state", case .set(.string(let state)) = observation.change {
                    effects += wire.reported(state).map(Effect.record)
                }
            case .closeInput: effects.append(.output(.closeInput))
            case .failed(let failure):
                let text = failure.description
                effects += [
                    .output(.reusable(false)),
                    .record(.happened("client.crashed", ["reason": .string(text)], by: .reported)),
                    .abandon(id == .only ? text : "\(id): \(text)"),
                ]
            }
        }
        return effects + release(at: now)
    }

    // MARK: - The wire

    /// The actions to perform for network input from the client.
    struct Watched {
        var effects: [Effect]
        /// Whether the input is held back and reaches the relay later.
        var isHeldBack = false
    }

    /// Parses network input from the client.
    ///
    /// A message may reach the server before the answer to `send` that contains the message's id, or before the
    /// client's report of the action that caused the message. Such input is held back until the answer or report
    /// arrives, together with all later input.
    mutating func watch(_ input: RelayInput, at now: Instant) -> Watched {
        clock.disturb()
        switch input {
        case .accepted(let link): return Watched(effects: recorded(wire.accepted(link, at: now)))
        case .received(let link, .client, let bytes):
            if holdsBack(input) { return Watched(effects: sync(at: now), isHeldBack: true) }
            return Watched(effects: recorded(wire.upstream(bytes, on: link, at: now)))
        case .ended(let link, .client, let how):
            if holdsBack(input) { return Watched(effects: sync(at: now), isHeldBack: true) }
            return Watched(effects: recorded(wire.ended(link, how, at: now)))
        default: return Watched(effects: [])
        }
    }

    /// Observes output that is sent to the client.
    mutating func watch(_ output: RelayOutput, at now: Instant) -> [Effect] {
        clock.disturb()
        switch output {
        case .write(let link, .client, let bytes): return recorded(wire.downstream(bytes, on: link, at: now))
        case .end(let link, .client, let how): wire.endedByPeer(link, how, at: now)
        case .readMode(let link, .client, let mode): if mode != .none { wire.stoppedReading(link) }
        case .acceptMode(_, let mode): if mode != .open { wire.becameUnobservable() }
        default: break
        }
        return []
    }

    /// Records observations of the client's traffic, each preceded by the manual step that it completes, if any.
    private mutating func recorded(_ observations: [Observation]) -> [Effect] {
        guard client.plan.home == .attended else { return observations.map(Effect.record) }
        return observations.flatMap { observation -> [Effect] in
            let isRepeated =
                observation.name == ManualStep.sent && observation.key.map { !sent.insert($0).inserted } ?? false
            guard !isRepeated, let index = requested.firstIndex(where: { $0.isShown(by: observation) }) else {
                return [.record(observation)]
            }
            return [.record(requested.remove(at: index).record(messageID: observation.key)), .record(observation)]
        }
    }

    private mutating func holdsBack(_ input: RelayInput) -> Bool {
        if held.passes() { return false }
        guard !client.session.isOver, client.hasPendingSend || client.canSync || !held.isEmpty else { return false }
        held.hold(input)
        return true
    }

    /// Sends a `sync` if any held input is not yet covered by one.
    private mutating func sync(at now: Instant) -> [Effect] {
        guard held.needsSync, !client.isSyncing, let line = client.emitSync(at: now) else { return [] }
        clock.disturb()
        held.syncBegan()
        return [.output(.write(line))]
    }

    /// Releases the held input that no longer needs to wait.
    private mutating func release(at now: Instant) -> [Effect] {
        if !client.isSyncing { held.syncEnded() }
        guard !client.hasPendingSend else { return [] }
        let canSync = client.canSync && !client.session.isOver
        let released = canSync ? held.releaseSynced() : held.releaseAll()
        return released.map(Effect.relay) + sync(at: now)
    }
}

extension RelayInput {
    /// The client that caused this input; nil if the server or Squall caused it.
    var client: ClientID? {
        switch self {
        case .accepted(let link), .received(let link, .client, _), .ended(let link, .client, _): link.client
        default: nil
        }
    }
}

extension RelayOutput {
    /// The client that this output concerns; nil for output to the server.
    var client: ClientID? {
        switch self {
        case .write(let link, .client, _), .end(let link, .client, _), .readMode(let link, .client, _): link.client
        case .acceptMode(let client, _): client
        default: nil
        }
    }
}
