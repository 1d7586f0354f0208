/// The exit status of a `squall` command, as its help and the documentation list them.
package enum ExitStatus: Hashable, Sendable {
    /// 0: everything that was judged is as it should be, or the command did its work.
    case passed
    /// 1: something was judged and failed.
    case failed
    /// 2: nothing failed, but something could not be judged, or nothing was.
    case inconclusive
    /// 64 (`EX_USAGE`): what the command line asks for does not exist or makes no sense.
    case usage
    /// 65 (`EX_DATAERR`): a scenario file, or another input file, is wrong.
    case invalidInput
    /// 70 (`EX_SOFTWARE`): a port, a file or a process could not be had, or Squall itself is at fault.
    case internalError
    /// 130: interrupted, as a shell reports SIGINT.
    case interrupted
    /// The status of the command that `squall packets` ran.
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
