import ArgumentParser
import Squall
import SquallCore

/// Runs a command's work, prints any error to standard error, and ends the command with the exit status.
///
/// - Throws: `ExitCode` unless the status is 0.
func finish(_ work: () async throws -> ExitStatus) async throws {
    let status = await reportingErrors(work)
    if status != .passed { throw ExitCode(status.code) }
}

private func reportingErrors(_ work: () async throws -> ExitStatus) async -> ExitStatus {
    // Processes that Squall has started must not outlive it, however the command ends.
    defer { LiveProcesses.killAll() }
    do {
        return try await work()
    } catch let error as SquallError {
        Terminal.progress("")
        if error.isOfScenarios {
            Terminal.printDiagnostics(error.message)
        } else {
            Terminal.printError(error.message)
        }
        return error.exitStatus
    } catch is CancellationError {
        return .interrupted
    } catch {
        Terminal.progress("")
        Terminal.printError("squall: \(error)")
        return .internalError
    }
}
