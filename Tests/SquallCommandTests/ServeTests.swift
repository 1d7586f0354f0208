import Foundation
import Foundations
import TestSupport
import Testing

/// `squall serve` as somebody at a keyboard has it, with a bare socket in the app's place.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct ServeTests {
    /// A running `serve`, spoken to and listened to.
    private final class Served {
        let process = Process()
        private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        private let watchdog: DispatchWorkItem
        private var rest = ""

        init(_ arguments: String...) throws {
            process.executableURL = Command.binary
            process.arguments = ["serve", "--format", "json"] + arguments
            process.standardInput = input
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let pid = process.processIdentifier
            watchdog = DispatchWorkItem { kill(pid, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        }

        deinit {
            watchdog.cancel()
            kill(process.processIdentifier, SIGKILL)
        }

        func type(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

        /// The next line of the output that holds this; nil at its end.
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

        /// The port of the client whose addresses are told next.
        func port() throws -> String {
            let place = try JSON.decode(try #require(line(with: "ws_urls")))
            #expect(place["key"] == "key-1")
            let url = try #require(place["http_urls"]?.arrayValue?.first?.stringValue)
            return try #require(url.split(separator: ":").last.map(String.init))
        }

        func ending() -> (status: Int32, errors: String) {
            process.waitUntilExit()
            return (
                process.terminationStatus,
                String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            )
        }
    }

    private static let upgrade =
        #"GET /ws HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"#
        + #"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"#

    /// A connection to that port that asks for a WebSocket, and ends when it is ended.
    private static func connect(to port: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(upgrade)' >&3; exec cat <&3"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test func whatIsTypedHappensAndIsSeen() throws {
        let served = try Served()
        let app = try Self.connect(to: try served.port())
        #expect(served.line(with: "network.accepted") != nil)
        served.type("netwrok: drop")
        served.type("network: drop")
        #expect(served.line(with: "fault.hit") != nil)
        app.waitUntilExit()
        served.type("server: { post: stukov }")
        #expect(served.line(with: "server.stored")?.contains("stukov") == true)
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 0)
        #expect(ending.errors.contains("did you mean 'network'?"))
    }

    @Test func everyClientHasAPortByWhichItIsKnown() throws {
        let served = try Served("--client", "anna", "--client", "ben")
        let ports = [try served.port(), try served.port()]
        #expect(Set(ports).count == 2)
        let app = try Self.connect(to: ports[1])
        #expect(served.line(with: "network.accepted")?.contains(#""client":"ben""#) == true)
        served.type("network: { reset_peer: { clients: [ben] } }")
        #expect(served.line(with: "fault.hit")?.contains("ben") == true)
        app.waitUntilExit()
        kill(served.process.processIdentifier, SIGINT)
        #expect(served.ending().status == 130)
    }

    /// Attempts without any pause between them.
    @Test func quitJudgesWhatWasSeen() throws {
        let served = try Served()
        let port = try served.port()
        for _ in 0..<4 {
            let app = try Self.connect(to: port)
            #expect(served.line(with: "client.attempt.began") != nil)
            served.type("network: reset_peer")
            app.waitUntilExit()
        }
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 1)
        #expect(ending.errors.contains("FAIL  invariant backoff_envelope"), "\(ending.errors)")
    }

    @Test func aPortThatIsTakenIsToldAndTheRestIsUsage() throws {
        let served = try Served()
        let port = try served.port()
        let taken = try Command.run("serve", "--port", port)
        #expect(taken.status == 70)
        #expect(taken.errors.contains("127.0.0.1"), "\(taken.errors)")
        for (arguments, part) in [
            (["--host", "nowhere"], "IPv4"), (["--port", "70000"], "65535"), (["--echo", "--client", "a"], "echo"),
            (["--name", "x"], "--tls"),
        ] {
            let ending = try Command(["serve"] + arguments).ending()
            #expect(ending.status == 64 && ending.errors.contains(part), "\(arguments): \(ending.errors)")
        }
        let wrong = try Command.run("serve", "--profile", "chatux")
        #expect(wrong.status != 0 && wrong.errors.contains("chat-ux"), "\(wrong.errors)")
        let listening = try Command.run("run", "Scenarios", "--listen", "127.0.0.1:9")
        #expect(listening.status == 64 && listening.errors.contains("--client external"))
    }
}
