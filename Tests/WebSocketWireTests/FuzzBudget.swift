import Foundation
import SquallCore

/// The amount of random input for the fuzz tests: a fixed amount from a fixed seed or, with `SQUALL_SOAK=1` as in `make
/// soak`, fifty times as much from a new seed.
enum FuzzBudget {
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    /// The seed in the environment. Set it to repeat a soak run, whose failures state the seed.
    private static let asked = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }

    static let factor = isSoak ? 50 : 1
    static let seed = asked ?? (isSoak ? UInt64.random(in: 1 ... .max) : 0)

    /// Returns the random number generator of a test.
    static func stream(_ number: UInt64, _ name: String) -> SeededGenerator { Seed(number ^ seed).stream(name) }

    /// Returns a description that identifies a failing run.
    static func place(_ run: Int) -> String { seed == 0 ? "run \(run)" : "run \(run), FUZZ_SEED=\(seed)" }
}
