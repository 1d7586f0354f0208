package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A command of the machine's, run to its end: `openssl`, `curl`, a Python.
package enum Tool {
    package struct Ending {
        /// -1 where it cannot be run at all.
        package var status: Int32
        package var bytes: Data
        package var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// What it says on standard error is thrown away, or joined to its output. It is killed after so many seconds.
    package static func run(_ words: [String], joiningErrors: Bool = false, within limit: Double = 60) -> Ending {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = joiningErrors ? pipe : FileHandle.nullDevice
        do { try process.run() } catch { return Ending(status: -1, bytes: Data("\(error)".utf8)) }
        // A child of a thread that holds signals back does so too: only this one it cannot.
        let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        watchdog.cancel()
        return Ending(status: process.terminationStatus, bytes: bytes)
    }

    package static func run(_ words: String...) -> Ending { run(words) }

    /// The package's own folder.
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Python with packages from the index; nil where it cannot be had.
    ///
    /// It lies beside what is built: kept from one run of the tests to the next, and gone with it.
    package static func python(_ name: String, with packages: [String]) -> String? {
        let folder = package.appendingPathComponent(".build/\(name)")
        let python = folder.appendingPathComponent("bin/python").path
        let mark = folder.appendingPathComponent("installed.txt")
        let wanted = packages.joined(separator: "\n")
        if (try? String(contentsOf: mark, encoding: .utf8)) == wanted { return python }
        guard run(["python3", "-m", "venv", "--clear", folder.path], within: 240).status == 0,
            run([python, "-m", "pip", "install", "--quiet"] + packages, within: 240).status == 0
        else { return nil }
        // Unmarked, it is made anew the next time.
        try? wanted.write(to: mark, atomically: true, encoding: .utf8)
        return python
    }
}
