package import SquallCore

/// An error that ends a command, with a message for the user and an exit status.
package struct SquallError: Error, Sendable {
    /// The problem and its remedy; printed to standard error.
    package var message: String
    package var exitStatus: ExitStatus

    /// Whether the error is a failure of the client under test.
    package private(set) var isOfClient = false

    private init(_ message: String, exitStatus: ExitStatus) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// Creates an error for a check that failed, with exit status 1. The message lists all problems.
    package static func checkFailed(_ message: String) -> SquallError {
        SquallError(message, exitStatus: .failed)
    }

    /// Creates an error for a request that is invalid or refers to something that does not exist, with exit status 64.
    package static func usage(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .usage)
    }

    /// Creates an error with exit status 64, for a client with which no case can be run.
    package static func client(_ message: String) -> SquallError {
        var error = usage(message)
        error.isOfClient = true
        return error
    }

    /// Creates an error for invalid scenario files, with exit status 65. The message consists of the rendered
    /// diagnostics.
    package static func scenarios(_ diagnostics: String) -> SquallError {
        SquallError(diagnostics, exitStatus: .invalidInput)
    }

    /// Whether the error is an error in scenario files.
    package var isOfScenarios: Bool { exitStatus == .invalidInput }

    /// Creates an error for an unavailable port, file or process, or for a bug in Squall, with exit status 70.
    package static func failed(_ message: String) -> SquallError {
        SquallError("squall: \(message)", exitStatus: .internalError)
    }
}
