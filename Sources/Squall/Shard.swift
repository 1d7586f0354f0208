package import ScenarioModel

/// A shard: the part of a suite that runs on one of several machines, as selected with `--shard 2/5`.
package struct Shard: Hashable, Sendable {
    /// The number of this shard, from 1.
    package let index: Int
    package let count: Int

    /// The maximum number of shards. The same limit applies when reports are read.
    private static let maximum = SuiteOrigin.Part.maximum

    /// Parses `INDEX/COUNT` with 1 ≤ index ≤ count ≤ 1,000,000; returns nil for any other text.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], 1...Self.maximum ~= count,
            1...count ~= index
        else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    /// Returns the cases of this shard. Consecutive cases are assigned to different shards, so that the slow cases of
    /// one file are distributed.
    package func selected(of scenarios: [Scenario]) -> [Scenario] {
        scenarios.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }
}

/// The source of the shard to run: the value of `--shard`, or the environment variables of a CI system that starts
/// several machines.
package enum ShardChoice: Hashable, Sendable {
    case part(Shard)
    /// The shard is read from environment variables; `count` is the number of shards if the CI system provides only the
    /// index.
    case environment(count: Int?)

    /// Parses `2/5`, `auto` or `auto/5`; returns nil for any other text.
    package init?(_ text: String) {
        if let shard = Shard(text) {
            self = .part(shard)
        } else if text == "auto" {
            self = .environment(count: nil)
        } else if text.hasPrefix("auto/"), let count = Int(text.dropFirst(5)), count >= 1 {
            self = .environment(count: count)
        } else {
            return nil
        }
    }

    /// The environment variables in which each CI system gives the shard's index, the index of the first shard, the
    /// difference between the indices of consecutive shards, and the number of shards.
    ///
    /// `base` is the index of the first shard if no variable contains it. Kubernetes does not pass the number of pods
    /// to the pods of an indexed job.
    private static let systems: [(index: String, first: String?, base: Int, step: String?, count: String)] = [
        ("TEST_SHARD_INDEX", nil, 0, nil, "TEST_TOTAL_SHARDS"),
        ("CI_NODE_INDEX", nil, 1, nil, "CI_NODE_TOTAL"),
        ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", 0, "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"),
        ("JOB_COMPLETION_INDEX", nil, 0, nil, "JOB_COMPLETIONS"),
    ]

    /// Creates the file that tells Bazel that a test supports sharding. Without the file, Bazel assumes that the test
    /// runs all cases in every shard, and reports the test as failed.
    ///
    /// - Throws: ``SquallError`` if the file in `TEST_SHARD_STATUS_FILE` cannot be written.
    package static func acknowledge(_ variable: (String) -> String?) throws(SquallError) {
        guard let file = variable("TEST_SHARD_STATUS_FILE") else { return }
        try WholeFile.append("", to: file)
    }

    /// Returns the shard to run.
    ///
    /// - Throws: ``SquallError`` if no CI system has set its variables, or if their values are invalid.
    package func shard(_ variable: (String) -> String?) throws(SquallError) -> Shard {
        guard case .environment(let given) = self else {
            guard case .part(let shard) = self else { throw .usage("--shard does not name a part") }
            return shard
        }
        guard let system = Self.systems.first(where: { variable($0.index) != nil }) else {
            let names = Self.systems.map(\.index).joined(separator: ", ")
            throw .usage("--shard auto: none of these variables is set: \(names)")
        }
        let first = system.first.flatMap(variable).flatMap(Int.init) ?? system.base
        let step = max(1, system.step.flatMap(variable).flatMap(Int.init) ?? 1)
        guard let index = variable(system.index).flatMap(Int.init) else {
            throw .usage("--shard auto: \(system.index) is not a number: '\(variable(system.index) ?? "")'")
        }
        let stated = variable(system.count).flatMap(Int.init)
        if let given, let stated, given != stated {
            throw .usage("--shard auto/\(given): \(system.count) is \(stated); write --shard auto")
        }
        guard let count = given ?? stated else {
            throw .usage("--shard auto: \(system.index) is set, but not \(system.count); write --shard auto/COUNT")
        }
        // The indices of an array job such as 1-7:2 have gaps, so the shard number is computed by dividing by the step.
        guard index >= first, let shard = Shard("\((index - first) / step + 1)/\(count)") else {
            throw .usage("--shard auto: \(system.index) \(index) is none of \(count) parts that begin with \(first)")
        }
        return shard
    }
}
