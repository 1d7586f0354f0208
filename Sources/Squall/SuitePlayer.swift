import Adapter
import ChatWire
import FakeServer
import Live
import ScenarioLanguage
import ScenarioModel
import Simulation
import SquallCore
import Synchronization
import TemporalLogic
import Trace

/// Runs the cases of a suite: first simulated (sim), then over real sockets (live), and compares the two runs of each
/// case.
///
/// If the task is cancelled, the runs in progress are ended and the cases run so far are returned.
struct SuitePlayer: Sendable {
    let plans: [RunPlan]
    let client: ClientAnswer
    /// The control port if the client is an app; otherwise nil.
    var port: AppPort?
    let options: SuiteOptions
    /// Called with the reason if packets from live runs cannot be captured.
    let obstacle: @Sendable (String) -> Void
    /// Counts the failed cases of the whole suite.
    let failures: FailureCount
    let progress: @Sendable (SuiteProgress) -> Void

    func play() async throws -> [CaseReport] {
        let elsewhere = plans.map { CaseResult(elsewhere: $0, than: options.worlds) }
        if case .broken(let failure) = client {
            return zip(plans, elsewhere).map { plan, skipped in
                if let skipped { return CaseReport(runs: [skipped]) }
                var result = CaseResult(brokenBy: failure, plan)
                result.clientOptions = options.clientOptions
                result.replay = options.client.replay
                return CaseReport(runs: [result])
            }
        }
        let meter = Meter(
            total: plans.reduce(0) { $0 + options.results(of: $1.scenario) },
            emit: progress
        )
        for skipped in elsewhere.compactMap(\.self) { meter.step(skipped.name) }
        var sim = [CaseResult?](repeating: nil, count: plans.count)
        var live = sim
        if options.worlds.contains(.sim) { sim = await playSim(meter) }
        if options.worlds.contains(.live), !mustStop { live = try await playLive(meter) }
        let runs = plans.indices.map { [elsewhere[$0], sim[$0], live[$0]].compactMap(\.self) }
        let parities = await compare(runs)
        return zip(runs, parities).filter { !$0.0.isEmpty }.map { CaseReport(runs: $0, parity: $1) }
    }

    private var mustStop: Bool { Task.isCancelled || failures.isReached }

    /// Reports the result of a run, and counts it if it failed.
    private func finish(_ run: CaseResult) {
        if options.isFailure(run) { failures.add(run.key) }
        options.finished(options.known?.applied(to: run) ?? run)
    }

    // MARK: - Running in sim and live

    private func playSim(_ meter: Meter) async -> [CaseResult?] {
        return await Parallel.map(plans.count, jobs: options.jobs) { index in
            guard plans[index].scenario.allows(.sim), !mustStop else { return nil }
            if let skipped = CaseResult(unsupported: plans[index], world: .sim) {
                meter.step(plans[index].scenario.name)
                return skipped
            }
            let started = ContinuousClock.now
            let (result, capture) = SimulatedWorld.play(
                plans[index],
                capturing: options.captures,
                isCancelled: { Task.isCancelled },
                onHold: { options.hold?.order($0) }
            )
            let wall = TimeSpan(ContinuousClock.now - started)
            var judged = CaseResult(result, of: plans[index], world: .sim, wall: wall)
            keep(capture, in: &judged)
            finish(judged)
            meter.step(plans[index].scenario.name)
            return judged
        }
    }

    private func keep(_ capture: PacketCapture?, in run: inout CaseResult) {
        guard let capture else { return }
        let kept = RunCapture(capture, of: run.recording.events)
        if let gap = kept.gap { options.announce("squall: the capture of \(run.title) is incomplete: \(gap)") }
        run.capture = kept
    }

    /// The maximum number of attempts for a run that cannot be evaluated because the machine was too busy.
    private static let triesOfLateRuns = 3

    private func playLive(_ meter: Meter) async throws -> [CaseResult?] {
        var results = [CaseResult?](repeating: nil, count: plans.count)
        var indices = plans.indices.filter { plans[$0].scenario.allows(.live) }
        for index in indices {
            let skipped =
                CaseResult(unsupported: plans[index], world: .live) ?? CaseResult(unsecured: plans[index], client)
                ?? CaseResult(crowded: plans[index], client)
            guard let skipped else { continue }
            results[index] = skipped
            meter.step(plans[index].scenario.name)
        }
        indices.removeAll { results[$0] != nil }
        let livePlans = livePlans(at: indices)
        let hold = options.hold.map(LiveHold.init)
        // The number of runs so far in which a client without an adapter exited before it opened a connection; nil once
        // a client has opened one.
        var unconnected: Int? = 0
        do {
            for clock in [TraceHeader.Clock.leaping, .wall] {
                var places = livePlans.indices.filter { livePlans[$0].clock == clock }
                // A run that the user can hold is interactive, so it is never repeated.
                let mayRepeat = hold == nil && (clock == .leaping || options.client.hosted != nil)
                var tries = mayRepeat ? Self.triesOfLateRuns : 1
                while !places.isEmpty, tries > 0 {
                    tries -= 1
                    var liveOptions = liveOptions(clock)
                    liveOptions.captures = options.captures ? obstacle : nil
                    liveOptions.conductor = hold?.connect()
                    let suite = LiveSuite(options: liveOptions, jobs: jobs)
                    let playing = places
                    places = []
                    try await suite.play(playing.map { TimedRun(ScenarioRun(livePlans[$0])) }) { position, outcome in
                        let place = playing[position]
                        let (result, wall, capture) = try outcome.get()
                        var judged = CaseResult(result, of: livePlans[place], world: .live, wall: wall)
                        keep(capture, in: &judged)
                        judged.clientOptions = options.clientOptions
                        judged.replay = options.client.replay
                        try check(judged, &unconnected)
                        if let hosted = options.client.hosted {
                            judged.markInconclusive(
                                "the threads that the client shares with the tests were",
                                late: hosted.lateness()
                            )
                        }
                        if results[indices[place]] == nil { meter.step(livePlans[place].scenario.name) }
                        results[indices[place]] = judged
                        if judged.isInvalidatedByLateness, tries > 0 {
                            places.append(place)
                            options.announce("played again, as this machine was late: \(judged.title)")
                        } else {
                            finish(judged)
                        }
                        if mustStop { throw CancellationError() }
                    }
                }
            }
        } catch is CancellationError {
            // The user cancelled the suite, or it reached `maximumFailures`; the results so far are returned.
        } catch let error as LiveError {
            let other = error.isExhaustion && jobs > 1 ? " Or play fewer runs at once (--jobs)." : ""
            throw SquallError.failed(error.message + other)
        }
        return results
    }

