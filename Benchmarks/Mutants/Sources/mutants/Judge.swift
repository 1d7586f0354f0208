import Foundation
import Mutating

/// The check that detected a mutant. The cases are in ascending order of cost.
enum Stage: String, CaseIterable, Codable {
    /// An expectation or an assertion in a scenario file.
    case expectations
    /// A standing invariant; all expectations passed.
    case invariants
    /// The invariant that requires client and server to agree at the end of a run; no other check failed.
    case convergence
    /// The process crashes, exceeds its time limit or ends without results.
    case crash
    case perturb
    /// `squall explore compare`: the mutated client passes a scenario, but ends with, shows or asks for something that
    /// the client without a mutant does not.
    case compare
    case explore
}

/// The result of testing one mutant.
struct Verdict: Codable {
    var number: Int
    var mutant: Mutant
    var isMet: Bool
    var killer: Stage?
    /// How the mutant was detected: the failed expectation or invariant, the signal, or the time limit.
    var how: String
}

/// Tests mutants by running the binary with one mutant active at a time.
struct Judge: Sendable {
    /// The limit on each process's address space, more than four times what the whole suite needs. It stops a runaway
    /// allocation in a mutant before the machine runs out of memory.
    private static let megabytes = 4096
    /// The maximum ratio of a process's elapsed time to its CPU-time limit, to allow for a busy machine.
    private static let patience = 20.0

    let binary: URL
    let repository: URL
    let scratch: URL
    let stages: [Stage]
    let perturbedRuns: Int
    let exploredRuns: Int
    let seed: UInt64
    /// The maximum number of files whose runs are perturbed for one mutant. Each file is also played once without a
    /// perturbation, so more files would take too long.
    private static let perturbedFiles = 30

    /// The mutants whose code a process evaluates while no mutant is active.
    struct Coverage {
        var met: Set<Int> = []
        /// The mutants that would have changed a value. A deterministic run cannot detect any other mutant.
        var changed: Set<Int> = []

        init(_ list: String) {
            for line in list.split(separator: "\n") {
                let parts = line.split(separator: " ")
                guard let number = parts.first.flatMap({ Int($0) }) else { continue }
                met.insert(number)
                if parts.count > 1 { changed.insert(number) }
            }
        }
    }

    /// A group of scenario files played in one process.
    struct Group {
        var files: [String]
        var coverage: Coverage
        /// The duration of the process, in seconds.
        var seconds: Double
    }

    /// The number of files played in one process while recording which mutants they evaluate. One process per file
    /// would be slower, because starting a process takes longer than playing a few files.
    private static let groupSize = 10

    /// The scenario files that pass when no mutant is active.
    private(set) var groups: [Group] = []
    /// The explorations that find nothing without a mutant, and the mutants whose code they evaluate.
    private(set) var explorations: [(arguments: [String], coverage: Coverage)] = []

    init(
        _ package: MutatedPackage,
        stages: [Stage],
        perturbedRuns: Int,
        exploredRuns: Int,
        seed: UInt64
    ) {
        binary = package.binary
        repository = package.repository
        scratch = package.scratch
        self.stages = stages
        self.perturbedRuns = perturbedRuns
        self.exploredRuns = exploredRuns
        self.seed = seed
    }

    /// Plays the scenario files and random scenarios without a mutant, and records which mutants' code they evaluate.
    mutating func cover(_ folder: String) throws {
        let root = repository.appendingPathComponent(folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        var files = paths.filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }[...]
        while !files.isEmpty {
            guard try cover(Array(files.prefix(Self.groupSize))) else { return }
            files = files.dropFirst(Self.groupSize)
        }
        if stages.contains(.compare), try saveBehaviour(in: folder) != .exited(0) {
            throw Failure("the client's behaviour could not be saved: see \(scratch.path)/behaviour.out")
        }
        guard stages.contains(.explore) else { return }
        for profiles in [[], ["--profile", "protocols"]] {
            let arguments = exploring(profiles)
            let (ending, coverage) = try cover(arguments)
            if ending == .exited(0) {
                explorations.append((arguments, coverage))
            } else {
                say("an exploration is left out: it does not pass without a mutant (\(ending)): \(arguments)")
            }
        }
    }

