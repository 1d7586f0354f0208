import Foundation
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests `squall run --pcap`, which writes the packets of a run next to its trace in a format that Wireshark reads.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct CaptureCommandTests {
    private static let scenario = "Scenarios/sending/dropped-between-send-and-confirm.yaml"
    private static let ends = "Scenarios/link/connection-ends-in-many-ways.yaml"
    private static let acceptMode = "Scenarios/link/refused-or-closed-at-once.yaml"
    private static let lost = "Scenarios/silence/blackhole-new-connections-stay-lost.yaml"
    private static let eaten = "Scenarios/silence/blackhole-loses-for-good.yaml"
    private static let twice = "Scenarios/order/frame-comes-twice.yaml"

    private static let secured = "Scenarios/link/tls-ordinary.yaml"

    /// Runs scenarios and returns the captures that are written, keyed by world.
    private static func captures(_ arguments: String..., below scratch: Scratch) throws -> [String: URL] {
        let report = scratch.folder.appendingPathComponent("report")
        let ending = try Command(["run"] + arguments + ["--report", report.path, "--pcap"]).ending()
        try #require(ending.status == 0, "\(ending.output)\(ending.errors)")
        var found: [String: URL] = [:]
        let walk = FileManager.default.enumerator(at: report, includingPropertiesForKeys: nil)
        while let file = walk?.nextObject() as? URL {
            guard file.lastPathComponent == "capture.pcapng" else { continue }
            let folder = file.deletingLastPathComponent()
            #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("trace.jsonl").path))
            found[folder.pathExtension] = file
        }
        return found
    }

    /// Returns the fields of the packets that match a filter, as printed by tshark, one row per packet.
    private static func rows(_ file: URL, where filter: String, _ fields: String...) throws -> [[String]] {
        let options = [
            "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-T", "fields", "-E", "separator=|",
        ]
        let chosen = fields.flatMap { ["-e", $0] }
        let ending = Tool.run(["tshark", "-n", "-r", file.path, "-Y", filter] + options + chosen)
        try #require(ending.status == 0, "\(ending.output)")
        return ending.output.split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static let hasTshark = Tool.run("tshark", "--version").status == 0

    @Test("The option --pcap requires --report")
    func withoutAReportThereIsNowhereToPutIt() throws {
        let ending = try Command.run("run", Self.scenario, "--pcap")
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--pcap needs --report DIR"))
    }

    @Test("The same seed gives the same capture file")
    func theSameSeedGivesTheSameBytes() throws {
        let (first, second) = (try Scratch(), try Scratch())
        defer { for scratch in [first, second] { scratch.remove() } }
        let files = try [first, second].map { try Self.captures(Self.scenario, "--world", "sim", below: $0)["sim"] }
        let bytes = try files.map { try Data(contentsOf: #require($0)) }
        #expect(bytes[0].count > 1000)
        #expect(bytes[0] == bytes[1])
    }

    @Test("The results contain the number of packets, and a later run without --pcap removes the captures")
    func resultsCountPackets() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        _ = try Self.captures(Self.scenario, "--world", "sim", below: scratch)
        let report = scratch.folder.appendingPathComponent("report")
        let results = try JSON.decode(Array(Data(contentsOf: report.appendingPathComponent("results.json"))))
        let capture = results["scenarios"]?.arrayValue?.first?["capture"]
        #expect((capture?["packets"]?.intValue ?? 0) > 50)
        #expect(capture?["dropped"] == 0 && capture?["left_out"] == 0)
        // A later run without --pcap must not leave the packets of the earlier run next to its trace.
        let again = try Command.run("run", Self.scenario, "--world", "sim", "--report", report.path, "--traces=all")
        #expect(again.status == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: report.path)
        #expect(files.contains { $0.hasSuffix("trace.jsonl") } && !files.contains { $0.hasSuffix("capture.pcapng") })
    }

    @Test(
        "Wireshark reports no TCP anomaly in a capture of a run without faults",
        .enabled(if: hasTshark, "needs tshark")
    )
    func wiresharkHasNothingToComplainOf() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try #require(try Self.captures(Self.scenario, "--world", "sim", below: scratch)["sim"])
        // The filter matches retransmissions, gaps, invalid checksums and out-of-order packets.
        let complaint = "tcp.analysis.flags || tcp.checksum.status == 0 || ip.checksum.status == 0 || _ws.malformed"
        #expect(try Self.rows(file, where: complaint, "frame.number", "_ws.col.Info").isEmpty)
        let places = try Self.rows(file, where: "tcp", "frame.interface_name").flatMap(\.self)
        #expect(Set(places) == ["client side", "server side"])
        // A client masks its frames and a server does not. Both kinds of frame must appear at both capture points.
        for place in ["client side", "server side"] {
            let said = try Self.rows(
                file,
                where: "websocket.payload && frame.interface_name == \"\(place)\" && tcp.dstport == 80",
                "websocket.mask",
                "websocket.payload.text"
            )
            #expect(said.count >= 4 && said.allSatisfy { $0[0] == "1" }, "\(said)")
            let heard = try Self.rows(
                file,
                where: "websocket.payload && frame.interface_name == \"\(place)\" && tcp.srcport == 80",
                "websocket.mask"
            )
            #expect(heard.count >= 4 && heard.allSatisfy { $0[0] == "0" }, "\(heard)")
        }
        let upgrades = try Self.rows(file, where: "http.response.code == 101", "tcp.stream")
        #expect(upgrades.count == 4, "two connections, on two sides")
    }

    @Test(
        "The end of a connection is captured on both sides of the simulated network",
        .enabled(if: hasTshark, "needs tshark"),
        arguments: [
            (Self.ends, "FIN to both", "tcp.flags.fin == 1 && tcp.srcport == 80 && tcp.port == 49152", "fault.began"),
            (Self.ends, "RST", "tcp.flags.reset == 1 && tcp.port == 49152", "fault.began"),
        ]
    )
    func anEndIsSeenOnBothSides(_ file: String, _ variant: String, _ filter: String, _ mark: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let capture = try #require(
            try Self.captures(file, "--case", variant, "--world", "sim", below: scratch)["sim"]
        )
        let places = try Self.rows(capture, where: filter, "frame.interface_name").flatMap(\.self)
        #expect(Set(places) == ["client side", "server side"], "\(places)")
        #expect(try Self.rows(capture, where: "frame.comment contains \"\(mark)\"", "frame.number").count == 1)
    }

    @Test(
        "A refused connection attempt is answered by an RST and does not reach the server",
        .enabled(if: hasTshark, "needs tshark")
    )
    func aRefusedCallIsAnsweredByAnRSTAndNeverReachesTheServer() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let capture = try #require(
            try Self.captures(Self.acceptMode, "--case", "refused", "--world", "sim", below: scratch)["sim"]
        )
        // The server's host refuses the connection, so each captured stream consists of a SYN and the answering RST.
        let refused = try Self.rows(
            capture,
            where: "tcp.flags.reset == 1 && tcp.seq_raw == 0 && tcp.ack == 1",
            "frame.interface_name"
        ).flatMap(\.self)
        #expect(refused.count == 4 && Set(refused) == ["client side"], "\(refused)")
        let calls = try Self.rows(capture, where: "tcp.flags.syn == 1 && tcp.flags.ack == 0", "frame.interface_name")
            .flatMap(\.self)
        #expect(calls.count { $0 == "client side" } == 4 + calls.count { $0 == "server side" })
    }

    @Test("A blackhole leaves connection attempts and bytes unanswered", .enabled(if: hasTshark, "needs tshark"))
    func aBlackholeLeavesCallsAndBytesUnanswered() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let calls = try #require(try Self.captures(Self.lost, "--world", "sim", below: scratch)["sim"])
        let again = try Self.rows(calls, where: "tcp.analysis.retransmission", "frame.time_epoch", "tcp.flags")
        let times = again.compactMap { Double($0[0]).map { Int($0) } }
        #expect(
            times == [2, 4, 8] && again.allSatisfy { $0[1] == "0x0002" },
            "called at 1 s, and again after 1, 3 and 7"
        )

        let other = try Scratch()
        defer { other.remove() }
        let bytes = try #require(try Self.captures(Self.eaten, "--world", "sim", below: other)["sim"])
        let eaten = try Self.rows(
            bytes,
            where:
                "tcp.len > 0 && frame.comment contains \"Never acknowledged\" && frame.interface_name == \"client side\"",
            "tcp.stream",
            "tcp.nxtseq"
        )
        #expect(!eaten.isEmpty)
        for row in eaten {
            let filter = "tcp.stream == \(row[0]) && tcp.srcport == 80 && tcp.ack >= \(row[1])"
            #expect(try Self.rows(bytes, where: filter, "frame.number").isEmpty)
        }
    }

    @Test(
        "A frame duplicated by the network is captured once on the server's side",
        .enabled(if: hasTshark, "needs tshark")
    )
    func aFrameThatTheNetworkDoublesIsOnceOnTheServersSide() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let capture = try #require(try Self.captures(Self.twice, "--world", "sim", below: scratch)["sim"])
        func bytes(_ place: String) throws -> Int {
            let filter = "tcp.srcport == 80 && tcp.port == 49152 && frame.interface_name == \"\(place)\""
            return try Self.rows(capture, where: filter, "tcp.len").compactMap { Int($0[0]) }.reduce(0, +)
        }
        #expect(try bytes("client side") > bytes("server side"))
    }

    /// The packets are encrypted, and the capture contains the keys.
    @Test(
        "A capture of TLS traffic contains the keys to decrypt it",
        .enabled(if: TLS.isBuilt && hasTshark, "needs TLS and tshark")
    )
    func capturedTLSCanBeDecrypted() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        // Without the privilege to capture packets, no file is written.
        let captures = try Self.captures(Self.secured, "--world", "live", below: scratch)
        guard let capture = captures["live"] else { return }
        #expect(try !Self.rows(capture, where: "tls.handshake.type == 1", "frame.number").isEmpty)
        let inside = try Self.rows(capture, where: "tls && websocket", "frame.interface_name").flatMap(\.self)
        #expect(inside.count > 2 && Set(inside) == ["client side"], "\(inside)")
        let server = try Self.rows(capture, where: "websocket && !tls", "frame.interface_name").flatMap(\.self)
        #expect(Set(server) == ["server side"], "TLS ends at the network")
    }

    /// The argument is true if the run has the privilege to capture packets.
    @Test(
        "A live run is captured if the process has the privilege, and otherwise runs without a capture",
        arguments: [false, true]
    )
    func aLiveRunIsCapturedWhereItMayBeAndGoesOnWhereNot(_ mayBe: Bool) throws {
        #if os(Linux)
            let scratch = try Scratch()
            defer { scratch.remove() }
            let report = scratch.folder.appendingPathComponent("report").path
            var words = [
                Command.binary.path, "run", Self.scenario, "--world", "live", "--repeat", "2", "--report", report,
                "--pcap",
            ]
            let drop = ["setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw"]
            let isRoot = getuid() == 0
            if !mayBe, isRoot { words = drop + words }
            let ending = Tool.run(
                ["sh", "-c", "cd '\(Command.package.path)' && exec \"$@\"", "sh"] + words,
                joiningErrors: true
            )
            #expect(ending.status == 0, "\(ending.output)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: report)
            let captures = files.filter { $0.hasSuffix("capture.pcapng") }
            guard captures.isEmpty else {
                #expect(mayBe && captures.count == 2)
                return
            }
            let told = ending.output.split(separator: "\n").filter { $0.contains("live runs have no capture.pcapng") }
            #expect(told.count == 1, "once for both: \(ending.output)")
            #expect(told.first?.contains("setcap cap_net_raw+ep \(Command.binary.path)") == true, "\(told)")
        #endif
    }
}