    /// Throws an error if a client without an adapter has exited before it opened a connection, in the first run and in
    /// the next `retries` runs. The suite then ends, because the client would fail in every run for the same reason.
    ///
    ///  - Parameter unconnected: The number of such runs so far; nil after a run with a connection.
    private func check(_ run: CaseResult, _ unconnected: inout Int?) throws(SquallError) {
        guard case .wireOnly = options.client, let count = unconnected else { return }
        guard let reason = run.endBeforeConnection else { return unconnected = nil }
        guard count >= options.retries else { return unconnected = count + 1 }
        throw .client(options.client, endedUnconnected: reason)
    }

    /// Returns the plans at the given indices, adapted to a live run of the client under test.
    func livePlans(at indices: [Int]) -> [RunPlan] {
        let profile = foreignProfile
        let wire = profile?.wire ?? WireProfile()
        let claims = profile.map(ForeignPlan.Claim.all) ?? []
        return indices.map { index in
            if case .foreign(var foreign) = client {
                foreign.claims = claims
                if options.usesWallClock { foreign.clock = .wall }
                foreign.hasCalm = options.converges
                return plans[index].judging(foreign, speaking: wire)
            }
            return plans[index].live()
        }
    }

    private func liveOptions(_ clock: TraceHeader.Clock) -> LiveOptions {
        var live = LiveOptions()
        if clock == .wall {
            live.pace = .wall
            live.tolerance = Tolerance.foreign.fixed
        } else if case .foreign = client {
            live.followClients()
        }
        if case .foreign = client, let method = options.client.launchMethod(port) {
            live.foreign = ForeignLaunch(method, announce: options.announce)
            live.listenAddress = options.listenAddress
        }
        return live
    }

    /// The profile selected for a client that is not Squall's own; nil if no profile was selected. An unreadable
    /// profile has already been rejected.
    private var foreignProfile: Profile? {
        options.wireOf.flatMap { try? WireProfiles.profile(named: $0) }
    }

    /// The maximum number of live runs executed at a time.
    var jobs: Int { options.client.isSingle ? 1 : min(options.jobs, 4) }

    // MARK: - Parity

    private func compare(_ runs: [[CaseResult]]) async -> [WorldComparison?] {
        await Parallel.map(runs.count, jobs: options.jobs) { index in
            Task.isCancelled ? nil : ParityCheck.verdict(on: runs[index], of: plans[index])
        }
    }
}

/// A run that measures its own wall time.
private struct TimedRun: DrivenRun {
    private var run: ScenarioRun
    private var begun: ContinuousClock.Instant?
    private var capture: PacketCapture?

    init(_ run: ScenarioRun) {
        self.run = run
    }

    var clients: [ClientID] { run.clients }
    var upstream: UpstreamAddress? { run.upstream }
    var security: LinkSecurity { run.security }
    var nextDeadline: Instant? { run.nextDeadline }
    var isOver: Bool { run.isOver }
    var isHeld: Bool { run.isHeld }

    func clientClocks(at now: Instant) -> ClientClocks { run.clientClocks(at: now) }
    mutating func advanceClients(to now: Instant) -> [TransportOutput] { run.advanceClients(to: now) }

    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] {
        if begun == nil { begun = ContinuousClock.now }
        return run.handle(input, at: now)
    }

    mutating func noteLateness(_ late: TimeSpan) { run.noteLateness(late) }
    mutating func abandon(_ reason: String, at now: Instant) { run.abandon(reason, at: now) }

    mutating func keep(_ capture: PacketCapture) { self.capture = capture }

    mutating func finish(at now: Instant) -> (RunResult, wall: TimeSpan, PacketCapture?) {
        (run.finish(at: now), begun.map { TimeSpan(ContinuousClock.now - $0) } ?? .zero, capture)
    }
}

/// Counts the runs that have ended and reports the progress of the suite; it is thread-safe.
final class Meter: Sendable {
    private let total: Int
    private let done = Atomic(0)
    private let emit: @Sendable (SuiteProgress) -> Void

    init(total: Int, emit: @escaping @Sendable (SuiteProgress) -> Void) {
        self.total = total
        self.emit = emit
    }

    func step(_ title: String) {
        let count = done.add(1, ordering: .relaxed).newValue
        emit(SuiteProgress(done: count, total: total, title: title))
    }
}

/// Counts the failed cases of a suite; it is thread-safe.
final class FailureCount: Sendable {
    private let cases = Mutex<Set<CaseKey>>([])
    /// The number of failed cases that ends the suite; nil for no limit.
    private let limit: Int?

    init(limit: Int?) {
        self.limit = limit
    }

    func add(_ failed: CaseKey) {
        cases.withLock { _ = $0.insert(failed) }
    }

    var isReached: Bool {
        guard let limit else { return false }
        return cases.withLock { $0.count >= limit }
    }
}