    /// Plays the files in one process or, if one of them fails, each in a process of its own. Returns false if the user
    /// interrupts the run.
    private mutating func cover(_ files: [String]) throws -> Bool {
        let start = ContinuousClock.now
        let (ending, coverage) = try cover(["run"] + files + ["--world", "sim", "--jobs", "1", "--format", "json"])
        if ending == .interrupted { return false }
        if ending == .exited(0) {
            groups.append(
                Group(files: files, coverage: coverage, seconds: (ContinuousClock.now - start) / .seconds(1))
            )
        } else if files.count > 1 {
            for file in files where try !cover([file]) { return false }
        } else {
            say("left out, because it does not pass without a mutant: \(files.joined())")
        }
        return true
    }

    private func cover(_ arguments: [String]) throws -> (Ending, Coverage) {
        let list = scratch.appendingPathComponent("met.txt")
        try? FileManager.default.removeItem(at: list)
        let ending = try ChildProcess.run(
            [binary.path] + arguments,
            in: repository,
            environment: ["SQUALL_MUTANTS_MET": list.path],
            output: scratch.appendingPathComponent("cover.out"),
            limit: 600 * Self.patience,
            resources: ResourceLimits(seconds: 600, megabytes: Self.megabytes)
        )
        let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
        return (ending, Coverage(text))
    }

    private func exploring(_ profiles: [String]) -> [String] {
        [
            "explore", "--runs", "\(exploredRuns)", "--seed", "\(seed)", "--jobs", "1", "--until-fail", "--out",
            scratch.appendingPathComponent("explored").path,
        ] + profiles
    }

    /// Tests one mutant up to the first failure; returns nil if the user interrupts the test.
    func judge(_ mutant: Mutant, number: Int) throws -> Verdict? {
        // The files that evaluate the fewest mutants come first: they are the most specific to the mutant's code.
        let meeting = groups.filter { $0.coverage.met.contains(number) }
            .sorted { $0.coverage.met.count < $1.coverage.met.count }
        let changed = meeting.filter { $0.coverage.changed.contains(number) }
        var verdict = Verdict(
            number: number,
            mutant: mutant,
            isMet: !meeting.isEmpty || explorations.contains { $0.coverage.met.contains(number) },
            killer: nil,
            how: ""
        )
        if !changed.isEmpty {
            let seconds = changed.reduce(0) { $0 + $1.seconds }
            let (ending, output) = try play(
                ["run"] + changed.flatMap(\.files)
                    + ["--world", "sim", "--jobs", "1", "--until-fail", "--format", "json"],
                number,
                limit: 20 + 5 * seconds
            )
            if ending == .interrupted { return nil }
            let failed = Failed(output)
            if let how = Self.abnormal(ending) {
                (verdict.killer, verdict.how) = (.crash, how)
            } else if let how = failed.expectation {
                (verdict.killer, verdict.how) = (.expectations, how)
            } else if let how = failed.invariant {
                (verdict.killer, verdict.how) = (.invariants, how)
            } else if let how = failed.convergence {
                (verdict.killer, verdict.how) = (.convergence, how)
            } else if ending != .exited(0) {
                (verdict.killer, verdict.how) = (.crash, "a failure without a failed part")
            }
        }
        if verdict.killer == nil, stages.contains(.perturb), !meeting.isEmpty {
            let files = Array(meeting.flatMap(\.files).prefix(Self.perturbedFiles))
            guard let how = try perturb(files, number) else { return nil }
            if !how.isEmpty { (verdict.killer, verdict.how) = (.perturb, how) }
        }
        if verdict.killer == nil, stages.contains(.compare), !changed.isEmpty {
            // The saved behaviour is read again for each mutant, so all files are compared in one process.
            let files = changed.flatMap(\.files)
            let limit = 60 + 5 * changed.reduce(0) { $0 + $1.seconds }
            let (ending, output) = try play(
                ["explore", "compare"] + files + ["--jobs", "1", "--against-saved", behaviour.path],
                number,
                limit: limit
            )
            if ending == .interrupted { return nil }
            if let how = Self.abnormal(ending) ?? (ending == .exited(1) ? Self.firstDifference(in: output) : nil) {
                (verdict.killer, verdict.how) = (.compare, how)
            }
        }
        for exploration in explorations where verdict.killer == nil && exploration.coverage.changed.contains(number) {
            let (ending, _) = try play(exploration.arguments, number, limit: 120)
            if ending == .interrupted { return nil }
            if ending != .exited(0) {
                (verdict.killer, verdict.how) = (.explore, Self.abnormal(ending) ?? "a finding")
            }
        }
        return verdict
    }

