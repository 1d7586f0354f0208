import ScenarioModel
import Simulation
import Squall
import SquallCore
import Trace

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Measures how long simulated runs take, compared with an event loop that processes the same number of empty events.
@main
enum SquallBenchmark {
    static func main() async {
        do {
            try await measure()
        } catch let error as SquallError {
            print(error.message)
            exit(error.exitStatus.code)
        } catch {
            print(error)
            exit(ExitStatus.internalError.code)
        }
    }

    private static func measure() async throws {
        let paths = CommandLine.arguments.count > 1 ? Array(CommandLine.arguments.dropFirst()) : ["Scenarios"]
        let scenarios = try Suite.load(SuiteSelection(paths: paths))
        let sim = scenarios.filter { if case .liveOnly = $0.worlds { false } else { true } }
        let events = simulate(sim, for: .seconds(5))
        bareLoop(events: events)
        try FrameBenchmark.run()
        try await live(scenarios)
    }

    /// Plays the suite in simulation repeatedly on one core. Returns the number of events per repetition.
    private static func simulate(_ scenarios: [Scenario], for time: Duration) -> Int {
        let plans = scenarios.map { RunPlan($0) }
        var events = 0
        var simulated = TimeSpan.zero
        for plan in plans {
            let result = SimulatedWorld.play(plan)
            events += result.recording.events.count
            simulated = simulated + (result.recording.end - .zero)
        }
        var spent = plans.map { _ in Duration.zero }
        var rounds = 0
        while spent.reduce(.zero, +) < time {
            for (index, plan) in plans.enumerated() {
                let start = CoreTime.now
                _ = SimulatedWorld.play(plan)
                spent[index] += CoreTime.now - start
            }
            rounds += 1
        }
        let total = seconds(spent.reduce(.zero, +))
        let runs = Double(rounds * plans.count) / total
        print("sim, one core, \(plans.count) cases, \(rounds) rounds, monitors and trace on")
        print("  \(whole(runs)) runs/s over all cases, \(events / max(plans.count, 1)) trace events a run")
        let sorted = spent.map { seconds($0) / Double(rounds) }.sorted()
        print("  \(whole(1 / sorted[sorted.count / 2])) runs/s of the median case, ", terminator: "")
        print("\(whole(1 / sorted[sorted.count * 9 / 10])) of the one that nine in ten are faster than")
        let alone = plans.indices.filter { plans[$0].scenario.clients.count == 1 }
        let aloneTime = alone.reduce(0.0) { $0 + seconds(spent[$1]) }
        print("  \(whole(Double(rounds * alone.count) / aloneTime)) runs/s over the \(alone.count) cases of one client")
        print("  \(whole(Double(rounds * events) / total)) trace events/s")
        print("  \(whole(Double(rounds) * Double(simulated.nanoseconds) / 1e9 / total)) simulated seconds a second")
        return events
    }

    /// The baseline: a heap that queues the same number of empty events.
    private static func bareLoop(events: Int) {
        let start = CoreTime.now
        var rounds = 0
        var generator = SeededGenerator(state: 1)
        var last = Instant.zero
        while CoreTime.now - start < .seconds(1) {
            var queue = EventQueue<Int>()
            for number in 0..<events {
                queue.push(number, at: Instant(nanoseconds: Int64(generator.below(1_000_000_000))))
            }
            while let (time, _) = queue.pop() { last = max(last, time) }
            rounds += 1
        }
        let seconds = seconds(CoreTime.now - start)
        print("bare heap, \(events) empty events a round")
        print("  \(whole(Double(rounds * events) / seconds)) events/s")
    }

    private static func live(_ scenarios: [Scenario]) async throws {
        var options = SuiteOptions()
        options.worlds = [.live]
        let result = try await Suite.play(scenarios, options)
        let simulated = result.runs.reduce(TimeSpan.zero) { $0 + $1.simulated }
        print("live, \(result.runs.count) cases, \(options.jobs) at once: \(result.count(.pass)) passed")
        for line in exceptions(result) { print("  \(line)") }
        let (weather, wall) = (Double(simulated.nanoseconds) / 1e9, Double(result.wall.nanoseconds) / 1e9)
        print("  \(whole(weather)) s of weather in \(whole(wall * 1000)) ms of wall time")
    }

    /// Describes the runs that did not pass. Lists skipped runs with the reason, because they make the suite look
    /// faster.
    private static func exceptions(_ result: SuiteResult) -> [String] {
        let others = CaseVerdict.allCases.filter { $0 != .pass && $0 != .skipped && result.count($0) > 0 }
        let skipped = result.runs.filter { $0.verdict == .skipped }
        let reasons = Dictionary(grouping: skipped) { run in
            run.expectations.first { $0.verdict == .skipped }?.why ?? "no reason given"
        }
        return others.map { "\(result.count($0)) \($0.rawValue)" }
            + reasons.sorted { $0.key < $1.key }.map { "\($1.count) skipped and in no figure: \($0)" }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func whole(_ number: Double) -> Int { Int(number.rounded()) }
}

/// This process's CPU time, which is unaffected by other processes.
private enum CoreTime {
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
