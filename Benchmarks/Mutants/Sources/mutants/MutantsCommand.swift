import ArgumentParser
import Foundation
import Mutating
import Synchronization

@main
struct MutantsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutants",
        abstract: "Change Squall's client and server in many small ways, and report which changes the scenarios notice."
    )

    @Option(help: "How many mutants to draw.") var count = 1000
    @Option(help: "The seed that draws them.") var seed: UInt64 = 1
    @Option(help: "How many processes to run at once.") var jobs = 1
    @Option(
        help: "The stages after the undisturbed scenarios: perturb, compare, explore (separated by commas), or none."
    )
    var stages = "perturb,compare,explore"
    @Option(help: "How many perturbed runs each mutant gets at most.") var perturbed = 200
    @Option(help: "How many random scenarios each mutant gets.") var explored = 500
    @Option(help: "Stop judging after this many minutes.") var minutes: Double = 240
    @Option(help: "The build's configuration.") var configuration = "release"
    @Flag(help: "Judge another draw of the same size, which shares no mutant with the first, and print no survivors.")
    var heldOut = false
    @Option(help: "Judge only so many mutants of the draw.") var first: Int?
    @Flag(help: "List the drawn mutants and build nothing.") var list = false

    func validate() throws {
        if count < 1 || jobs < 1 || first ?? 1 < 1 {
            throw ValidationError("--count, --jobs and --first must be at least 1")
        }
        for stage in stages.split(separator: ",") where !["perturb", "compare", "explore", "none"].contains(stage) {
            throw ValidationError("unknown stage '\(stage)': use perturb, compare, explore or none")
        }
    }

    func run() throws {
        Interruption.watch()
        let repository = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let scratch = repository.appendingPathComponent(".build-mutants")
        let package = MutatedPackage(repository: repository, scratch: scratch, configuration: configuration)
        let originals = try package.originals()
        guard !originals.isEmpty else { throw Failure("no sources here: run it in the folder of Squall's package") }
        say("\(Schemata.total(in: originals)) candidates in \(originals.count) files")
        if list {
            let drawn = Schemata(originals, count: count, seed: seed, heldOut: count).mutants
            for (number, mutant) in chosen(drawn).sorted(by: { $0.key < $1.key }) {
                say("\(number) \(mutant.id) line \(mutant.line): \(mutant.text)")
            }
            return
        }
        // One binary contains both selections, so testing the second one does not require another build.
        let (built, rejected) = try package.make(count: count, seed: seed, heldOut: count)
        say("\(built.count) mutants built, \(rejected.count) left out because they do not compile")
        let mutants = chosen(built)
        var judge = Judge(
            package,
            stages: stages.split(separator: ",").compactMap { Stage(rawValue: String($0)) },
            perturbedRuns: perturbed,
            exploredRuns: explored,
            seed: seed
        )
        try judge.cover("Scenarios")
        say("\(judge.groups.reduce(0) { $0 + $1.files.count }) scenario files pass without a mutant")
        let verdicts = judgeAll(mutants, by: judge)
        let listed = repository.appendingPathComponent("Benchmarks/Mutants/equivalents.txt")
        let equivalents = try Score.equivalents((try? String(contentsOf: listed, encoding: .utf8)) ?? "")
        let score = Score(verdicts: verdicts, equivalents: equivalents, repository: repository)
        if !heldOut { say(score.survivors()) }
        say(score.table())
        if verdicts.count < mutants.count { say("not judged: \(mutants.count - verdicts.count)") }
        let results = scratch.appendingPathComponent(heldOut ? "held-out.json" : "mutants.json")
        try score.json(seed: seed, isHeldOut: heldOut).write(to: results)
        say("results: \(results.path)")
        if Interruption.happened { throw ExitCode(130) }
    }

    /// Returns the mutants in the selection under test.
    private func chosen(_ mutants: [Int: Mutant]) -> [Int: Mutant] {
        let start = heldOut ? count : 0
        let size = min(first ?? count, count)
        return mutants.filter { $0.key > start && $0.key <= start + size }
    }

    private func judgeAll(_ mutants: [Int: Mutant], by judge: Judge) -> [Verdict] {
        struct Progress {
            var waiting: ArraySlice<(key: Int, value: Mutant)>
            var verdicts: [Verdict] = []
        }
        let progress = Mutex(Progress(waiting: mutants.sorted { $0.key < $1.key }[...]))
        let start = ContinuousClock.now
        let deadline = start + .seconds(minutes * 60)
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while !Interruption.happened, ContinuousClock.now < deadline {
                guard let (number, mutant) = progress.withLock({ $0.waiting.popFirst() }) else { return }
                do {
                    guard let verdict = try judge.judge(mutant, number: number) else { return }
                    progress.withLock {
                        $0.verdicts.append(verdict)
                        let done = $0.verdicts.count
                        let seconds = Double((ContinuousClock.now - start).components.seconds)
                        let rate = seconds > 0 ? String(format: "%.2f/s", Double(done) / seconds) : ""
                        let name = verdict.killer?.rawValue ?? (verdict.isMet ? "survives" : "never met")
                        let detail = heldOut ? "" : " \(mutant.id): \(name) \(verdict.how)"
                        say("\(done) of \(mutants.count) \(rate)\(detail)")
                    }
                } catch {
                    say("mutant \(number) could not be judged: \(error)")
                }
            }
        }
        return progress.withLock { $0.verdicts.sorted { $0.number < $1.number } }
    }
}
