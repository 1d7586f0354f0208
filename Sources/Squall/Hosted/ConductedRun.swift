import Adapter
import ChatWire
package import Live
package import ScenarioLanguage
package import ScenarioModel
package import SquallCore
import Synchronization
package import TLSLink
package import TemporalLogic
package import Trace

/// A live run, over real sockets and in real time, that a program controls: a fake server behind a faulty link, with
/// clients that the program starts itself.
package final class ConductedRun: Sendable {
    /// The addresses of the clients whose servers are listening, and the pending requests for such addresses.
    private struct Places {
        var known: [String: HostedClients.Place] = [:]
        var asked: [(number: Int, client: String)] = []
    }

    private let plan: RunPlan
    /// The invariants that cannot be evaluated for the program's clients, with the reasons.
    private let unseen: [InvariantName: String]
    private let listenAddress: LiveOptions.ListenAddress?
    private let identity: TLSIdentity?
    private let syntax: FragmentSyntax
    private let reader: Mutex<FragmentReader>
    /// The actions performed so far, as steps of a script.
    private let done = Mutex<[Step]>([])
    private let conductor: LiveConductor
    private let answers: PendingRequests<ConductorOutput>
    private let arrivals = PendingRequests<HostedClients.Place>()
    private let places = Mutex(Places())

    /// Creates a run; ``play(lateness:)`` opens its sockets.
    ///
    /// - Parameters:
    ///   - scenario: The clients, the server and the profile; its script is run as well.
    ///   - seed: The seed of all random choices.
    ///   - syntax: The syntax in which the program writes fragments of scripts, for error messages.
    ///   - recordsTexts: Whether the contents of messages that the profile does not define are recorded, if there is an
    ///     upstream server.
    ///   - listenAddress: The address at which the server listens; nil for an address chosen for the run.
    ///   - identity: The server certificates' authority and names, if the scenario uses TLS; nil to use the run's own
    ///     authority and the address at which the server listens.
    ///   - onEvents: The closure that is called with the events of each step, on the run's thread.
    /// - Throws: ``SquallError`` if the scenario is for sim only, or needs TLS in a build without it.
    package init(
        _ scenario: Scenario,
        seed: Seed,
        speaking syntax: FragmentSyntax,
        recordingTexts recordsTexts: Bool = false,
        at listenAddress: LiveOptions.ListenAddress? = nil,
        as identity: TLSIdentity? = nil,
        onEvents: (@Sendable ([TraceEvent]) -> Void)? = nil
    ) throws(SquallError) {
        if case .simOnly(let why) = scenario.worlds {
            throw .usage("'\(scenario.name)' runs in sim only, and a program can only join the live world: \(why)")
        }
        if LinkSecurity(scenario.profile.server).isAny, !TLS.isBuilt { throw .usage("\(TLSError.notBuilt)") }
        let offer = AdapterCapabilities(name: "program", supportsTLS: true)
        let client = ForeignPlan(hasAdapter: false, home: .here, offer: offer)
        var plan = RunPlan(scenario, seed: seed).judging(client, speaking: scenario.profile.wire)
        plan.isConducted = true
        plan.recordsTexts = recordsTexts
        unseen = Dictionary(
            plan.skipped.compactMap { part in part.invariant.map { ($0, part.why ?? "") } },
            uniquingKeysWith: { first, _ in first }
        )
        // Results of skipped invariants are removed, because the program's author knows that the clients report no
        // observables.
        plan.skipped = plan.skipped.filter { !$0.isInvariant }
        self.plan = plan
        self.listenAddress = listenAddress
        self.identity = identity
        self.syntax = syntax
        reader = Mutex(FragmentReader(of: scenario, speaking: syntax))
        let answers = PendingRequests<ConductorOutput>()
        self.answers = answers
        let isWatched = onEvents != nil
        conductor = LiveConductor { output in
            if case .saw(let events) = output { onEvents?(events) }
            if let number = output.number { answers.answer(number, output) }
        }
        if isWatched { conductor.emit(.watch) }
    }

    /// The actions performed so far.
    package var performed: [Stimulus] {
        done.withLock { steps in
            steps.compactMap { if case .act(let stimulus) = $0.kind { stimulus } else { nil } }
        }
    }

    package var profile: Profile { plan.scenario.profile }

    /// The names of the clients, each of which has its own addresses.
    package var clients: [String] { plan.scenario.clients.map(\.name) }

    /// Executes the run until ``end()`` is called and all pending deadlines have passed.
    ///
    /// When this returns or throws, all resources have been released and all pending requests have failed.
    ///
    /// - Parameter lateness: Returns the longest scheduling delay of the program's threads.
    /// - Returns: The result of the run.
    /// - Throws: ``SquallError`` if an address cannot be reserved or a socket cannot be created, `CancellationError` if
    ///   the task is cancelled.
    package func play(lateness: @Sendable () -> TimeSpan = { .zero }) async throws -> CaseResult {
        let clients = HostedClients { [weak self] place in
            self?.arrived(place)
            return Program()
        }
        var options = LiveOptions(pace: .wall, tolerance: Tolerance.foreign.fixed)
        options.foreign = ForeignLaunch(.hosted(clients))
        options.conductor = conductor
        options.listenAddress = listenAddress
        options.identity = identity
        let started = ContinuousClock.now
        var played: RunResult?
        do {
            try await LiveSuite(options: options, jobs: 1).play([ScenarioRun(plan)]) { _, outcome in
                played = try outcome.get()
            }
        } catch let error as LiveError {
            let failure = SquallError.failed(error.message)
            close(failure)
            throw failure
        } catch {
            close(error)
            throw error
        }
        guard let played else { throw CancellationError() }
        close(SquallError.usage(played.recording.ending.abandoned ?? "the run is over"))
        // The performed actions are added to the script, so that a fault without effect makes the result inconclusive.
        var plan = plan
        plan.scenario.script += done.withLock { $0 }
        var result = CaseResult(played, of: plan, world: .live, wall: TimeSpan(ContinuousClock.now - started))
        result.replay = "the same test, with the seed \(plan.seed.value)"
        result.markInconclusive("the threads that the client shares with the tests were", late: lateness())
        return result
    }

    /// A client that the program starts and stops itself, so the run sends it no commands.
    private struct Program: HostedClient {
        func take(_ line: [UInt8]) {}
        func end() {}
    }

    /// Fails all pending and future requests.
    private func close(_ failure: any Error) {
        answers.close(failure)
        arrivals.close(failure)
    }

    // MARK: - Requests from the program

    /// Returns the addresses of a client; suspends until its server listens.
    ///
    /// - Throws: ``SquallError`` if the scenario has no such client or the run has ended.
    package func place(of client: String) async throws -> HostedClients.Place {
        guard clients.contains(client) else {
            throw SquallError.usage(
                "there is no client '\(client)'; the clients are: \(clients.joined(separator: ", "))"
            )
        }
        return try await arrivals.ask { number in
            let known = places.withLock { places in
                if places.known[client] == nil { places.asked.append((number, client)) }
                return places.known[client]
            }
            if let known { arrivals.answer(number, known) }
        }
    }

    private func arrived(_ place: HostedClients.Place) {
        let asked = places.withLock { places in
            places.known[place.client] = place
            defer { places.asked.removeAll { $0.client == place.client } }
            return places.asked.filter { $0.client == place.client }
        }
        for entry in asked { arrivals.answer(entry.number, place) }
    }

    /// Returns whether an action can be performed in a run that a program controls: any server or network action, and
    /// those device and user actions that affect only the client's network.
    package static func takes(_ actor: Actor, _ verb: String) -> Bool {
        switch actor {
        case .server, .network: true
        case .device: verb == "network" || verb == "handoff"
        case .user: verb == "portal_login"
        }
    }

    /// Rejects actions that cannot be performed: client actions, and server actions if the server is not Squall's own.
    private func admit(_ stimuli: [Stimulus]) throws(SquallError) {
        for stimulus in stimuli {
            guard Self.takes(stimulus.actor, stimulus.verb) else {
                throw .usage(syntax.ownClient(stimulus.verb))
            }
            if plan.upstream != nil, stimulus.actor == .server {
                throw .usage("the server is your own: do '\(stimulus.verb)' there; typed steps are for the network")
            }
        }
    }

    /// Performs the actions in a fragment of a script; returns when they have been performed.
    ///
    /// - Returns: The index of the first event after the fragment.
    /// - Throws: ``SquallError`` if the fragment is invalid or contains actions of the client itself, or if the run has
    ///   ended.
    @discardableResult
    package func perform(_ fragment: String) async throws -> Int {
        let stimuli = try read { reader throws(FragmentMistakes) in try reader.stimuli(fragment) }
        try admit(stimuli)
        let answer = try await ask { .perform($0, stimuli) }
        let place = SourceLocation(file: plan.scenario.file, line: 1, column: 1)
        done.withLock { $0 += stimuli.map { Step(.act($0), location: place) } }
        guard case .done(_, let position) = answer else { return 0 }
        return position
    }

    /// Checks that a fragment of a script is valid at this point in the run, without performing it.
    ///
    /// - Throws: ``SquallError`` with the fragment's errors.
    package func check(_ fragment: String) throws(SquallError) {
        let stimuli = try read { reader throws(FragmentMistakes) in
            // The fragment is parsed with a copy of the reader, so that the check does not define the fragment's
            // labels.
            var copy = reader
            return try copy.stimuli(fragment)
        }
        try admit(stimuli)
    }

    /// Waits until the condition in a fragment of a script is met. Returns the event that met the condition, or nil if
    /// the condition is a state that already held. If `next` is true, only an event after the call counts.
    ///
    /// - Throws: ``WaitTimeout`` after `span`; ``SquallError`` if the fragment is invalid or refers to something that
    ///   cannot be observed.
    package func wait(_ fragment: String, next: Bool, within span: TimeSpan) async throws -> TraceEvent? {
        guard span > .zero else { throw SquallError.usage("the limit of a wait must be positive, not \(span)") }
        let condition = try read { reader throws(FragmentMistakes) in
            try reader.condition(fragment, for: next ? "next" : "until")
        }
        let observability = Observability(of: plan.client.foreign, hasOwnServer: plan.upstream == nil)
        let names = Expectation(.never(condition), location: SourceLocation(file: "", line: 1, column: 1)).names
        if let unseen = names.first(where: { !observability.sees($0) }) {
            throw SquallError.usage(
                "\(observability.reasonUnobserved(to: unseen)); link.state says whether it is connected"
            )
        }
        switch try await ask({ .wait($0, ConductedWait(condition, next: next, within: span)) }) {
        case .met(_, let event): return event
        case .missed(_, let why): throw WaitTimeout(what: fragment, why: why)
        case .done, .seen, .judged, .refused, .held, .saw: return nil
        }
    }

    /// Returns the recording of the run so far.
    package func seen() async throws -> Recording? {
        if case .seen(_, let recording) = try await ask({ .show($0) }) { recording } else { nil }
    }

    /// Returns the invariants and their current verdicts; those that cannot be evaluated for these clients are skipped.
    package func invariants() async throws -> [(name: InvariantName, verdict: Verdict)] {
        guard case .judged(_, let verdicts) = try await ask({ .judge($0) }) else { return [] }
        return verdicts.map { ($0.name, unseen[$0.name].map { .skipped($0) } ?? $0.verdict) }
    }

    /// Returns whether an invariant cannot be evaluated because the program's clients do not report the observables or
    /// events that it depends on.
    package func isUnseen(_ name: InvariantName) -> Bool { unseen[name] != nil }

    /// Pauses the run (hold) or lets it continue.
    ///
    /// - Throws: ``SquallError`` if the run is already in the requested state, or has ended.
    package func perform(_ order: HoldOrder) async throws {
        if case .refused(_, let why) = try await ask({ .order($0, order) }) { throw SquallError.usage(why) }
    }

    /// Ends the run once its pending deadlines have passed.
    package func end() { conductor.emit(.end) }

    private func ask(_ input: (Int) -> ConductorInput) async throws -> ConductorOutput {
        try await answers.ask {
            conductor.emit(input($0))
        } onCancel: { [conductor] in
            conductor.emit(.cancelWait($0))
        }
    }

    private func read<Value>(
        _ body: (inout FragmentReader) throws(FragmentMistakes) -> Value
    ) throws(SquallError) -> Value {
        do throws(FragmentMistakes) {
            return try reader.withLock { reader throws(FragmentMistakes) in try body(&reader) }
        } catch {
            throw .scenarios(error.text)
        }
    }
}

extension ConductorOutput {
    /// The number of the request that this output answers; nil if the output answers no request.
    fileprivate var number: Int? {
        switch self {
        case .done(let number, _), .met(let number, _), .missed(let number, _), .seen(let number, _),
            .judged(let number, _), .refused(let number, _):
            number
        case .held, .saw: nil
        }
    }
}

/// The error thrown when a wait's condition was not met in time.
package struct WaitTimeout: Error, Hashable, Sendable {
    /// The text of the condition.
    package var what: String
    /// Why the condition was not met: the values or events that were observed instead.
    package var why: String
}
