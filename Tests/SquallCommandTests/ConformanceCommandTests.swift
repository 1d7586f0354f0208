import Foundation
import SquallCore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs `squall serve --echo` during a test.
private final class EchoProcess {
    private let process = Process()
    /// The URL that the command prints: `ws://127.0.0.1:PORT`.
    let url: String

    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("squall")
        process.arguments = ["serve", "--echo", "--port", "0"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        url = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A process started from a Dispatch thread inherits the signals blocked there, so only SIGKILL is certain to end
    /// it.
    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Tests `squall conformance` as a user would run it.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ConformanceCommandTests {
    @Test("squall conformance judges a server and writes its reports")
    func judgesAServerAndWritesItsReports() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.path
        let ending = try Command.run(
            "conformance",
            "server",
            "--url",
            echo.url,
            "--case",
            "7",
            "--case",
            "H",
            "--agent",
            " Echo*",
            "--report",
            folder
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasPrefix("PASS  Echo: 74 cases, "))
        #expect(ending.output.hasSuffix("\nreport: \(folder)/index.html\n"), "\(ending.output)")
        #expect(ending.errors.isEmpty, "no progress without a terminal")
        let index = try JSON.decode(Array(Data(contentsOf: scratch.folder.appendingPathComponent("index.json"))))
        #expect(index["Echo"]?["7.1.1"]?["behavior"] == "OK")
        let file = try #require(index["Echo"]?["7.1.1"]?["reportfile"]?.stringValue)
        for name in [file, "index.html", "results.json", "junit.xml"] {
            #expect(FileManager.default.fileExists(atPath: "\(folder)/\(name)"), "\(name)")
        }
    }

    /// The shell limits the file size to 4 kB, which a program cannot distinguish from a full disk.
    @Test("A full disk does not suppress the verdict of squall conformance")
    func aFullDiskDoesNotSuppressTheVerdict() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let scratch = try Scratch()
        defer { scratch.remove() }
        let run = "conformance server --url \(echo.url) --case 1.1 --agent Echo --report '\(scratch.folder.path)'"
        let ending = Tool.run(
            ["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec '\(Command.binary.path)' \(run)"],
            joiningErrors: true
        )
        #expect(ending.status == 70, "\(ending.output)")
        #expect(ending.output.hasPrefix("PASS  Echo: "), "\(ending.output)")
        #expect(ending.output.contains("/index.html' cannot be written: "), "\(ending.output)")
        #expect(!ending.output.contains("report: "), "the page was not written")
        let written = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(written.contains("junit.xml") && written.contains("index.json"), "what can be written is: \(written)")
    }

    @Test("squall conformance starts a client and reports that the client played no case")
    func judgesAClientThatItStartsItself() throws {
        // A client that never connects does not play any case.
        let ending = try Command.run("conformance", "client", "--port", "0", "--case", "1", "--run", "true")
        #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        #expect(ending.output == "no case was played\n")
        #expect(ending.errors.hasPrefix("listening on ws://127.0.0.1:"))
    }

