import Foundations
import ScenarioModel
import Simulation
import Squall
import Trace

/// What a run costs, beside what the same number of events costs when nothing happens in them.
@main
enum SquallBenchmark {
    static func main() async throws {
        let paths = CommandLine.arguments.count > 1 ? Array(CommandLine.arguments.dropFirst()) : ["Scenarios"]
        let scenarios = try Suite.load(SuiteSelection(paths: paths))
        let sim = scenarios.filter { if case .liveOnly = $0.worlds { false } else { true } }
        let events = simulate(sim, for: .seconds(5))
        bareLoop(events: events)
        try FrameBenchmark.run()
        try await live(scenarios)
    }

    /// Plays the suite in sim over and over on one core; gives how many events a round has.
    private static func simulate(_ scenarios: [Scenario], for time: Duration) -> Int {
        let plans = scenarios.map { RunPlan($0) }
        var events = 0
        var simulated = TimeSpan.zero
        for plan in plans {
            let result = SimulatedWorld.play(plan)
            events += result.recording.events.count
            simulated = simulated + (result.recording.end - .zero)
        }
        let clock = ContinuousClock()
        let start = clock.now
        var rounds = 0
        while clock.now - start < time {
            for plan in plans { _ = SimulatedWorld.play(plan) }
            rounds += 1
        }
        let seconds = seconds(clock.now - start)
        let runs = Double(rounds * plans.count) / seconds
        print("sim, one core, \(plans.count) cases, \(rounds) rounds, monitors and trace on")
        print("  \(whole(runs)) runs/s")
        print("  \(whole(Double(rounds * events) / seconds)) trace events/s (\(events) a round)")
        print("  \(whole(Double(rounds) * Double(simulated.nanoseconds) / 1e9 / seconds)) simulated seconds a second")
        return events
    }

    /// The peer: a heap that holds as many events and does nothing with them.
    private static func bareLoop(events: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        var rounds = 0
        var generator = SeededGenerator(state: 1)
        var last = Instant.zero
        while clock.now - start < .seconds(1) {
            var queue = EventQueue<Int>()
            for number in 0..<events {
                queue.push(number, at: Instant(nanoseconds: Int64(generator.below(1_000_000_000))))
            }
            while let (time, _) = queue.pop() { last = max(last, time) }
            rounds += 1
        }
        let seconds = seconds(clock.now - start)
        print("bare heap, \(events) empty events a round")
        print("  \(whole(Double(rounds * events) / seconds)) events/s")
    }

    private static func live(_ scenarios: [Scenario]) async throws {
        var options = SuiteOptions()
        options.worlds = [.live]
        let result = try await Suite.play(scenarios, options)
        let simulated = result.runs.reduce(TimeSpan.zero) { $0 + $1.simulated }
        print("live, \(result.runs.count) cases, \(options.jobs) at once: \(result.count(.pass)) passed")
        print("  \(simulated) of weather in \(Double(result.wall.nanoseconds) / 1e9) s of wall time")
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func whole(_ number: Double) -> Int { Int(number.rounded()) }
}
