import Foundation
import Proxy
import TestSupport
import Testing

/// Toxiproxy's client libraries from PyPI, unchanged.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ClientLibraryTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let packages = ["toxiproxy-python==0.1.1", "chaostoolkit-toxiproxy==0.3.1", "setuptools<81"]

    /// A Python that has the libraries, made once and kept beside what the build makes; nil where it cannot be had.
    private static let python: String? = {
        let folder = root.appendingPathComponent(".build/toxiproxy-clients").path
        let mark = "\(folder)/complete"
        if !FileManager.default.fileExists(atPath: mark) {
            guard run("/usr/bin/env", ["python3", "-m", "venv", "--clear", folder]).status == 0,
                run("\(folder)/bin/pip", ["install", "-q", "--disable-pip-version-check"] + packages).status == 0
            else { return nil }
            guard FileManager.default.createFile(atPath: mark, contents: nil) else { return nil }
        }
        return "\(folder)/bin/python"
    }()

    private static func run(_ path: String, _ arguments: [String]) -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        guard (try? process.run()) != nil else { return (-1, "cannot run \(path)") }
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 240, execute: watchdog)
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        watchdog.cancel()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(.enabled(if: python != nil, "Python with venv, and PyPI's packages, cannot be had here"))
    func theLibrariesOfPyPIDriveIt() throws {
        let python = try #require(Self.python)
        let echo = try Upstream()
        let server = Thread {
            while let peer = echo.accept(within: 30) {
                Thread.detachNewThread {
                    while true {
                        let (bytes, end) = peer.receive(1, within: 30)
                        guard end == nil, peer.send(bytes) else { break }
                    }
                    peer.close()
                }
            }
        }
        server.start()
        try Bench.with { bench in
            let script = Self.root.appendingPathComponent("Fixtures/toxiproxy/clients.py").path
            let result = Self.run(python, [script, "127.0.0.1", "\(bench.port)", "\(echo.port)"])
            #expect(result.status == 0 && result.output.hasSuffix("ok\n"), "\(result.output)")
        }
    }
}
