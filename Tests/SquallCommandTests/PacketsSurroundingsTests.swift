#if os(Linux)
    import Foundation
    import SquallCore
    import Glibc
    import TestSupport
    import Testing

    /// Tests how `squall packets` handles its environment: descriptors, signals, files and the readers of its output.
    extension PacketsCommandTests {
        /// Like a shell, the command exits with status 126 if a file in the PATH is not executable.
        @Test("squall packets exits like a shell if the command is not executable")
        func saysWhatMayNotBeRun() throws {
            let scratch = try Scratch()
            defer { scratch.remove() }
            let file = try scratch.write("true\n", to: "no-program")
            let events = scratch.folder.appendingPathComponent("events").path
            let ending = try Command(
                ["packets", "--", "no-program"],
                environment: ["PATH": "/no/such:\(scratch.folder.path)"]
            ).ending()
            #expect((ending.status, ending.errors) == (126, "squall: cannot run \(file): permission denied\n"))
            // The file must contain the exit event, and no events from an earlier run.
            for (name, status) in [(file, 126 as Int32), ("no-program", 126), ("no-such-program", 127)] {
                try scratch.write("old\n", to: "events")
                let ending = try Command(
                    ["packets", "--quiet", "--events", events, "--", name],
                    environment: ["PATH": scratch.folder.path]
                ).ending()
                #expect(ending.status == status)
                let lines = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n")
                    .map { try JSON.decode(String($0)) }
                #expect(lines.compactMap { $0["event"]?.stringValue } == ["link.began", "link.over"])
                #expect(lines.last?["status"]?.intValue == Int64(status))
                #expect(lines.last?["up"]?["packets"]?.intValue == 0)
            }
        }

        @Test("squall packets reports a --reach address that cannot be resolved")
        func saysThatDatagramsLeadNowhere() throws {
            let ending = try Command.run("packets", "--reach", "udp:53=no-such-host.invalid:53", "--", "true")
            #expect(ending.status == 70)
            #expect(
                ending.errors.contains("no-such-host.invalid:53: lookup no-such-host.invalid: "),
                "\(ending.errors)"
            )
        }

        /// Runs a Bash script with the path of `squall` as `$1`.
        private func bash(_ script: String) -> Tool.Ending {
            Tool.run("bash", "-c", script, "bash", Command.binary.path)
        }

        /// The command receives inherited descriptors, but none of Squall's own.
        @Test("squall packets passes inherited descriptors to the command and none of its own")
        func passesDescriptorsOn() throws {
            let list = "ls /proc/self/fd"
            let ending = bash(
                "exec 9<<<passed; \(list); echo; \"$1\" packets --quiet -- \(list); echo; "
                    + "\"$1\" packets --quiet -- bash -c 'cat <&9'"
            )
            #expect(ending.status == 0)
            let lists = ending.output.components(separatedBy: "\n\n")
            try #require(lists.count == 3)
            #expect(lists[0].split(separator: "\n").contains("9"))
            #expect(lists[1] == lists[0])
            #expect(lists[2] == "passed\n")
        }

        /// Some supervisors start programs with SIGCHLD ignored.
        @Test("squall packets detects the exit of the command even if SIGCHLD was ignored when packets started")
        func noticesTheEndWhereItsSignalWasIgnored() throws {
            #expect(
                bash("exec timeout 60 env --ignore-signal=CHLD \"$1\" packets --quiet -- sh -c 'exit 4'").status
                    == 4
            )
        }

        /// A script that sends ten datagrams. Because the port is closed, each is answered with an ICMP error.
        private static let talk = "for i in {1..10}; do echo > /dev/udp/10.77.0.2/9; done 2> /dev/null; exit 5"

        @Test("squall packets continues when the reader of its events closes the pipe")
        func aReaderMayGo() throws {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = Command.binary
            process.arguments = ["packets", "--quiet", "--events", "-", "--", "bash", "-c", Self.talk]
            (process.standardOutput, process.standardError) = (output, errors)
            try output.fileHandleForReading.close()
            try process.run()
            let words = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 5)
            #expect(words.isEmpty, "\(String(decoding: words, as: UTF8.self))")
        }

        @Test("squall packets reports a full disk only once", arguments: ["--events", "--pcap"])
        func saysOnceThatADiskIsFull(_ option: String) throws {
            let ending = try Command.run("packets", "--quiet", option, "/dev/full", "--", "bash", "-c", Self.talk)
            #expect(ending.status == 70)
            #expect(
                ending.errors
                    == "squall: \(option) /dev/full: no space left on device: nothing more is written to it\n"
            )
        }
    }
#endif
