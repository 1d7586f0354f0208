import Foundation
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Python libraries for the tests, in a virtual environment that is set up once from PyPI if Python is installed.
enum PythonPeers {
    static let packages = ["websockets==17.4", "aiohttp==3.14.5", "wsproto==1.3.2", "websocket-client==1.9.2"]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The path of a Python interpreter with the packages installed; nil if there is none.
    static let python = Tool.python("conformance-peers", with: packages)

    /// Whether to run the long comparisons as well, as `make soak` does.
    static let isSoak = ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1"

    static func script(_ name: String) -> String { folder.appendingPathComponent("Peers/\(name).py").path }

    static func example(_ name: String) -> String {
        folder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples/\(name)").path
    }
}

/// An echo server written in Python. It is ready once it has reported its port.
final class PythonServer {
    private let process = Process()
    let port: Int

    /// Starts the server. For TLS, `arguments` contains a certificate and its key.
    init(_ name: String, python: String, arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [PythonPeers.script(name)] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            kill(process.processIdentifier, SIGKILL)
            throw CocoaError(.fileReadCorruptFile)
        }
        self.port = port
    }

    /// Kills the server. A child process started from a Dispatch thread inherits a blocked SIGTERM, so only SIGKILL is
    /// certain to terminate it.
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
