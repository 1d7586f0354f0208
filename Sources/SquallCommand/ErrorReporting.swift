import Squall

/// Runs a command's work and tells its errors: a message that names the thing and the way out, and the exit status of the
/// design (64 for input that is not there, 65 for a scenario that is wrong, 70 for what Squall could not have or do).
func reportingErrors(_ work: () async throws -> Int32) async -> Int32 {
    // Nothing that was begun outlives Squall, whichever way it ends.
    defer { LiveProcesses.killAll() }
    do {
        return try await work()
    } catch let error as SquallError {
        Terminal.progress("")
        Terminal.complain(error.message)
        return error.exitStatus
    } catch is CancellationError {
        return 130
    } catch {
        Terminal.progress("")
        Terminal.complain("squall: \(error)")
        return 70
    }
}
