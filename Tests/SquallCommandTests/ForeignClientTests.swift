import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall run` with clients that violate the adapter protocol; each is a short shell script.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ForeignClientTests {
    private static let scenario = "Scenarios/order/every-message-has-an-id.yaml"

    /// Returns a client that answers `init` and then runs another command.
    private static func ready(_ then: String) -> String {
        #"read line; echo '{"in_reply_to":1,"type":"init_ok","name":"sh","shows":["connection.state"],"takes":["send"]}'; read line || exit 0; "#
            + then
    }

    private struct Misdeed: CustomTestStringConvertible {
        var name: String
        var command: String
        var expected: String

        var testDescription: String { name }
    }

    private static let misdeeds = [
        Misdeed(
            name: "dies later",
            command: ready("echo out of memory >&2; kill -9 $$"),
            expected: "the client ended by itself with signal 9"
        ),
        Misdeed(
            name: "prints garbage later",
            command: ready("echo oops; sleep 60"),
            expected: "a line that is not a message"
        ),
        Misdeed(
            name: "prints binary",
            command: ready(#"printf '\377\000\001\n'; sleep 60"#),
            expected: "a line that is not a message"
        ),
        Misdeed(
            name: "ignores the signals that ask it to end",
            command: ready("trap '' TERM HUP INT QUIT; sleep 60"),
            expected: "did not answer start within 5s"
        ),
        Misdeed(
            name: "floods",
            command: ready(#"yes '{"event":"log","text":"x"}'"#),
            expected: "more than 10000 lines within 1s"
        ),
        Misdeed(
            name: "huge line",
            command: ready("head -c 3000000 /dev/zero | tr '\\0' x; sleep 60"),
            expected: "a line of more than 1048576 bytes"
        ),
        Misdeed(
            name: "closes its output",
            command: ready("exec >&-; sleep 60"),
            expected: "closed its standard output but did not exit"
        ),
        Misdeed(
            name: "hangs for a reason",
            command: ready("cat > /dev/null; echo \"KeyError: 'seq'\" >&2; exit 1"),
            expected:
                "did not answer start within 5s; it ended with exit status 1; last lines of standard error: KeyError: 'seq'"
        ),
        Misdeed(name: "hangs", command: ready("sleep 60"), expected: "did not answer start within 5s"),
        Misdeed(
            name: "answers a request that was never sent",
            command: ready(#"echo '{"in_reply_to":77,"type":"ok"}'; sleep 60"#),
            expected: "answered request 77, which is not pending"
        ),
        Misdeed(
            name: "shows what cannot be",
            command: ready(
                #"echo '{"in_reply_to":2,"type":"ok"}'; echo '{"event":"state","value":"WEIRD"}'; sleep 60"#
            ),
            expected: "\"WEIRD\" is not one of idle, connecting"
        ),
    ]

    @Test("A client that violates the adapter protocol fails the run with a reason", arguments: misdeeds)
    private func eachEndsInAClearVerdict(_ misdeed: Misdeed) throws {
        let mark = "squall-test-\(UUID().uuidString)"
        let started = ContinuousClock.now
        let ending = try Command.run("run", Self.scenario, "--client", ": \(mark); \(misdeed.command)")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("  run: "))
        // On a busy machine, the deadline for the answer may pass before Squall has read everything that the flooding
        // client writes.
        let isSlow = misdeed.name == "floods" && ending.output.contains("did not answer start within 5s")
        #expect(ending.output.contains(misdeed.expected) || isSlow, "\(ending.output)")
        #expect(ContinuousClock.now - started < .seconds(30))
        #expect(Self.processes(with: mark).isEmpty, "nothing is left behind")
    }

    private static let unusable = [
        Misdeed(
            name: "dies",
            command: "echo 'no licence' >&2; exit 3",
            expected: """
                the client ended by itself with exit status 3; last lines of standard error: no licence
                  try the command by hand: it must keep running, read one JSON line per command from standard input, and \
                answer 'init' with 'init_ok'
                """
        ),
        Misdeed(name: "is killed", command: "kill -9 $$", expected: "the client ended by itself with signal 9"),
        Misdeed(
            name: "does not exist",
            command: "/nowhere/at/all",
            expected: "check the program's path; a name without a path is looked up in PATH"
        ),
        Misdeed(
            name: "prints garbage",
            command: "echo Listening; sleep 60",
            expected: "a line that is not a message (unexpected 'L' at byte 0): Listening"
        ),
    ]

    @Test("A client that cannot be used ends the run at once with one usage error", arguments: unusable)
    private func eachEndsTheRun(_ misdeed: Misdeed) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let mark = "squall-test-\(UUID().uuidString)"
        let client = ": \(mark); \(misdeed.command)"
        let report = scratch.folder.appendingPathComponent("out").path
        // The results of an earlier run must not be mistaken for results of this one.
        #expect(try Command.run("run", Self.scenario, "--world", "sim", "--report", report).status == 0)
        let junit = scratch.folder.appendingPathComponent("junit.xml").path
        let options = ["--shard", "1/2", "--report", report, "--junit", junit, "--client", client]
        let ending = try Command(["run", "Scenarios/order"] + options).ending()
        #expect(ending.status == 64, "\(ending.output)\(ending.errors)")
        #expect(ending.output.isEmpty, "\(ending.output)")
        let start = "squall: the client cannot be run, so no case was played: --client '\(client)': "
        #expect(ending.errors.hasPrefix(start) && ending.errors.contains(misdeed.expected), "\(ending.errors)")
        #expect(Self.processes(with: mark).isEmpty)
        let files = try FileManager.default.contentsOfDirectory(atPath: report).sorted()
        #expect(files == ["junit.xml", "last-failed.json"])
        for file in [junit, "\(report)/junit.xml"] {
            let xml = try String(contentsOfFile: file, encoding: .utf8)
            #expect(xml.contains(#"tests="1" failures="0" errors="1""#), "\(xml)")
            #expect(xml.contains(#"name="the client can be run""#), "\(xml)")
        }
    }

    @Test("A client without an adapter that ends before it connects ends the run at once, unless it is started again")
    func anUnconnectedEndEndsTheRun() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let command = ["run", "Scenarios/order", "--jobs", "1", "--wire-only", "--client"]
        let ending = try Command(command + ["echo 'no display' >&2; exit 4"]).ending()
        #expect(ending.status == 64 && ending.output.isEmpty, "\(ending.output)")
        let reason = "--wire-only: before it opened a connection, the client ended by itself with exit status 4; "
        #expect(ending.errors.contains(reason + "last lines of standard error: no display\n"), "\(ending.errors)")
        let second = scratch.folder.appendingPathComponent("second").path
        let again = "[ -e \(second) ] && sleep 60; touch \(second); exit 4"
        let options = ["--wire-only", "--retries", "1", "--client", again]
        let retried = try Command(["run", Self.scenario] + options).ending()
        #expect(retried.status != 64, "\(retried.errors)")
    }

    /// The scenario's wait ends before the client's time limit for an answer.
    @Test(
        "A failed wait for a message states that the client has not reported the message's id",
        arguments: [
            ("sleep 60", "the client has not answered send[hi]"),
            (
                #"read line; echo '{"in_reply_to":3,"type":"ok"}'; sleep 60"#,
                "the client's ok to send[hi] named no client_message_id"
            ),
        ]
    )
    func aWaitForAMessageWithoutANameSaysSo(_ then: String, _ why: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: A message without a name
            script:
              - user: { open: stukov }
              - user: { send: hi }
                as: hi
              - wait: { "message.status[hi]": delivered, within: 500ms }
            expect:
              - eventually: { "message.status[hi]": delivered, within: 1s }
            """,
            to: "unnamed.yaml"
        )
        let client =
            #"read line; echo '{"in_reply_to":1,"type":"init_ok","name":"sh","shows":["message.status"],"takes":["send"]}'; "#
            + #"read line || exit 0; echo '{"in_reply_to":2,"type":"ok"}'; "# + then
        let ending = try Command.run("run", file, "--client", client)
        let expected = "wait: \(why); message.status[hi] was never reported; expected delivered within 500ms, by"
        #expect(ending.status == 1 && ending.output.contains(expected), "\(ending.output)\(ending.errors)")
    }

    /// The client copies the line that contains the addresses to standard error, and exits after `start`.
    @Test("A client receives the WebSocket path from the profile file given by --profile")
    func aProfileFileGivesTheClientItsPath() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let profile = try scratch.write("wire.path.ws: /elsewhere\n", to: "own.yaml")
        let client =
            #"read line; echo "$line" >&2; echo '{"in_reply_to":1,"type":"init_ok","name":"sh"}'; "#
            + "read line || exit 0; exit 3"
        let ending = try Command.run("run", Self.scenario, "--profile", profile, "--client", client)
        #expect(ending.output.contains(#"/elsewhere""#), "\(ending.output)\(ending.errors)")
    }

    @Test("A run with an external client prints the client's key")
    func anExternalClientsKeyIsPrinted() throws {
        let scenario = "Scenarios/account/token-that-cannot-be-removed.yaml"
        let command = try Command(["run", scenario, "--client", "external"])
        let deadline = ContinuousClock.now + .seconds(20)
        while !command.errors.contains("waiting for"), ContinuousClock.now < deadline { usleep(20_000) }
        command.process.interrupt()
        #expect(try command.ending().errors.contains(", key account-token-1 (waiting for "))
    }

    /// A client that opens a thousand connections, requests a WebSocket upgrade on each, and then leaves them idle.
    private static let thousandConnections = """
        import os, socket, time, urllib.parse
        at = urllib.parse.urlsplit(os.environ["SQUALL_WS_URL"])
        ask = (f"GET {at.path} HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
               "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
        open_ones = [socket.create_connection((at.hostname, at.port)) for _ in range(1000)]
        for one in open_ones:
            one.sendall(ask.encode())
        time.sleep(600)
        """

    @Test(
        "A client that opens a thousand connections fails the run by name, and its processes are ended",
        .enabled(if: Tool.run("python3", "--version").status == 0, "this needs python3")
    )
    func aThousandConnections() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let program = try scratch.write(Self.thousandConnections, to: "thousand.py")
        let ending = try Command.run("run", Self.scenario, "--client", "python3 \(program)", "--wire-only")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("attempts between"), "\(ending.output)")
        #expect(Self.processes(with: program).isEmpty)
    }

    @Test("Processes that a client has started end together with the client")
    func childProcessesEndWithTheClient() throws {
        let mark = "73\(UInt32.random(in: 1_000...9_999))"
        let ending = try Command.run("run", Self.scenario, "--client", Self.ready("sleep \(mark) & sleep \(mark)"))
        #expect(ending.status == 1)
        #expect(Self.processes(with: mark).isEmpty)
    }

    /// Returns a client that answers every request and writes its process id to `file` at each `init`.
    private static func diary(_ file: String, takes: String) -> String {
        """
        while read -r line; do
        id=$(echo "$line" | sed 's/{"id":\\([0-9]*\\).*/\\1/')
        case "$line" in
        *'"type":"init"'*) echo $$ >> \(file)
        echo "{\\"in_reply_to\\":$id,\\"type\\":\\"init_ok\\",\\"name\\":\\"sh\\",\\"takes\\":[\(takes)]}" ;;
        *) echo "{\\"in_reply_to\\":$id,\\"type\\":\\"ok\\"}" ;;
        esac
        done
        """
    }

    @Test(
        "A client that supports reset is reused for the next run; any other client is restarted",
        arguments: [(#"\"reset\""#, 2), ("", 4)]
    )
    func aClientThatTakesResetServesOneRunAfterAnother(_ takes: String, _ processes: Int) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("", to: "diary")
        let scenario = try scratch.write(
            """
            squall: 1
            name: Nothing much
            with: [{ span: 100ms, name: a }, { span: 110ms, name: b }, { span: 120ms, name: c }]
            script:
              - wait: "${span}"
            expect:
              - never: server.protocol_error

            """,
            to: "nothing.yaml"
        )
        let ending = try Command.run(
            "run",
            scenario,
            "--client",
            Self.diary(file, takes: takes),
            "--jobs",
            "1"
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let told = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        // One `init` asks what the client reports, and another is sent for each of the three runs.
        #expect(told.count == 4)
        #expect(Set(told).count == processes, "\(told)")
    }

    @Test(
        "An option that cannot be combined with --client is refused with the reason",
        arguments: [
            (["--world", "sim"], "--world sim: only Squall's own client runs in simulation"),
            (["--world", "both"], "use --world live, or leave --world out"),
            (["--defect", "noHeartbeat"], "'noHeartbeat' is a defect of Squall's own client"),
            (["--fix"], "--fix needs --known-failures FILE"),
            (["--known-failures", "nowhere.yaml"], "there is no file 'nowhere.yaml'; with --fix, one is written"),
        ]
    )
    func incompatibleOptionsAreExplained(_ options: [String], _ message: String) throws {
        let ending = try Command(["run", Self.scenario, "--client", "true"] + options).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test("Interrupting the squall command also ends the client")
    func interruptingEndsTheClientToo() throws {
        let mark = "squall-test-\(UUID().uuidString)"
        let command = try Command([
            "run", "Scenarios/connection/silence-is-noticed.yaml", "--client", ": \(mark); sleep 300", "--wire-only",
        ])
        let deadline = ContinuousClock.now + .seconds(20)
        while Self.processes(with: mark).count < 2, ContinuousClock.now < deadline { usleep(20_000) }
        command.process.interrupt()
        let ending = try command.ending()
        #expect(ending.status == 130)
        #expect(Self.processes(with: mark).isEmpty)
    }

    /// Returns the command lines of running processes that contain the text, including Squall's own.
    private static func processes(with text: String) -> [String] {
        let ended = Tool.run("ps", "-eo", "args")
        guard ended.status == 0 else { return ["ps cannot be run"] }
        return ended.output.split(separator: "\n").map(String.init).filter { $0.contains(text) }
    }

    @Test("A client that closes its standard output fails even a run that ends within a second")
    func closedOutputInAShortRun() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("squall: 1\nname: Short\nscript:\n  - wait: 300ms\n", to: "short.yaml")
        let ending = try Command.run("run", file, "--client", Self.ready("exec >&-; sleep 20"))
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("the client closed its standard output but did not exit"), "\(ending.output)")
    }
}
