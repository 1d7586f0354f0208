import Live
import ScenarioModel
import SquallCore
import Trace

/// Runs a suite in rounds, each of which runs every case once, and repeats failed live runs.
struct SuitePlay {
    private let scenarios: [Scenario]
    private let options: SuiteOptions
    private let progress: @Sendable (SuiteProgress) -> Void
    private let failures: FailureCount
    private let started = ContinuousClock.now

    init(
        _ scenarios: [Scenario],
        _ options: SuiteOptions,
        progress: @escaping @Sendable (SuiteProgress) -> Void
    ) {
        self.options = options
        self.progress = progress
        failures = FailureCount(limit: options.maximumFailures)
        self.scenarios = options.budget == nil ? scenarios : Self.mostValuableFirst(scenarios, options.last)
    }

    /// Returns the cases in the order in which to run them under a budget: first those that failed last time; then
    /// those that were not run last time, so that repeated suites eventually run every case; then by importance.
    private static func mostValuableFirst(_ scenarios: [Scenario], _ last: LastResults) -> [Scenario] {
        let failed = last.failed
        let keyed = scenarios.enumerated().map { index, scenario in
            let turn = failed.contains(scenario.caseKey) ? 0 : last.wall[scenario.caseKey] == nil ? 1 : 2
            return (key: (turn, scenario.importance, index), scenario: scenario)
        }
        return keyed.sorted { $0.key < $1.key }.map(\.scenario)
    }

    func play() async throws -> SuiteResult {
        guard case .app(let choice) = options.client else { return try await play(nil) }
        return try await choice.withPort(options.announce) { try await play($0) }
    }

    /// Runs the suite; `port` is the control port if the client is an app.
    private func play(_ port: AppPort?) async throws -> SuiteResult {
        let client = try await askedClient(port)
        let obstacles = CaptureObstacles(options.announce)
        if let estimate = try await estimate(client), let sentence = estimate.sentence { options.announce(sentence) }
        let total = options.times * scenarios.reduce(0) { $0 + options.results(of: $1) }
        var cases: [CaseReport] = []
        var leftOut: [String] = []
        var done = 0
        rounds: for round in 0..<options.times {
            let seed = Seed(options.seed.value &+ UInt64(round))
            var waiting = scenarios[...]
            while !waiting.isEmpty {
                let batch = try nextBatch(of: &waiting, leavingOut: &leftOut, played: cases.count, client)
                guard !batch.isEmpty else { continue }
                let before = done
                let player = SuitePlayer(
                    plans: try batch.map { try Suite.plan($0, options, seed: seed) },
                    client: client,
                    port: port,
                    options: options,
                    obstacle: obstacles.report,
                    failures: failures
                ) { step in
                    var step = step
                    (step.done, step.total) = (before + step.done, total)
                    progress(step)
                }
                var played = try await player.retrying(try await player.play())
                done += played.reduce(0) { $0 + $1.runs.count }
                switch options.tracesOfPasses {
                case .all: break
                case .firstRound where round == 0: break
                case .firstRound, .none: played = played.map(\.withoutTracesOfPasses)
                }
                cases += played
                if Task.isCancelled || failures.isReached { break rounds }
            }
        }
        var result = SuiteResult(
            cases: cases,
            wall: TimeSpan(ContinuousClock.now - started),
            interrupted: Task.isCancelled,
            unplayed: max(0, total - done)
        )
        result.failureLimit = failures.isReached ? options.maximumFailures : nil
        result.leftOut = leftOut
        return result
    }

    /// Asks the client for its capabilities. A client that fails to start is asked again, up to `retries` times.
    ///
    /// - Throws: ``SquallError`` if the client cannot be started or does not answer, because every case would fail for
    ///   this reason.
    private func askedClient(_ port: AppPort?) async throws -> ClientAnswer {
        var client = try await ClientAnswer.ask(options.client, port)
        for _ in 0..<max(0, options.retries) {
            guard case .broken(let failure) = client, !Task.isCancelled else { break }
            options.announce("squall: started again, as the client failed before the first run: \(failure)")
            client = try await ClientAnswer.ask(options.client, port)
        }
        // The error is not thrown for a client in the test's process: each case creates a new client there, and reports
        // that client's failure separately.
        guard case .broken(let failure) = client, options.client.hosted == nil, !Task.isCancelled else { return client }
        throw SquallError.client(options.client, failure)
    }

    /// Estimates how long the suite will take with a client that is started by a command; returns nil if a budget
    /// already limits the duration.
    private func estimate(_ client: ClientAnswer) async throws -> WallEstimate? {
        guard options.budget == nil, options.client.command != nil, case .foreign = client else { return nil }
        let player = SuitePlayer(
            plans: try scenarios.filter { $0.allows(.live) }.map { try Suite.plan($0, options, seed: options.seed) },
            client: client,
            options: options,
            obstacle: { _ in },
            failures: failures,
            progress: { _ in }
        )
        let played = player.plans.indices.filter { index in
            let plan = player.plans[index]
            return CaseResult(unsupported: plan, world: .live) == nil && CaseResult(unsecured: plan, client) == nil
        }
        return await WallEstimate.of(player.livePlans(at: played), times: options.times, jobs: player.jobs)
    }

