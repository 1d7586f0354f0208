import Foundation
import Synchronization

/// Whether the user has pressed Ctrl-C.
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

/// The resource limits of a process. The kernel ends a process that exceeds them.
struct ResourceLimits {
    /// The processor time in seconds, which is independent of other load on the machine.
    var seconds: Double
    /// The size of the address space in megabytes. macOS does not enforce this limit.
    var megabytes: Int

    /// Returns the command line that runs `arguments` within these limits.
    func applied(to arguments: [String]) -> [String] {
        let script = "ulimit -S -t \(Int(seconds.rounded(.up))); ulimit -v \(megabytes * 1024) 2>/dev/null; exec \"$@\""
        return ["sh", "-c", script, "sh"] + arguments
    }
}

/// Runs a process with a time limit and writes its standard output to a file.
enum ChildProcess {
    static func run(
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = [:],
        output: URL,
        withErrors: Bool = false,
        limit: Double,
        resources: ResourceLimits? = nil
    ) throws -> Ending {
        try Data().write(to: output)
        let file = try FileHandle(forWritingTo: output)
        defer { try? file.close() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = resources?.applied(to: arguments) ?? arguments
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
        let status = process.terminationStatus
        if process.terminationReason == .exit { return .exited(status) }
        return status == SIGXCPU ? .timedOut : .crashed(signal: status)
    }
}

/// Prints a line without buffering, even if standard output is a file.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
