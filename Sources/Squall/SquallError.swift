package import SquallCore

/// Something that keeps Squall from judging: told to the user with the way out, and an exit status of its own.
package struct SquallError: Error, Sendable {
    package var message: String
    package var exitStatus: ExitStatus

    private init(_ message: String, exitStatus: ExitStatus) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// What was judged is not as it should be: 1. The message is all of what is wrong.
    package static func judged(_ message: String) -> SquallError {
        SquallError(message, exitStatus: .failed)
    }

    /// What the user asked for is not there, or makes no sense: 64.
    package static func usage(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .usage)
    }

    /// Scenario files are wrong: 65. The message is the rendered diagnostics.
    package static func scenarios(_ diagnostics: String) -> SquallError {
        SquallError(diagnostics, exitStatus: .invalidInput)
    }

    /// Whether it is ``scenarios(_:)``.
    package var isOfScenarios: Bool { exitStatus == .invalidInput }

    /// A port, a file or a process could not be had, or Squall itself is at fault: 70.
    package static func failed(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .internalError)
    }
}
