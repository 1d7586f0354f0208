import Foundation

/// A running `squall serve`, or another command that serves connections.
///
/// The process is killed after a time limit, or when the last reference to it is released.
final class Serving {
    let process = Process()
    private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    private let watchdog: DispatchWorkItem
    /// The output that has not been read yet.
    private var rest = ""
    private var complaints = ""

    init(_ arguments: [String], of command: String = "serve", within seconds: Int = 60) throws {
        process.executableURL = Command.binary
        process.arguments = [command] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let process = process
        watchdog = DispatchWorkItem { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: watchdog)
    }

    deinit {
        watchdog.cancel()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func type(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

    /// Reads the output up to the next line that contains the text, and returns that line; nil if the output ends
    /// first.
    func line(with part: String) -> String? {
        while true {
            while let end = rest.firstIndex(of: "\n") {
                let line = String(rest[..<end])
                rest = String(rest[rest.index(after: end)...])
                if line.contains(part) { return line }
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            rest += String(decoding: data, as: UTF8.self)
        }
    }

    /// Reads standard error up to the text and returns what was read; nil if standard error ends first.
    func complaint(upTo part: String) -> String? {
        while !complaints.contains(part) {
            let data = errors.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            complaints += String(decoding: data, as: UTF8.self)
        }
        return complaints
    }

    /// Waits for the command to exit, and returns its exit status and everything it wrote to standard error.
    func ending() -> (status: Int32, errors: String) {
        complaints += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, complaints)
    }

    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        return ending().status
    }
}

/// A failed `#expect` reflects its operands, and reflecting Foundation's `Process` crashes.
extension Serving: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
