package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs external commands, such as `openssl`, `curl` and Python, and waits until they have exited.
package enum Tool {
    package struct Ending {
        /// The exit status; -1 if the command cannot be run.
        package var status: Int32
        package var bytes: Data
        package var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Runs a command and kills it after `limit` seconds. Standard error is discarded, or merged into the output.
    package static func run(_ words: [String], joiningErrors: Bool = false, within limit: Double = 60) -> Ending {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = joiningErrors ? pipe : FileHandle.nullDevice
        do { try process.run() } catch { return Ending(status: -1, bytes: Data("\(error)".utf8)) }
        // A child process inherits the signals blocked in its parent thread, but SIGKILL cannot be blocked.
        let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        watchdog.cancel()
        return Ending(status: process.terminationStatus, bytes: bytes)
    }

    package static func run(_ words: String...) -> Ending { run(words) }

    /// The package's folder.
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the path of a Python executable that has the given packages from PyPI, or nil if they cannot be
    /// installed.
    ///
    /// The virtual environment is kept in the build folder between test runs.
    package static func python(_ name: String, with packages: [String]) -> String? {
        let folder = package.appendingPathComponent(".build/\(name)")
        let python = folder.appendingPathComponent("bin/python").path
        let mark = folder.appendingPathComponent("installed.txt")
        let wanted = packages.joined(separator: "\n")
        if (try? String(contentsOf: mark, encoding: .utf8)) == wanted { return python }
        guard run(["python3", "-m", "venv", "--clear", folder.path], within: 240).status == 0,
            run([python, "-m", "pip", "install", "--quiet"] + packages, within: 240).status == 0
        else { return nil }
        // If this marker file is missing, the next run installs the packages again.
        try? wanted.write(to: mark, atomically: true, encoding: .utf8)
        return python
    }
}