    /// Returns the number of cases to run before the budget is checked again: at first as few as possible; once
    /// `played` cases have shown how long a case takes, as many as fit into a tenth of the remaining time.
    private func batchSize(remaining: TimeSpan, played: Int) -> Int {
        guard options.client == .reference, played > 0 else { return options.jobs }
        let each = max(1, TimeSpan(ContinuousClock.now - started).nanoseconds / Int64(played))
        return min(16 * options.jobs, max(options.jobs, Int(remaining.nanoseconds / 10 / each)))
    }

    /// Removes and returns the next cases to run: one batch if there is a budget, otherwise all.
    ///
    /// A case whose known duration exceeds the remaining time is added to `leftOut` instead.
    private func nextBatch(
        of waiting: inout ArraySlice<Scenario>,
        leavingOut leftOut: inout [String],
        played: Int,
        _ client: ClientAnswer
    ) throws(SquallError) -> [Scenario] {
        guard let budget = options.budget else {
            defer { waiting = [] }
            return Array(waiting)
        }
        var batch: [Scenario] = []
        func remaining() -> TimeSpan { budget - TimeSpan(ContinuousClock.now - started) }
        let size = batchSize(remaining: remaining(), played: played)
        while let scenario = waiting.first, batch.count < size {
            waiting.removeFirst()
            if remaining() > .zero, try length(of: scenario, client) <= remaining() {
                batch.append(scenario)
            } else if !leftOut.contains(scenario.title) {
                leftOut.append(scenario.title)
            }
        }
        return batch
    }

    /// Estimates the real duration of a case.
    ///
    /// The estimate is the duration of its last run. If that is unknown and the client runs in real time, the estimate
    /// is the duration of a run of Squall's own client in virtual time. Returns zero if neither is available.
    private func length(of scenario: Scenario, _ client: ClientAnswer) throws(SquallError) -> TimeSpan {
        if let last = options.last.wall[scenario.caseKey] { return last }
        guard case .foreign = client, scenario.allows(.live), scenario.allows(.sim) else { return .zero }
        let player = SuitePlayer(
            plans: [try Suite.plan(scenario, options, seed: options.seed)],
            client: client,
            options: options,
            obstacle: { _ in },
            failures: failures,
            progress: { _ in }
        )
        guard let plan = player.livePlans(at: [0]).first, plan.clock == .wall,
            CaseResult(unsupported: plan, world: .live) == nil
        else { return .zero }
        return WallEstimate.span(of: plan)
    }
}

extension SuitePlayer {
    /// Repeats cases whose live run failed, at most `retries` times each. A run that then passes is flaky.
    ///
    /// A run that failed in sim is not repeated, because it would fail in the same way.
    func retrying(_ reports: [CaseReport]) async throws -> [CaseReport] {
        var reports = reports
        var options = options
        options.worlds = [.live]
        for attempt in 0..<max(0, options.retries) {
            let failed = reports.indices.filter { place in
                let bad = reports[place].runs.filter(options.isFailure)
                return !bad.isEmpty && bad.allSatisfy { $0.world == .live && $0.wasPlayed }
            }
            guard !failed.isEmpty, !Task.isCancelled else { break }
            let keys = Set(failed.compactMap { reports[$0].runs.first?.key })
            let done = reports.reduce(0) { $0 + $1.runs.count }
            let title = failed.count == 1 ? "a failed case again" : "\(failed.count) failed cases again"
            progress(SuiteProgress(done: done, total: done, title: title, repeated: failed.count))
            options.finished = { [report = self.options.finished] run in
                var run = run
                run.plays = attempt + 2
                if run.verdict == .pass { run.verdict = .flaky }
                report(run)
            }
            let again = SuitePlayer(
                plans: plans.filter { keys.contains($0.scenario.caseKey) },
                client: client,
                port: port,
                options: options,
                obstacle: obstacle,
                failures: failures,
                progress: { _ in }
            )
            let played = try await again.play()
            for place in failed {
                let key = reports[place].runs.first?.key
                guard let run = played.flatMap(\.runs).first(where: { $0.key == key }), run.verdict == .pass,
                    let live = reports[place].runs.firstIndex(where: { $0.world == .live }),
                    let plan = plans.first(where: { $0.scenario.caseKey == key })
                else { continue }
                reports[place].runs[live].verdict = .flaky
                reports[place].runs[live].plays = attempt + 2
                let compared = reports[place].runs.filter { $0.world == .sim } + [run]
                reports[place].parity = ParityCheck.verdict(on: compared, of: plan)
            }
        }
        return reports
    }
}

extension Scenario {
    /// The case's rank, for when there is not enough time for all cases: 0 for the tag `smoke`, otherwise the number in
    /// the tag `rank:` or, without such a tag, the largest integer. Cases with lower ranks are run first.
    fileprivate var importance: Int {
        if tags.contains("smoke") { return 0 }
        return tags.compactMap { $0.hasPrefix("rank:") ? Int($0.dropFirst(5)) : nil }.min() ?? .max
    }
}
