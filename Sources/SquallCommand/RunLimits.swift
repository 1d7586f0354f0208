import ArgumentParser
import Squall

/// The options that end a suite early, or repeat failed runs.
struct RunLimits: ParsableArguments {
    @Flag(help: "Stop at the first failure that is not a known one.")
    var untilFail = false

    // A negative number is not mistaken for an option, so that the error can say which numbers are valid.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this many failed cases; known failures do not count.", valueName: "n")
    )
    var maxFailures: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Play a failed live run again, up to n times. One that passes then is flaky: every report names it, and it \
            does not fail the suite. In sim a failure repeats exactly, and is not played again.
            """,
            valueName: "n"
        )
    )
    var retries = 0

    @Option(
        help: ArgumentHelp(
            """
            Begin no run after this time, such as 5m. What failed in the earlier results of --report comes first; what \
            took longer there than the time that remains is left out. The cases left out are named.
            """,
            valueName: "time"
        ),
        transform: PositiveTime.init
    )
    var budget: PositiveTime?

    func validate() throws {
        if let maxFailures, maxFailures < 1 {
            throw ValidationError("--max-failures must be at least 1, not \(maxFailures)")
        }
        if retries < 0 { throw ValidationError("--retries must not be negative") }
        if retries > 0, untilFail || maxFailures != nil {
            throw ValidationError("--retries cannot be used with --until-fail or --max-failures")
        }
        if untilFail, maxFailures != nil { throw ValidationError("--until-fail is the same as --max-failures 1") }
    }

    func apply(to options: inout SuiteOptions) {
        options.maximumFailures = untilFail ? 1 : maxFailures
        options.retries = retries
        options.budget = budget?.span
    }
}
