import Adapter
import ChatWire
package import Live
package import ScenarioLanguage
package import ScenarioModel
package import SquallCore
import Synchronization
import TLSLink
import TemporalLogic
package import Trace

/// A fake server behind a faulty link that a program conducts: one live run at wall time, of clients that nobody starts.
package final class ConductedRun: Sendable {
    private struct Places {
        var known: [String: HostedClients.Place] = [:]
        var asked: [(number: Int, client: String)] = []
    }

    private let plan: RunPlan
    private let listenAddress: LiveOptions.ListenAddress?
    private let voice: FragmentSyntax
    private let reader: Mutex<FragmentReader>
    /// What was done, as steps of a script would have done it.
    private let done = Mutex<[Step]>([])
    private let conductor: LiveConductor
    private let answers: PendingRequests<ConductorOutput>
    private let arrivals = PendingRequests<HostedClients.Place>()
    private let places = Mutex(Places())

    /// Nothing stands before ``play(lateness:)``.
    ///
    /// - Parameters:
    ///   - scenario: Its clients, its server and its profile; its script plays beside.
    ///   - seed: Where all chance comes from.
    ///   - voice: How whoever conducts it is told what is wrong.
    ///   - listenAddress: Where its clients find the server; nil for an address of its own.
    ///   - onEvents: Told of what is seen, step by step, on the run's own thread.
    /// - Throws: ``SquallError`` where the scenario is for the simulated world alone, or wants TLS that is not built.
    package init(
        _ scenario: Scenario,
        seed: Seed,
        speaking voice: FragmentSyntax,
        at listenAddress: LiveOptions.ListenAddress? = nil,
        onEvents: (@Sendable ([TraceEvent]) -> Void)? = nil
    ) throws(SquallError) {
        if case .simOnly(let why) = scenario.worlds {
            throw .usage("'\(scenario.name)' is for the world sim alone, where no program can be: \(why)")
        }
        if LinkSecurity(scenario.profile.server).isAny, !TLS.isBuilt { throw .usage("\(TLSError.notBuilt)") }
        let offer = ClientOffer(name: "program", comesByTLS: true)
        let client = ForeignPlan(hasAdapter: false, home: .here, offer: offer)
        var plan = RunPlan(scenario, seed: seed).judging(client, speaking: scenario.profile.wire)
        plan.isConducted = true
        // That a program shows nothing of itself is no news to whoever wrote it.
        plan.skipped = plan.skipped.filter { !$0.isInvariant }
        self.plan = plan
        self.listenAddress = listenAddress
        self.voice = voice
        reader = Mutex(FragmentReader(of: scenario, speaking: voice))
        let answers = PendingRequests<ConductorOutput>()
        self.answers = answers
        let isWatched = onEvents != nil
        conductor = LiveConductor { output in
            if case .saw(let events) = output { onEvents?(events) }
            if let number = output.number { answers.answer(number, output) }
        }
        if isWatched { conductor.emit(.watch) }
    }

    /// The names of its clients, each of which has addresses of its own.
    package var clients: [String] { plan.scenario.clients.map(\.name) }

    /// Stands from the call on, until ``end()`` and then as long as bounds are open.
    ///
    /// - Parameter lateness: How late the program's threads were at worst.
    /// - Returns: What was seen, judged.
    /// - Throws: ``SquallError`` where an address or a socket could not be had, `CancellationError` where the task is cancelled. Whichever
    ///   way it ends, all that it took is given back, and who still waits is told.
    package func play(lateness: @Sendable () -> TimeSpan = { .zero }) async throws -> CaseResult {
        let clients = HostedClients { [weak self] place in
            self?.arrived(place)
            return Program()
        }
        var options = LiveOptions(pace: .wall, tolerance: Tolerance.foreign.fixed)
        options.foreign = ForeignLaunch(.hosted(clients))
        options.conductor = conductor
        options.listenAddress = listenAddress
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
        close(SquallError.usage(played.recording.ending.abandoned ?? "the weather is over"))
        // A fault that met nothing proves nothing, whoever began it.
        var plan = plan
        plan.scenario.script += done.withLock { $0 }
        var result = CaseResult(played, of: plan, world: .live, wall: TimeSpan(ContinuousClock.now - started))
        result.replay = "the same test, with the seed \(plan.seed.value)"
        result.excuse("the threads that the client shares with the tests were", late: lateness())
        return result
    }

    /// Somebody's own code: it starts and ends itself.
    private struct Program: HostedClient {
        func take(_ line: [UInt8]) {}
        func end() {}
    }

    private func close(_ fate: any Error) {
        answers.close(fate)
        arrivals.close(fate)
    }

    // MARK: - What a program asks for

    /// Where the client of that name finds its server, once there is one.
    package func place(of client: String) async throws -> HostedClients.Place {
        guard clients.contains(client) else {
            throw SquallError.usage("there is no client '\(client)' here; there is: \(clients.joined(separator: ", "))")
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

    /// Does what a piece of a script says, and returns when it is done.
    package func perform(_ fragment: String) async throws {
        let stimuli = try read { reader throws(FragmentMistakes) in try reader.stimuli(fragment) }
        for stimulus in stimuli {
            guard case .client(let command) = stimulus.deed else { continue }
            switch command {
            // Done to its network; the client's own part is its program's.
            case .network, .handoff, .portalLogin: break
            default:
                throw SquallError.usage(voice.ownClient(stimulus.verb))
            }
        }
        _ = try await ask { .perform($0, stimuli) }
        let place = SourceLocation(file: plan.scenario.file, line: 1, column: 1)
        done.withLock { $0 += stimuli.map { Step(.act($0), location: place) } }
    }

    /// Waits for what a piece of a script names, and gives the event that met it; nil where a state held already.
    ///
    /// - Throws: ``WaitTimeout`` after `span`.
    package func wait(_ fragment: String, next: Bool, within span: TimeSpan) async throws -> TraceEvent? {
        guard span > .zero else { throw SquallError.usage("a wait within \(span) waits for nothing") }
        let condition = try read { reader throws(FragmentMistakes) in
            try reader.condition(fragment, for: next ? "next" : "until")
        }
        let sight = Observability(of: plan.client.foreign, hasOwnServer: plan.upstream == nil)
        let names = Expectation(.never(condition), location: SourceLocation(file: "", line: 1, column: 1)).names
        if let unseen = names.first(where: { !sight.sees($0) }) {
            throw SquallError.usage("\(sight.blindness(to: unseen)); link.state says whether it is connected")
        }
        switch try await ask({ .wait($0, ConductedWait(condition, next: next, within: span)) }) {
        case .met(_, let event): return event
        case .missed(_, let why): throw WaitTimeout(what: fragment, why: why)
        case .done, .seen, .saw: return nil
        }
    }

    /// What has been seen so far.
    package func seen() async throws -> Recording? {
        if case .seen(_, let recording) = try await ask({ .show($0) }) { recording } else { nil }
    }

    /// There is nothing more to come.
    package func end() { conductor.emit(.end) }

    private func ask(_ input: (Int) -> ConductorInput) async throws -> ConductorOutput {
        try await answers.ask {
            conductor.emit(input($0))
        } withdraw: { [conductor] in
            conductor.emit(.withdraw($0))
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
    /// Of the question that it answers; nil for what answers none.
    fileprivate var number: Int? {
        switch self {
        case .done(let number), .met(let number, _), .missed(let number, _), .seen(let number, _): number
        case .saw: nil
        }
    }
}

/// What was waited for did not come in time.
package struct WaitTimeout: Error, Hashable, Sendable {
    package var what: String
    /// What was the case instead.
    package var why: String
}
