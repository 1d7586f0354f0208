import Foundation
import SquallCore

/// How much chance the fuzz tests are given: a fixed budget of the same each time, and with `SQUALL_SOAK=1`, as `make soak`
/// has it, fifty times as much of what no run had before.
enum FuzzBudget {
    private static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    /// Set to play a soak's chance again; each failure names it.
    private static let asked = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }

    static let factor = isSoak ? 50 : 1
    static let seed = asked ?? (isSoak ? UInt64.random(in: 1 ... .max) : 0)

    /// The stream that a test takes its chance from.
    static func stream(_ number: UInt64, _ name: String) -> SeededGenerator { Seed(number ^ seed).stream(name) }

    /// What a failure is to be found again by.
    static func place(_ run: Int) -> String { seed == 0 ? "run \(run)" : "run \(run), FUZZ_SEED=\(seed)" }
}
