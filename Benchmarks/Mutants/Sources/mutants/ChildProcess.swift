import Foundation
import Synchronization

/// Whether the user pressed ctrl-C.
enum Interruption {
    private static let flag = Atomic(false)
    static var happened: Bool { flag.load(ordering: .relaxed) }
    static func watch() { signal(SIGINT) { _ in Interruption.flag.store(true, ordering: .relaxed) } }
}

/// How a process ended.
enum Ending: Equatable {
    case exited(Int32)
    case crashed(signal: Int32)
    case timedOut
    case interrupted
}

/// A process with limits of time and memory, whose standard output goes to a file.
enum ChildProcess {
    static func run(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        output: URL,
        withErrors: Bool = false,
        limit: Double,
        megabytes: Int? = nil
    ) throws -> Ending {
        try Data().write(to: output)
        let file = try FileHandle(forWritingTo: output)
        defer { try? file.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A mutant that never stops allocating must end before the machine runs out of memory. macOS has no such limit.
        let limited = megabytes.map { ["sh", "-c", "ulimit -v \($0 * 1024) 2>/dev/null; exec \"$@\"", "sh"] } ?? []
        process.arguments = limited + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = file
        process.standardError = withErrors ? file : FileHandle.nullDevice
        try process.run()
        let deadline = ContinuousClock.now + .seconds(limit)
        while process.isRunning {
            if Interruption.happened || ContinuousClock.now > deadline {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                return Interruption.happened ? .interrupted : .timedOut
            }
            usleep(5000)
        }
        return process.terminationReason == .exit
            ? .exited(process.terminationStatus) : .crashed(signal: process.terminationStatus)
    }
}

/// Prints a line at once, also when the output is a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