    @Test("squall conformance prints JSON results of schema version 1")
    func printsResultsOfSchemaOne() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let ending = try Command.run("conformance", "server", "--url", echo.url, "--case", "3", "--format", "json")
        #expect(ending.status == 0, "\(ending.errors)")
        let json = try JSON.decode(ending.output)
        #expect(json["schema"] == 1)
        #expect(json["totals"]?["OK"] == 7)
        #expect(
            json["cases"]?.arrayValue?.map { $0["id"]?.stringValue } == [
                "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7",
            ]
        )
    }

    @Test("squall conformance reports a known failure that no longer fails")
    func knownFailuresThatDoNotFailAreReported() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let scratch = try Scratch()
        defer { scratch.remove() }
        let known = try scratch.write("# of an older version\n3.1  looks away\n", to: "known.txt")
        let ending = try Command.run(
            "conformance",
            "server",
            "--url",
            echo.url,
            "--case",
            "3",
            "--known-failures",
            known
        )
        #expect(ending.status == 1)
        #expect(ending.output.contains("line 2 of the known failures: 3.1 did not fail; remove the entry"))
    }

    @Test("squall conformance reports every invalid argument with its remedy")
    func wrongArgumentsAreExplained() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let known = try scratch.write("99.1 nothing\n", to: "known.txt")
        let rows: [([String], Int32, String)] = [
            (["server", "--url", "http://host"], 64, "the URL must begin with ws:// or wss://"),
            (["server", "--url", "ws://127.0.0.1:1", "--insecure"], 64, "--ca and --insecure need a wss:// URL"),
            (["server", "--url", "wss://127.0.0.1:1", "--ca", "x", "--insecure"], 64, "leave --ca out"),
            (["server", "--url", "ws://127.0.0.1:1", "--case", "h.1"], 64, "did you mean 'H.1'?"),
            (["server", "--url", "ws://127.0.0.1:1", "--case", "7.1.9"], 64, "7.1 has 7.1.1 to 7.1.6"),
            (["server", "--url", "ws://127.0.0.1:1", "--case", "I.1"], 64, "use 'squall conformance client'"),
            (["server", "--url", "ws://127.0.0.1:1", "--case", "P.1"], 64, "use --protocol chat"),
            (["server", "--url", "ws://127.0.0.1:1", "--quick", "--case", "T"], 64, "--quick leaves 'T' out"),
            (["client", "--port", "0", "--skip", "*"], 64, "no case is left to judge a client by"),
            (["client", "--port", "0", "--tls-ca", "x"], 64, "--tls-ca needs --tls"),
            (["server", "--url", "ws://127.0.0.1:1"], 64, "start the server first"),
            (["server", "--url", "ws://127.0.0.1:1", "--agent", " *"], 64, "is empty without control characters"),
            (["server", "--url", "ws://127.0.0.1:1", "--agent", ""], 64, "is empty without control characters"),
            (["server", "--url", "ws://127.0.0.1:1", "--case", "zz"], 64, "'squall conformance list' lists all"),
            (
                ["server", "--url", "ws://127.0.0.1:1", "--known-failures", known], 65,
                "known.txt:1: unknown case '99.1'"
            ),
            (["server", "--url", "ws://127.0.0.1:1", "--known-failures", "/no/such"], 64, "there is no file"),
            (["server", "--url", "ws://127.0.0.1:1", "--known-failures", "/"], 64, "cannot be read"),
            (["client", "--protocol", "chat", "--profile", "nowhere"], 64, "there is no profile 'nowhere'"),
            (["client", "--port", "70000"], 64, "--port must be 0 to 65535"),
            (["client", "--protocol", "chat", "--profile", "op-frames"], 64, "changes the form of frames"),
            (["client", "--protocol", "chat", "--quick"], 64, "--quick selects published WebSocket cases"),
            (["client", "--client", "true"], 64, "the client ended by itself with exit status 0"),
            (["client", "--client", "true", "--port", "0"], 64, "leave --run and --port out"),
            (["client", "--port", "0", "--fix"], 64, "--fix needs --known-failures"),
            (["list", "--case", "zz"], 64, "there is no case 'zz'"),
        ]
        for (arguments, status, text) in rows {
            let ending = try Command(["conformance"] + arguments).ending()
            #expect(ending.status == status, "\(arguments): \(ending.errors)")
            #expect(ending.errors.contains(text), "\(arguments): \(ending.errors)")
            #expect(ending.output.isEmpty, "\(arguments): \(ending.output)")
        }
    }

    @Test("squall conformance --fix removes entries that no longer fail from the known failures")
    func fixUpdatesTheKnownFailures() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let scratch = try Scratch()
        defer { scratch.remove() }
        let known = try scratch.write("# of an older version\n3.1  looks away\n[another]\n3.2  x\n", to: "known.txt")
        let ending = try Command([
            "conformance", "server", "--url", echo.url, "--case", "3", "--known-failures", known, "--fix", "--format",
            "github",
        ]).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output == "7 cases, 0 failed\n")
        #expect(try String(contentsOfFile: known, encoding: .utf8) == "# of an older version\n[another]\n3.2  x\n")
    }

    @Test("Ctrl-C ends the client that conformance has started")
    func ctrlCEndsTheClientThatWasBegun() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let mark = scratch.folder.appendingPathComponent("pid")
        let command = try Command([
            "conformance", "client", "--port", "0", "--run", "echo $$ > '\(mark.path)'; sleep 600; true",
        ])
        let limit = Date().addingTimeInterval(30)
        var child: pid_t?
        while child == nil, Date() < limit {
            child = (try? String(contentsOf: mark, encoding: .utf8)).flatMap {
                $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil
            }
            if child == nil { usleep(5000) }
        }
        let pid = try #require(child)
        kill(command.process.processIdentifier, SIGINT)
        #expect(try command.ending().status == 130)
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    /// A shell script that requests the first case over Bash's /dev/tcp and closes the connection.
    private static let firstCase = #"""
        address=${SQUALL_URL##*:}; exec 3<>/dev/tcp/127.0.0.1/$address
        printf 'GET /runCase?case=1&agent=x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' >&3
        printf 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n' >&3
        read line <&3; exec 3>&-
        """#

    @Test(
        "A client that crashes fails the conformance run and leaves the list of known failures unchanged",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"))
    )
    func aClientThatBreaksOffFailsTheRun()
        throws
    {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let client = try scratch.write(Self.firstCase + "\nsleep 1; kill -SEGV $$\n", to: "client.sh")
        let known = try scratch.write("# nothing yet\n", to: "known.txt")
        let ending = try Command([
            "conformance", "client", "--port", "0", "--case", "1", "--known-failures", known, "--fix", "--run",
            "exec /bin/bash '\(client)'",
        ]).ending()
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.errors.contains("ended with signal 11 before 15 of 16 cases"), "\(ending.errors)")
        #expect(ending.errors.contains("known.txt is unchanged"), "\(ending.errors)")
        #expect(try String(contentsOfFile: known, encoding: .utf8) == "# nothing yet\n")
    }

    /// In cases I.7 and I.8 the handshake is invalid, so a client passes them by closing the connection.
    @Test(
        "A client that plays only some of the conformance cases does not pass",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"))
    )
    func aClientThatPlaysAPartIsNoPass() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let client = try scratch.write(Self.firstCase + "\nsleep 1\n", to: "client.sh")
        let ending = try Command([
            "conformance", "client", "--port", "0", "--case", "I.7", "--case", "I.8", "--run",
            "exec /bin/bash '\(client)'",
        ]).ending()
        #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasPrefix("PART  x: 1 of 2 cases, 1 passed\n"), "\(ending.output)")
        #expect(ending.errors.contains("ended with exit status 0 before 1 of 2 cases were played"), "\(ending.errors)")
    }

    @Test("A port in use makes squall conformance exit with status 70")
    func aPortInUseIsReported() throws {
        let echo = try EchoProcess()
        defer { echo.end() }
        let port = try #require(echo.url.split(separator: ":").last.map(String.init))
        let ending = try Command.run("serve", "--echo", "--port", port)
        #expect(ending.status == 70)
        #expect(ending.errors.contains("127.0.0.1:\(port)"), "\(ending.errors)")
        #expect(ending.errors.contains("choose another with --port"), "\(ending.errors)")
    }
}
