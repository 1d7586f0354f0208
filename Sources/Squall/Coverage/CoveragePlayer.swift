import FakeServer
import ReferenceClient
import ScenarioLanguage
package import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Measures which catalogue rows (requirements) the scenarios verify: runs the scenarios, tries to make each
/// expectation fail, and runs the scenarios again with each planted defect in the client and the server.
package struct CoveragePlayer: Sendable {
    private let catalogue: Catalogue
    private let scenarios: [Scenario]
    private let options: CoverageOptions
    private let progress: @Sendable (SuiteProgress) -> Void

    package init(
        _ scenarios: [Scenario],
        against catalogue: Catalogue,
        _ options: CoverageOptions,
        progress: @escaping @Sendable (SuiteProgress) -> Void = { _ in }
    ) {
        self.catalogue = catalogue
        self.options = options
        self.progress = progress
        let wanted = catalogue.rowsAndDependencies(of: options.rows)
        self.scenarios = scenarios.filter { scenario in
            let matters = options.rows.isAll || options.full || !scenario.coveredRows.isDisjoint(with: wanted)
            return matters && options.worlds.contains(where: scenario.allows)
        }
    }

    /// The names of all defects that are implemented.
    package static let builtDefects = Set(Defect.all.map(\.name) + ServerDefect.all.map(\.name))

    /// Runs the cases, without and with planted defects; returns nil if the task is cancelled.
    ///
    /// - Throws: ``SquallError`` if cases cannot be run, or if a simulated run and a live run differ.
    package func collectEvidence() async throws -> CoverageEvidence? {
        let expectations = try await witnesses()
        guard !Task.isCancelled else { return nil }
        let trials = try await trials()
        guard !Task.isCancelled else { return nil }
        return CoverageEvidence(expectations: expectations, trials: trials, cases: scenarios.count)
    }

    /// Runs the conformance cases and determines which rows they and the evidence prove.
    package static func result(
        of evidence: CoverageEvidence,
        against catalogue: Catalogue,
        _ options: CoverageOptions
    ) -> CoverageResult {
        let evaluator = CoverageEvaluator(
            catalogue,
            built: Self.builtDefects,
            tests: options.unitTests,
            conformance: ServerDefectTrials.play(catalogue, seed: options.seed),
            witnesses: evidence.expectations,
            trials: evidence.trials
        )
        return evaluator.judge(options.rows, worlds: options.worlds, cases: evidence.cases)
    }

    // MARK: - Expectations that pass and can fail

    private func witnesses() async throws -> [ExpectationCoverage] {
        guard !scenarios.isEmpty else { return [] }
        var suite = SuiteOptions()
        suite.worlds = options.worlds
        suite.seed = options.seed
        // Traces are kept only if a scenario cannot be simulated; simulated runs are repeated to obtain their traces.
        suite.tracesOfPasses = scenarios.contains { !$0.allows(.sim) } ? .all : .none
        suite.jobs = options.jobs
        let played = try await Suite.play(scenarios, suite, progress: progress)
        guard !Task.isCancelled else { return [] }
        guard played.cases.count == scenarios.count else {
            throw SquallError.failed("only \(played.cases.count) of \(scenarios.count) cases were played")
        }
        if let odd = played.cases.first(where: \.differs) {
            let title = odd.runs.first?.title ?? ""
            throw SquallError.failed("the worlds differ in '\(title)'; this is a bug in Squall: 'squall run' shows it")
        }
        let meter = Meter(total: scenarios.count, emit: progress)
        let found = await Parallel.map(scenarios.count, jobs: options.jobs) { index in
            let scenario = scenarios[index]
            defer { meter.step("can it fail? \(scenario.name)") }
            return Task.isCancelled ? [] : witnesses(of: scenario, played.cases[index].runs)
        }
        return found.flatMap(\.self)
    }

    private func witnesses(
        of scenario: Scenario,
        _ runs: [CaseResult]
    ) -> [ExpectationCoverage] {
        // The traces of all runs are too large to keep in memory. A simulated run is determined by its seed, so it is
        // repeated to obtain its trace.
        let recording =
            scenario.allows(.sim)
            ? SimulatedWorld.play(RunPlan(scenario, seed: options.seed)).recording : runs.first?.recording
        return scenario.expectations.map { expectation in
            let judgements = runs.compactMap { run in
                run.expectations.first { $0.isVerdict(on: expectation) }.map { part in
                    // If the case failed for another reason, this expectation's pass proves nothing, and the other
                    // reason is reported.
                    let cause = run.verdict == .pass ? part : run.cause ?? part
                    return ExpectationCoverage.WorldVerdict(
                        world: run.world,
                        verdict: run.verdict,
                        why: cause.why ?? part.why
                    )
                }
            }
            let passes = !judgements.isEmpty && judgements.allSatisfy { $0.verdict == .pass }
            let proof = passes ? recording.map { Prover(expectation).prove($0) } : nil
            let isBoundTight = passes && (recording.map { BoundTrial(expectation).isTight(on: $0) } ?? false)
            return ExpectationCoverage(
                location: expectation.location,
                title: runs.first?.title ?? scenario.name,
                word: expectation.formula.word,
                covers: expectation.covers,
                judgements: judgements,
                canFail: proof.map(\.isFlippable),
                statement: CoverageStatement(checkedBy: expectation),
                isBoundTight: isBoundTight
            )
        }
    }

    // MARK: - Defects

    private func trials() async throws -> [DefectTrial] {
        let playable = scenarios.filter { $0.allows(.sim) }
        let defects = catalogue.defects.filter(Self.builtDefects.contains)
        let own = defects.map { defect in
            let rows = Set(catalogue.rows(with: defect).map(\.id))
            return playable.indices.filter { !playable[$0].coveredRows.isDisjoint(with: rows) }
        }
        let pairs = defects.indices.flatMap { place in
            own[place].map { (scenario: playable[$0], defect: defects[place]) }
        }
        let meter = Meter(total: pairs.count, emit: progress)
        let tried = await Parallel.map(pairs.count, jobs: options.jobs) { place in
            let (scenario, defect) = pairs[place]
            defer { meter.step("with \(defect): \(scenario.name)") }
            return Task.isCancelled ? nil : trial(of: defect, on: scenario)
        }.compactMap(\.self)
        guard options.full else { return tried }
        // One case that detects a defect is enough, so only undetected defects are tried with further cases.
        let caught = Set(tried.filter(\.failed).map(\.defect))
        let left = defects.indices.filter { !caught.contains(defects[$0]) }
        let rest = Meter(total: left.count, emit: progress)
        let hunted = await Parallel.map(left.count, jobs: options.jobs) { place in
            let (defect, own) = (defects[left[place]], Set(own[left[place]]))
            defer { rest.step("with \(defect): all scenarios") }
            return trials(defect, on: playable.indices.filter { !own.contains($0) }.map { playable[$0] })
        }
        return tried + hunted.flatMap(\.self)
    }

    /// Plants a defect and runs one case after another until a case fails.
    private func trials(_ defect: String, on scenarios: [Scenario]) -> [DefectTrial] {
        var trials: [DefectTrial] = []
        for scenario in scenarios where !Task.isCancelled {
            guard let trial = trial(of: defect, on: scenario) else { continue }
            trials.append(trial)
            if trial.failed { break }
        }
        return trials
    }

    private func trial(of defect: String, on scenario: Scenario) -> DefectTrial? {
        var plan = RunPlan(scenario, seed: options.seed)
        guard plan.add(defect: defect) else { return nil }
        let judged = CaseResult(SimulatedWorld.play(plan), of: plan, world: .sim, wall: .zero)
        let failing = judged.expectations.filter { $0.verdict == .fail }
        let locations = Set(failing.map(\.location))
        let bounded = scenario.expectations.indices.filter { index in
            let expectation = scenario.expectations[index]
            return locations.contains(expectation.location) && isBoundAsserted(by: expectation)
        }
        return DefectTrial(
            defect: defect,
            file: scenario.file,
            title: judged.title,
            covers: scenario.coveredRows,
            failedRows: Set(failing.flatMap(\.covers)),
            failedExpectations: locations,
            missedBounds: Set(
                bounded.filter { BoundTrial.isMissed(of: $0, in: plan) }.map { scenario.expectations[$0].location }
            ),
            failed: judged.verdict == .fail
        )
    }
}

extension CoveragePlayer {
    /// Returns whether a row that the expectation covers states the expectation's bound.
    private func isBoundAsserted(by expectation: Expectation) -> Bool {
        guard let bound = expectation.bound else { return false }
        return catalogue.rows.contains {
            expectation.covers.contains($0.id) && $0.asserts.contains(.duration(bound))
        }
    }
}

extension Scenario {
    /// The catalogue rows that the scenario's expectations cover.
    var coveredRows: Set<String> { Set(expectations.flatMap(\.covers)) }
}

extension ExpectationResult {
    fileprivate func isVerdict(on expectation: Expectation) -> Bool {
        location == expectation.location && word == expectation.formula.word
    }
}

extension CaseReport {
    fileprivate var differs: Bool {
        if case .differs = parity { true } else { false }
    }
}

extension Proof {
    fileprivate var isFlippable: Bool {
        if case .falsifiable = self { true } else { false }
    }
}
