import Foundation
import TestSupport

/// Runs the `squall` executable as if from a terminal.
struct Command {
    struct Ending {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The package's folder, which contains the scenarios.
    static let package = Tool.package

    /// The executable is in the same folder as the test executable.
    static let binary = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("squall")

    struct NoEnding: Error {
        var errors: String
    }

    let process = Process()
    private let scratch: Scratch
    private let outputFile: URL
    private let errorFile: URL

    init(
        _ arguments: [String],
        in folder: URL = package,
        environment: [String: String] = [:],
        input: URL? = nil,
        binary: URL = binary
    ) throws {
        scratch = try Scratch()
        outputFile = scratch.folder.appendingPathComponent("output")
        errorFile = scratch.folder.appendingPathComponent("errors")
        for name in ["output", "errors"] { try scratch.write("", to: name) }
        process.executableURL = binary
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
    }

    struct NotListening: Error {}

    /// The signals that make Squall shut down cleanly. Signals that this process ignores, such as SIGHUP under nohup,
    /// are excluded, because Squall would inherit the setting and ignore them too.
    static let ends: [Int32] = [SIGINT, SIGTERM, SIGHUP].filter { !isListed($0, as: "SigIgn", of: getpid()) }

    /// Waits until Squall handles signals. Before that, a signal would kill it without any output.
    func listens() async throws {
        #if os(Linux)
            let limit = ContinuousClock.now + .seconds(120)
            while !Self.ends.allSatisfy({ Self.isListed($0, as: "SigCgt", of: process.processIdentifier) }) {
                guard process.isRunning, ContinuousClock.now < limit else { throw NotListening() }
                try await Task.sleep(for: .milliseconds(5))
            }
        #else
            try await Task.sleep(for: .seconds(2))
        #endif
    }

    /// Returns whether one of a process's signal masks, as listed in `/proc`, contains a signal.
    private static func isListed(_ signal: Int32, as mask: String, of process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(mask):") }) else { return false }
        let bits = UInt64(line.dropFirst(mask.count + 1).filter { !$0.isWhitespace }, radix: 16) ?? 0
        return bits & (1 << UInt64(signal - 1)) != 0
    }

    /// The contents of standard error so far.
    var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Waits until the command has exited.
    ///
    /// Fails instead of waiting forever if the process does not exit, or if a child process keeps the output open.
    func ending() throws -> Ending {
        let limit = Date().addingTimeInterval(300)
        while process.isRunning, Date() < limit { usleep(2000) }
        guard !process.isRunning else {
            kill(process.processIdentifier, SIGKILL)
            throw NoEnding(errors: (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "")
        }
        defer { scratch.remove() }
        return Ending(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
        )
    }

    /// Runs the command and waits until it has exited.
    static func run(_ arguments: String..., in folder: URL = package) throws -> Ending {
        try Command(arguments, in: folder).ending()
    }
}

/// A temporary folder for one test.
struct Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
