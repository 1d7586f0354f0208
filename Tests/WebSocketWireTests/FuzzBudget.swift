import Foundation
import SquallCore

/// The amount and seed of the random input for fuzz tests. By default, both are fixed. With `SQUALL_SOAK=1`, which
/// `make soak` sets, the amount is fifty times as large and each run has a new seed.
enum FuzzBudget {
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    /// The seed in the environment variable `FUZZ_SEED`. To reproduce a soak run's failure, set it to the seed in the
    /// failure message.
    private static let asked = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }

    static let factor = isSoak ? 50 : 1
    static let seed = asked ?? (isSoak ? UInt64.random(in: 1 ... .max) : 0)

    /// Returns a random number generator for one test, derived from the seed and the test's number and name.
    static func stream(_ number: UInt64, _ name: String) -> SeededGenerator { Seed(number ^ seed).stream(name) }

    /// Returns text for a failure message: the number of the run, and the seed if it is not the default.
    static func place(_ run: Int) -> String { seed == 0 ? "run \(run)" : "run \(run), FUZZ_SEED=\(seed)" }
}
