import Foundation
import TestSupport

/// The built `squall`, as somebody at a terminal has it.
struct Command {
    struct Ending {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The package's own folder: where its scenarios are.
    static let package = Tool.package

    /// It lies beside the tests' own executable.
    static let binary = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("squall")

    struct NoEnding: Error {
        var errors: String
    }

    let process = Process()
    private let scratch: Scratch
    private let outputFile: URL
    private let errorFile: URL

    init(_ arguments: [String], in folder: URL = package, environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        outputFile = scratch.folder.appendingPathComponent("output")
        errorFile = scratch.folder.appendingPathComponent("errors")
        for name in ["output", "errors"] { try scratch.write("", to: name) }
        process.executableURL = Self.binary
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
    }

    /// Waits until it has taken signals over: before, one would be the end of it without a word.
    func listens() async throws {
        let limit = ContinuousClock.now + .seconds(120)
        while process.isRunning, ContinuousClock.now < limit {
            #if os(Linux)
                let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
                let caught = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
                if caught & (1 << (SIGTERM - 1)) != 0 { return }
                try await Task.sleep(for: .milliseconds(5))
            #else
                return try await Task.sleep(for: .seconds(2))
            #endif
        }
    }

    /// Waits for its end.
    ///
    /// One that does not come, or that leaves something running which keeps its place, fails rather than waits for ever.
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

    /// Runs it to its end.
    static func run(_ arguments: String..., in folder: URL = package) throws -> Ending {
        try Command(arguments, in: folder).ending()
    }
}

/// A folder of a test's own, below the system's temporary one.
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