    /// The file with the behaviour of the client without a mutant.
    private var behaviour: URL { scratch.appendingPathComponent("behaviour.jsonl") }

    /// Saves the behaviour of the client without a mutant in the scenarios of `folder`.
    private func saveBehaviour(in folder: String) throws -> Ending {
        try ChildProcess.run(
            [binary.path, "explore", "compare", folder, "--jobs", "2", "--save", behaviour.path],
            in: repository,
            environment: [:],
            output: scratch.appendingPathComponent("behaviour.out"),
            limit: 1200 * Self.patience,
            resources: ResourceLimits(seconds: 1200, megabytes: Self.megabytes)
        )
    }

    /// Returns the first line that describes a difference in the output of `squall explore compare`.
    private static func firstDifference(in output: Data) -> String {
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        guard let index = lines.firstIndex(where: { $0.hasPrefix("DIFFERS") }), index + 1 < lines.count else {
            return "a difference"
        }
        return "\(lines[index].dropFirst(9)): \(lines[index + 1].trimmingCharacters(in: .whitespaces))"
    }

    /// Returns the first failure of a perturbed run that occurs only with the mutant; empty if there is none, nil if
    /// the user interrupts the test.
    private func perturb(_ names: [String], _ number: Int) throws -> String? {
        func findings(_ number: Int) throws -> (Ending, Set<String>) {
            let folder = scratch.appendingPathComponent("perturbed-\(number)")
            try? FileManager.default.removeItem(at: folder)
            let arguments = [
                "--perturb", "all", "--sample", "\(perturbedRuns)", "--seed", "\(seed)", "--jobs", "1", "--findings",
                folder.path,
            ]
            let (ending, _) = try play(["run"] + names + arguments, number, limit: 120)
            return (ending, Set((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []))
        }
        let (ending, found) = try findings(number)
        if ending == .interrupted { return nil }
        if let how = Self.abnormal(ending) { return how }
        if ending == .exited(0) { return "" }
        let (clean, sound) = try findings(0)
        if clean == .interrupted { return nil }
        return found.subtracting(sound).min() ?? ""
    }

    private func play(_ arguments: [String], _ number: Int, limit: Double) throws -> (Ending, Data) {
        let output = scratch.appendingPathComponent("mutant-\(number).out")
        defer { try? FileManager.default.removeItem(at: output) }
        let ending = try ChildProcess.run(
            [binary.path] + arguments,
            in: repository,
            environment: ["SQUALL_MUTANT": "\(number)"],
            output: output,
            limit: limit * Self.patience,
            resources: ResourceLimits(seconds: limit, megabytes: Self.megabytes)
        )
        return (ending, (try? Data(contentsOf: output)) ?? Data())
    }

    /// Describes an abnormal end of a process; nil if it reported success or failure, or was interrupted.
    private static func abnormal(_ ending: Ending) -> String? {
        switch ending {
        case .exited(0), .exited(1), .interrupted: nil
        case .exited(let status): "exit status \(status)"
        case .crashed(let signal): "crash (signal \(signal))"
        case .timedOut: "time limit"
        }
    }
}

/// The first failed expectation and the first broken invariants in the results of `squall run --format json`.
struct Failed {
    var expectation: String?
    var invariant: String?
    var convergence: String?

    init(_ results: Data) {
        guard let object = try? JSONSerialization.jsonObject(with: results) as? [String: Any],
            let scenarios = object["scenarios"] as? [[String: Any]]
        else { return }
        for scenario in scenarios where scenario["verdict"] as? String != "pass" {
            for part in scenario["expectations"] as? [[String: Any]] ?? [] {
                let word = part["word"] as? String ?? ""
                guard let verdict = part["verdict"] as? String, verdict != "pass", verdict != "skipped" else {
                    continue
                }
                let how = "\(scenario["file"] as? String ?? "") \(word)"
                switch word {
                case "invariant convergence": convergence = convergence ?? how
                case _ where word.hasPrefix("invariant "): invariant = invariant ?? how
                default: expectation = expectation ?? how
                }
            }
        }
    }
}
