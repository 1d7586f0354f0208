#if os(Linux)
    import Foundation
    import SquallCore
    import Glibc
    import TestSupport
    import Testing

    /// The reason why this machine cannot create virtual network links; nil if it can.
    private let obstacle: String? = {
        guard let ending = try? Command.run("packets", "--quiet", "--", "true"), ending.status == 70 else { return nil }
        return ending.errors.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    /// Tests `squall packets` as a user would run it. The suite is skipped on machines that cannot create virtual
    /// links.
    @Suite(
        .ownThread,
        .serialized,
        .timeLimit(.minutes(20)),
        .enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? ""))
    )
    struct PacketsCommandTests {
        /// A server on loopback that sends the same bytes to every client and then closes the connection.
        private final class Service: Sendable {
            let port: UInt16
            private let socket: Int32

            init(_ bytes: [UInt8]) throws {
                let listener = try Listener()
                (socket, port) = (listener.socket, listener.port)
                let socket = socket
                Thread.detachNewThread {
                    while true {
                        let caller = accept(socket, nil, nil)
                        guard caller >= 0 else { return }
                        var rest = bytes[...]
                        while !rest.isEmpty {
                            let count = rest.withUnsafeBytes {
                                send(caller, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                            }
                            guard count > 0 else { break }
                            rest = rest.dropFirst(count)
                        }
                        close(caller)
                    }
                }
            }

            deinit {
                shutdown(socket, Int32(SHUT_RDWR))
                close(socket)
            }
        }

        /// The served bytes are random digits, so that duplicated or reordered data would be noticed.
        private static let page: [UInt8] = {
            var generator = SeededGenerator(state: 4)
            return (0..<150_000).map { _ in UInt8(ascii: "0") + UInt8(generator.below(10)) }
        }()

        @Test("A command under packets receives every byte through a lossy link")
        func aCommandGetsEveryByteThroughALossyLink() throws {
            let service = try Service(Self.page)
            let scratch = try Scratch()
            defer { scratch.remove() }
            let events = scratch.folder.appendingPathComponent("events").path
            let ending = try Command.run(
                "packets",
                "--loss",
                "4%",
                "--delay",
                "4ms",
                "--jitter",
                "1ms",
                "--reorder",
                "2%",
                "--duplicate",
                "1%",
                "--seed",
                "7",
                "--reach",
                "app.test:80=\(service.port)",
                "--events",
                events,
                "--",
                "bash",
                "-c",
                "cat < /dev/tcp/app.test/80"
            )
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(Array(ending.output.utf8) == Self.page)
            let lines = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n").map {
                try JSON.decode(String($0))
            }
            #expect(lines.first?["event"]?.stringValue == "link.began")
            let over = try #require(lines.last)
            #expect((over["event"]?.stringValue, over["status"]?.intValue) == ("link.over", 0))
            let packets = lines.filter { $0["event"]?.stringValue == "packet" }
            #expect(packets.first?["flags"]?.stringValue == "SYN")
            for direction in ["up", "down"] {
                let mine = packets.filter { $0["way"]?.stringValue == direction }
                #expect(over[direction]?["packets"]?.intValue == Int64(mine.count))
                #expect(mine.compactMap { $0["packet"]?.intValue } == Array(1...Int64(mine.count)))
                let lost = mine.count { $0["did"]?[0]?.stringValue == "lost" }
                #expect(over[direction]?["lost"]?.intValue == Int64(lost))
                #expect(ending.errors.contains("squall: \(direction): \(mine.count) packets"))
            }
            #expect(packets.contains { $0["did"]?[0]?.stringValue == "lost" })
        }

        @Test(
            "squall packets exits with the command's status and reports why a command could not run",
            arguments: [
                (["--", "sh", "-c", "exit 7"], 7 as Int32, ""),
                (["--", "sh", "-c", "kill -KILL $$"], 137, ""),
                (["--", "no-such-command"], 127, "squall: cannot run no-such-command: no such command in the PATH\n"),
                (["--", "/no/such"], 127, "squall: cannot run /no/such: no such file or directory\n"),
                (["--", "/etc/passwd"], 126, "squall: cannot run /etc/passwd: permission denied\n"),
            ]
        )
        func passesTheCommandsEndOn(_ arguments: [String], _ status: Int32, _ words: String) throws {
            let ending = try Command(["packets", "--quiet"] + arguments).ending()
            #expect((ending.status, ending.errors) == (status, words))
        }

        /// Starts a command. Returns its process, the first line of its output, and a handle for reading the rest.
        private func start(_ script: String) throws -> (process: Process, word: String, output: FileHandle) {
            let process = Process()
            let output = Pipe()
            process.executableURL = Command.binary
            process.arguments = ["packets", "--quiet", "--", "sh", "-c", script]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var said = Data()
            while !said.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                said += more
            }
            let word = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
            return (process, word, output.fileHandleForReading)
        }

        @Test(
            "squall packets passes signals on to the command",
            arguments: [(SIGTERM, 5), (SIGINT, 6), (SIGHUP, 7)] as [(Int32, Int32)]
        )
        func passesSignalsOn(_ signal: Int32, _ status: Int32) throws {
            let running = try start(
                "trap 'exit 5' TERM; trap 'exit 6' INT; trap 'exit 7' HUP; echo ready; sleep 100 & wait"
            )
            #expect(running.word == "ready")
            kill(running.process.processIdentifier, signal)
            running.process.waitUntilExit()
            #expect(running.process.terminationStatus == status)
        }

        /// As with Ctrl-C, the signal is sent to the whole process group.
        @Test("A signal sent to the process group reaches the command of squall packets exactly once", arguments: 1...4)
        func aSignalToTheGroupComesOnce(_ round: Int) throws {
            let script =
                "trap 'echo got' INT; echo ready; i=0; while [ $i -lt 10 ]; do sleep 0.1; i=$((i+1)); done; exit 9"
            let process = Process()
            let words = Pipe()
            process.executableURL = Command.binary
            process.arguments = ["packets", "--quiet", "--", "sh", "-c", script]
            process.standardOutput = words
            try process.run()
            #expect(String(decoding: words.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
            // Foundation starts the process in its own process group, to which this test does not belong.
            try #require(getpgid(process.processIdentifier) == process.processIdentifier)
            kill(-process.processIdentifier, SIGINT)
            let rest = words.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(String(decoding: rest, as: UTF8.self) == "got\n")
            #expect(process.terminationStatus == 9)
        }

        /// Without CAP_SYS_ADMIN the link is created in a user namespace.
        @Test(
            "squall packets needs no root privileges if user namespaces are allowed",
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"), "there is no setpriv")
        )
        func needsNoAdministrator() throws {
            let service = try Service(Self.page)
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                [
                    "--bounding-set=-sys_admin", Command.binary.path, "packets", "--loss", "1%", "--reach",
                    "app.test:80=\(service.port)",
                ]
                + [
                    "--", "bash", "-c",
                    "cat < /dev/tcp/app.test/80; grep -c . /proc/self/uid_map; cat /proc/self/uid_map >&2",
                ]
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            let words = output.fileHandleForReading.readDataToEndOfFile()
            let map = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(Array(words) == Self.page + Array("1\n".utf8))
            // A user map with exactly one user shows that the command runs in a user namespace.
            let me = "\(geteuid())"
            #expect(
                map.split(separator: "\n").first?.split(separator: " ").map(String.init) == [me, me, "1"],
                "\(map)"
            )
        }

        /// After the command, the machine must have the same processes, network namespaces and interfaces as before.
        @Test("squall packets leaves no processes and no interfaces behind when it is killed")
        func leavesNothingBehindWhenKilled() throws {
            let named = Self.entries(of: "/var/run/netns")
            // `setsid` starts the first process in its own session, in which it would outlive its terminal.
            let running = try start("setsid sleep 1000 & readlink /proc/self/ns/net; sleep 1000")
            #expect(running.word.hasPrefix("net:["))
            #expect(Self.processes(in: running.word) >= 3)
            kill(running.process.processIdentifier, SIGKILL)
            running.process.waitUntilExit()
            // The output pipe is closed once the last process has exited.
            #expect(running.output.availableData.isEmpty)
            let timeout = ContinuousClock.Instant.now + .seconds(30)
            while Self.processes(in: running.word) > 0, ContinuousClock.Instant.now < timeout { sched_yield() }
            #expect(Self.processes(in: running.word) == 0)
            #expect(Self.entries(of: "/var/run/netns") == named)
            let devices = try String(contentsOfFile: "/proc/net/dev", encoding: .utf8)
            #expect(!devices.contains("squall0"))
        }

        private static func entries(of folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        private static func processes(in namespace: String) -> Int {
            entries(of: "/proc").count { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/ns/net")) == namespace
            }
        }

        @Test("squall packets --listen forwards a port of this machine over the link")
        func leadsAPortOutHereOverTheLink() throws {
            let service = try Service(Self.page)
            let process = Process()
            let errors = Pipe()
            process.executableURL = Command.binary
            process.arguments = [
                "packets", "--loss", "3%", "--delay", "2ms", "--listen", "0=localhost:\(service.port)",
            ]
            process.standardError = errors
            try process.run()
            var said = ""
            while !said.contains("\n") {
                let more = errors.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                said += String(decoding: more, as: UTF8.self)
            }
            let words = said.split(separator: " ")
            try #require(words.count > 1)
            let address = words[1].split(separator: ":")
            try #require(address.count == 2 && address[0] == "127.0.0.1")
            let client = Process()
            let output = Pipe()
            client.executableURL = URL(fileURLWithPath: "/bin/bash")
            client.arguments = ["-c", "cat < /dev/tcp/127.0.0.1/\(address[1])"]
            client.standardOutput = output
            try client.run()
            let received = output.fileHandleForReading.readDataToEndOfFile()
            client.waitUntilExit()
            #expect(Array(received) == Self.page)
            kill(process.processIdentifier, SIGINT)
            process.waitUntilExit()
            #expect(process.terminationStatus == 130)
        }
    }
#endif
