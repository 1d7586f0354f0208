import Foundation
import SquallCore
import Synchronization
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Runs `squall run --client http` and sends requests to its control port.
final class AppRun {
    struct NoURL: Error {
        var errors: String
    }

    let command: Command
    /// The URL of the control port, with a trailing slash.
    let url: String
    let file: String
    private let scratch: Scratch

    /// Starts a run of a scenario that is given as text, and waits until the control port is open.
    init(_ scenario: String, _ options: String...) throws {
        scratch = try Scratch()
        let path = try scratch.write(scenario, to: "scenario.yaml")
        file = scratch.folder.appendingPathComponent("control").path
        command = try Command(["run", path, "--client", "http", "--control-file", file] + options)
        let limit = ContinuousClock.now + .seconds(60)
        var text = ""
        while !text.hasSuffix("\n"), ContinuousClock.now < limit, command.process.isRunning {
            text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            usleep(5_000)
        }
        guard text.hasSuffix("\n") else { throw NoURL(errors: command.errors) }
        url = String(text.dropLast())
    }

    deinit {
        if command.process.isRunning { command.process.terminate() }
        scratch.remove()
    }

    /// Whether the file that contains the URL still exists.
    var hasFile: Bool { FileManager.default.fileExists(atPath: file) }

    struct Answer {
        var status: Int
        var text: String
        var headers: [String: String]
    }

    /// Sends a request and returns its response; the status is -1 if there is none.
    static func ask(_ method: String, _ url: String, _ body: Data? = nil) -> Answer {
        guard let target = URL(string: url) else { return Answer(status: -1, text: "", headers: [:]) }
        var request = URLRequest(url: target, timeoutInterval: 60)
        request.httpMethod = method
        request.httpBody = body
        let answer = Mutex(Answer(status: -1, text: "", headers: [:]))
        let isDone = DispatchSemaphore(value: 0)
        let task = URLSession(configuration: .ephemeral).dataTask(with: request) { data, response, _ in
            if let response = response as? HTTPURLResponse {
                let headers = response.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
                answer.withLock {
                    $0 = Answer(
                        status: response.statusCode,
                        text: String(decoding: data ?? Data(), as: UTF8.self),
                        headers: Dictionary(headers) { $1 }
                    )
                }
            }
            isDone.signal()
        }
        task.resume()
        isDone.wait()
        return answer.withLock(\.self)
    }

    @discardableResult
    func ask(_ method: String, _ path: String, _ body: String? = nil) -> Answer {
        Self.ask(method, url + path, body.map { Data($0.utf8) })
    }
}

/// A running `AppDemo`: an example app that polls Squall's control port using the Swift sample code, and has no chat
/// connection.
final class DemoApp {
    private let process = Process()
    private let scratch: Scratch
    private let output: URL

    /// Connects to the control port. If `event` is given, the app reports this JSON object when it is started.
    init(_ url: String, takes: String, reporting event: String? = nil) throws {
        scratch = try Scratch()
        output = scratch.folder.appendingPathComponent("output")
        try scratch.write("", to: "output")
        process.executableURL = Command.binary.deletingLastPathComponent().appendingPathComponent("AppDemo")
        process.arguments = [url, takes] + (event.map { [$0] } ?? [])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        scratch.remove()
    }

    var isRunning: Bool { process.isRunning }

    /// The commands that the app has received.
    var commands: [JSON] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSON.decode(String($0)) }
    }

    /// Waits until the app has received a command of this type.
    func waits(for type: String) {
        let limit = ContinuousClock.now + .seconds(60)
        while !commands.contains(where: { $0["type"]?.stringValue == type }), ContinuousClock.now < limit {
            usleep(5_000)
        }
    }
}
