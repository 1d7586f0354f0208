/// The exit status of a `squall` command, as listed in its help and in the documentation.
///
/// Which status a run of a suite has is decided in `SuiteResult`, that of a comparison in `SuiteComparison`, that of a
/// conformance test in `ConformanceReport`, and that of an error in `SquallError`.
package enum ExitStatus: Hashable, Sendable {
    /// 0: everything that was checked passed, or the command succeeded.
    case passed
    /// 1: at least one check failed.
    case failed
    /// 2: nothing failed, but a check was inconclusive, or nothing was checked.
    case inconclusive
    /// 64 (`EX_USAGE`): the command line is invalid, or refers to something that does not exist.
    case usage
    /// 65 (`EX_DATAERR`): a scenario file or another input file is invalid.
    case invalidInput
    /// 70 (`EX_SOFTWARE`): a port, file or process was unavailable, or Squall has a bug.
    case internalError
    /// 130: interrupted by SIGINT, the same status that shells report.
    case interrupted
    /// The exit status of the command that `squall packets` ran.
    case command(Int32)

    package var code: Int32 {
        switch self {
        case .passed: 0
        case .failed: 1
        case .inconclusive: 2
        case .usage: 64
        case .invalidInput: 65
        case .internalError: 70
        case .interrupted: 130
        case .command(let code): code
        }
    }
}
