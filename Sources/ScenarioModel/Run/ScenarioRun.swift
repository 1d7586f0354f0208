import Adapter
import ChatWire
package import FakeServer
import Faults
import ReferenceClient
package import SquallCore
import TemporalLogic
import Trace

/// One run of a case: clients, relay, server, director, recorder and monitors. A world (simulated or live) drives the
/// run and transports its bytes.
///
/// A run is a value without I/O, clock or randomness. Each input is one step: the run fires the timers that have
/// expired, handles the input, and then performs the script's reactions until none remain at that instant.
package struct ScenarioRun: Sendable {
    package let plan: RunPlan
    /// Whether the clients are foreign, that is, not Squall's own.
    let hasForeign: Bool
    var hosts: [ClientHost]
    /// The deadlines of the hosts. They are stored separately from the hosts, because the earliest one is read for
    /// every input.
    var hostDeadlines: Deadlines
    /// The hosts whose devices have responses to deliver, in order.
    var pendingHosts: [Int] = []
    var server: ChatServer
    var relay: Relay
    var director: Director
    var recorder: TraceRecorder
    var monitors: MonitorSet
    /// Handles the requests of the external program that controls the run; nil if there is no such program.
    var conductor: Conductor?
    var hold: Hold
    var outputs: [TransportOutput] = []
    private var begun = false
    private(set) var lateness = TimeSpan.zero

    package init(_ plan: RunPlan) {
        let scenario = plan.scenario
        self.plan = plan
        hasForeign = plan.client.foreign != nil
        upstream = plan.upstream
        serverWire = ServerWire(scenario.profile.wire, recordingTexts: plan.recordsTexts)
        hosts = scenario.clients.map { ClientHost($0, plan) }
        hostDeadlines = Deadlines(count: hosts.count)
        places = Dictionary(scenario.clients.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        server = ChatServer(
            profile: scenario.profile.server,
            policy: plan.serverPolicy,
            wire: scenario.profile.wire,
            seed: plan.seed
        )
        relay = Relay(
            seed: plan.seed,
            clients: scenario.clients,
            followsStreams: scenario.followsStreams,
            refusesExtensions: scenario.readsMessages,
            recordsLogins: scenario.replaysLogins,
            isSecured: scenario.profile.server.tls
        )
        director = Director(scenario, goesOn: plan.continuesAfterWaitTimeout)
        end = RunEnd(playOn: scenario.playOn)
        conductor = plan.isConducted ? Conductor(clients: scenario.clients) : nil
        hold = Hold(at: plan.holdAt, clients: scenario.clients)
        recorder = TraceRecorder()
        monitors = MonitorSet(
            scenario.expectations,
            invariants: plan.invariantSettings,
            clients: scenario.clients,
            tolerance: plan.tolerance
        )
    }

    package var clients: [ClientID] { hosts.map(\.id) }
    /// The TLS settings of this run's links.
    package var security: LinkSecurity { LinkSecurity(plan.scenario.profile.server) }
    /// The address of the user's own server, which replaces the fake server and is observed only on the wire; nil if
    /// the run uses the fake server.
    package let upstream: UpstreamAddress?
    var serverWire: ServerWire

    /// The instant at which the run next needs ``TransportInput/wake``; nil if no deadline is pending.
    // Stored once per step, like `isOver`, because a computed property could copy the whole run.
    package private(set) var nextDeadline: Instant?
    /// Whether the run is over and ignores further inputs.
    package private(set) var isOver = false
    /// Whether the run is held (frozen): its clock is stopped, no deadline passes, and it handles only requests from
    /// the external program that controls it.
    package internal(set) var isHeld = false
    var end: RunEnd
    /// The fault-free (calm) period after the script; nil until it begins.
    var calm: Calm?
    /// The facts for the comparisons in the fault-free period.
    var comparisonFacts = ComparisonFacts()

    /// The instant by which both the script and the external control of the run had ended; nil until then.
    var scriptEnd: Instant? {
        guard let conductor else { return director.end }
        guard let end = director.end, let other = conductor.end else { return nil }
        return max(end, other)
    }

    private mutating func findEnd(at now: Instant) {
        if plan.endsAtViolation, monitors.hasViolation {
            end.stop()
            isOver = true
            return
        }
        findScriptsEnd(at: now)
        guard end.isOver else { return }
        if calm == nil { beginCalm(at: now) }
        compareIfDue(at: now)
        isOver = calm?.isOver ?? true
    }

    private mutating func findScriptsEnd(at now: Instant) {
        guard !end.isOver, let scriptEnd else { return }
        monitors.scriptEnded(at: scriptEnd)
        // An expectation that refers to a fault remains open until the fault's planned end.
        let faults = relay.hasEnds ? monitors.awaitedFaults : []
        end.update(
            RunEnd.Inputs(
                scriptEnd: scriptEnd,
                isStuck: director.isStuck,
                requiredRunEnd: monitors.requiredRunEnd,
                faultEnd: faults.compactMap { relay.end(of: $0.label) }.max()
            )
        )
        end.advance(to: now)
    }

    /// The indices of the clients in ``hosts``.
    private let places: [ClientID: Int]

    func index(of id: ClientID) -> Int? { places[id] }

    // MARK: - One step

    /// Handles one input from the world. Returns the actions that the world must perform, in order.
    package mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] {
        outputs.removeAll(keepingCapacity: true)
        guard !isOver else { return [] }
        if isHeld {
            handleHeld(input, at: now)
        } else {
            take(input, at: now)
            endStep(at: now)
        }
        return outputs
    }

    /// Fires the expired timers and then handles an input. If a timer holds (freezes) the run, the input is queued.
    mutating func take(_ input: TransportInput, at now: Instant) {
        if begun, !isAhead(at: now) { fireDue(at: now) }
        guard !isHeld else { return hold.waiting.append(input) }
        switch input {
        case .ready: begin(at: now)
        case .launched(let id, let store): launched(id, store, at: now)
        case .client(let id, let input):
            if !takeTransfer(input, of: id, at: now) { feed(input, to: id, at: now) }
        case .relay(let input): take(input, at: now)
        case .foreign(let id, let input): takeForeign(id, input, at: now)
        case .server(let input): perform(server.handle(input, at: now), at: now)
        case .conducted(let input): conduct(input, at: now)
        case .wake: break
        }
        settle(at: now)
    }

    /// Decides after a step whether the run is over, and if not, when it must be woken next.
    mutating func endStep(at now: Instant) {
        if !isHeld { findEnd(at: now) }
        findNextDeadline()
    }

    private mutating func findNextDeadline() {
        guard !isHeld else { return nextDeadline = nil }
        let earliest = (calm == nil ? director.nextDeadline : nil).or(sooner: server.nextDeadline).or(
            sooner: relay.nextDeadline
        )
        .or(sooner: calm == nil ? end.deadline : calm?.deadline).or(sooner: hostDeadlines.first.time).or(
            sooner: conductor?.nextDeadline
        ).or(sooner: hold.nextDue)
        nextDeadline = earliest == .never ? nil : earliest
    }

    private mutating func begin(at now: Instant) {
        begun = true
        if upstream == nil { record(.happened("server.started", by: .observed), of: nil, at: now) }
        for index in hosts.indices { launch(index, at: now) }
    }

    /// The maximum number of timers that one step fires. The limit ends a livelock in which a state machine keeps
    /// setting timers in the past.
    private static let maximumSimultaneousTimers = 100_000

    /// Fires all deadlines that have passed, earliest first. Equal deadlines fire in the order network, server,
    /// clients, script.
    private mutating func fireDue(at now: Instant) {
        var fired = 0
        while !isOver, !isHeld {
            fired += 1
            guard fired < Self.maximumSimultaneousTimers else {
                abandon("more than \(Self.maximumSimultaneousTimers) timers fell due at once", at: now)
                return
            }
            guard let due = earliestDue(at: now) else { break }
            switch due {
            case .relay: perform(relay.handle(.timer, at: now), at: now)
            case .server: perform(server.handle(.timer, at: now), at: now)
            case .host(let index): hostDue(index, at: now)
            case .hold: hold.advance(to: now)
            case .director: director.advance(to: now)
            }
            settle(at: now)
        }
        if !isHeld { monitors.advance(to: now) }
    }

    /// The components of a run that have deadlines.
    private enum Timed {
        case relay, server, host(Int), hold, director
    }

    // This method is mutating although it changes nothing, because a nonmutating method could be called on a copy of
    // the whole run.
    private mutating func earliestDue(at now: Instant) -> Timed? {
        var due: Timed?
        var earliest = Instant.never
        func consider(_ deadline: Instant?, _ timed: Timed) {
            guard let deadline, deadline <= now, deadline < earliest else { return }
            (due, earliest) = (timed, deadline)
        }
        consider(relay.nextDeadline, .relay)
        consider(server.nextDeadline, .server)
        consider(hostDeadlines.first.time, .host(hostDeadlines.first.index))
        consider(hold.nextDue, .hold)
        if calm == nil { consider(director.nextDeadline, .director) }
        return due
    }

    /// Performs the reactions of the devices and the script to the current step, until none remain.
    mutating func settle(at now: Instant) {
        while true {
            if let index = pendingHosts.first {
                if hosts[index].pending.isEmpty {
                    pendingHosts.removeFirst()
                    continue
                }
                let input = hosts[index].pending.removeFirst()
                feed(input, to: hosts[index].id, at: now)
                continue
            }
            holdIfDue(at: now)
            guard !isHeld, calm == nil, let next = director.nextDue() else { return notifyConductor(at: now) }
            if plan.hasCalm { findOutdatedValues(at: now) }
            perform(next.stimulus, cause: next.cause, at: now)
        }
    }

    // MARK: - Recording

    /// Returns the id of the message with the given label, or the label itself if no message has it.
    func id(of label: String, for client: ClientID) -> String { recorder.id(of: label, for: client) ?? label }

    @discardableResult
    mutating func record(
        _ observation: consuming Observation,
        of client: ClientID?,
        cause: Int? = nil,
        at now: Instant
    ) -> Int {
        let event = recorder.next(observation, client: client, at: now, cause: cause)
        let route = monitors.observe(event)
        if calm == nil { director.observe(event, route, state: monitors.state) }
        if hold.isPending { hold.observe(event, route, state: monitors.state) }
        conductor?.observe(event)
        let index = event.index
        recorder.append(event)
        return index
    }

    mutating func perform(_ wanted: [ServerOutput], cause: Int? = nil, at now: Instant) {
        var cause = cause
        for output in wanted {
            switch output {
            case .observe(let observation, let client):
                let index = record(observation, of: client, cause: cause, at: now)
                cause = cause ?? index
            case .listen(let listens):
                outputs.append(.server(output))
                perform(relay.handle(.upstreamListening(listens), at: now), cause: cause, at: now)
            case .push(let payload, let token, let label):
                deliver(payload, to: token, label: label, at: now)
            case .write, .end:
                outputs.append(.server(output))
            }
        }
    }

    mutating func perform(_ wanted: [RelayOutput], cause: Int? = nil, at now: Instant) {
        var cause = cause
        for output in wanted {
            guard case .observe(let observation, let client) = output else {
                outputs.append(.relay(output))
                if upstream != nil { watchServer(output, at: now) }
                if hasForeign { watch(output, at: now) }
                continue
            }
            let index = record(observation, of: client, cause: cause, at: now)
            cause = cause ?? index
        }
    }

    mutating func perform(_ wanted: [ClientOutput], of index: Int, cause: Int?, at now: Instant) {
        let id = hosts[index].id
        var cause = cause
        for output in wanted {
            switch output {
            case .observe(let observation):
                let event = record(observation, of: id, cause: cause, at: now)
                cause = cause ?? event
            case .connect(let connection) where !hosts[index].networkReachable:
                hosts[index].pending.append(.connectFailed(connection, .unreachable))
                pendingHosts.append(index)
            case .request(let exchange, _) where !hosts[index].networkReachable:
                hosts[index].pending.append(.requestFailed(exchange, .unreachable))
                pendingHosts.append(index)
            case .persist(let number, let writes) where hosts[index].isDiskFull:
                hosts[index].refusedKeys.formUnion(writes.map(\.key))
                hosts[index].pending.append(.persistFailed(number))
                pendingHosts.append(index)
            case .persist:
                // Together with its next changes, the client retries all writes that failed because the disk was full.
                hosts[index].refusedKeys = []
                outputs.append(.client(id, output))
            case .transfer(let name, let requests):
                beginTransfer(name, requests, of: index, at: now)
            case .phone(let request):
                perform(request, of: index, cause: cause, at: now)
            case .crashed(let reason):
                let crash = Observation.happened("client.crashed", ["reason": .string(reason)], by: .reported)
                record(crash, of: id, cause: cause, at: now)
                kill(index, until: nil, cause: cause, at: now)
                return
            default:
                outputs.append(.client(id, output))
            }
        }
    }

    /// Handles an input from the network. Input from a foreign client may have to wait for the client's answer to a
    /// `send`.
    mutating func take(_ input: RelayInput, at now: Instant) {
        if hasForeign, watch(input, at: now) { return }
        if upstream != nil { watchServer(input, at: now) }
        perform(relay.handle(input, at: now), at: now)
    }

    // MARK: - End of the run

    /// Records how late a timer of a live run fired in real time. Only the maximum is kept.
    package mutating func noteLateness(_ late: TimeSpan) {
        lateness = max(lateness, late)
    }

    /// Ends the run at the user's request.
    package mutating func interrupt() {
        end.interrupt()
        isOver = true
    }

    /// Ends the run for a reason other than an expectation, such as a livelock.
    package mutating func abandon(_ reason: String, at now: Instant) {
        end.abandon(reason)
        isOver = true
    }
}
