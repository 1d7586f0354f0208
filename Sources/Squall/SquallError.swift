package import SquallCore

/// An error that ends a command, with a message for the user and the exit status.
package struct SquallError: Error, Sendable {
    /// The problem and its remedy, as printed to standard error.
    package var message: String
    package var exitStatus: ExitStatus

    private init(_ message: String, exitStatus: ExitStatus) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// Something was judged and failed: exit status 1. The message lists everything that is wrong.
    package static func judged(_ message: String) -> SquallError {
        SquallError(message, exitStatus: .failed)
    }

    /// The user requested something that does not exist or makes no sense: exit status 64.
    package static func usage(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .usage)
    }

    /// Scenario files have mistakes: exit status 65. The message is the rendered diagnostics.
    package static func scenarios(_ diagnostics: String) -> SquallError {
        SquallError(diagnostics, exitStatus: .invalidInput)
    }

    /// Whether it is ``scenarios(_:)``.
    package var isOfScenarios: Bool { exitStatus == .invalidInput }

    /// A port, a file or a process is not available, or Squall has a bug: exit status 70.
    package static func failed(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .internalError)
    }
}
