/// Something that keeps Squall from judging: told to the user with the way out, and an exit status of its own.
package struct SquallError: Error, Sendable {
    package var message: String
    package var exitStatus: Int32

    private init(_ message: String, exitStatus: Int32) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// What was judged is not as it should be: 1. The message is all of what is wrong.
    package static func judged(_ message: String) -> SquallError {
        SquallError(message, exitStatus: 1)
    }

    /// What the user asked for is not there, or makes no sense: 64.
    package static func usage(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: 64)
    }

    /// Scenario files are wrong: 65. The message is the rendered diagnostics.
    package static func scenarios(_ diagnostics: String) -> SquallError {
        SquallError(diagnostics, exitStatus: 65)
    }

    /// Whether it is ``scenarios(_:)``.
    package var isOfScenarios: Bool { exitStatus == 65 }

    /// A port, a file or a process could not be had, or Squall itself is at fault: 70.
    package static func failed(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: 70)
    }
}
