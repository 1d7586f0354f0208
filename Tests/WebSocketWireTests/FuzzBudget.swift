import Foundation
import SquallCore

/// The random input of the fuzz tests: the same fixed budget each time, and with `SQUALL_SOAK=1`, as in `make soak`,
/// fifty times as much from a new seed.
enum FuzzBudget {
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    /// The seed; set it to repeat a soak, whose failures name it.
    private static let asked = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }

    static let factor = isSoak ? 50 : 1
    static let seed = asked ?? (isSoak ? UInt64.random(in: 1 ... .max) : 0)

    /// A test's stream of random numbers.
    static func stream(_ number: UInt64, _ name: String) -> SeededGenerator { Seed(number ^ seed).stream(name) }

    /// The text that identifies a failing run.
    static func place(_ run: Int) -> String { seed == 0 ? "run \(run)" : "run \(run), FUZZ_SEED=\(seed)" }
}
