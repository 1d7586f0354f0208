import Adapter
package import Exploration
import Faults
import Live
import ScenarioModel
import SquallCore
package import Trace

/// The traffic between a client and a server in a packet capture, converted to the recording of a run, as if the
/// connections had passed through Squall.
package struct CapturedSession {
    /// The recording of the run; its times are relative to the start of the capture.
    package let recording: Recording
    /// A draft scenario with the profile and the client, without a script.
    package let head: Draft
    /// The server's address; ``connectionCount`` is the number of connections to it.
    package let server: String
    package let connectionCount: Int
    /// The invariants that the client violated in the capture, each with an explanation.
    package let broken: [String]
    /// Sentences that describe the gaps in the recording.
    package private(set) var gaps: [String] = []

    /// Reads a capture file in pcap or pcapng format.
    ///
    /// - Parameters:
    ///   - file: The path of the capture.
    ///   - port: The server's port; nil to use the port of the first connection that begins with an HTTP request.
    ///   - profile: The name or file of the profile that defines the protocol's frames; nil for the default profile.
    /// - Throws: ``SquallError`` if the file or the profile cannot be read, or the capture contains no matching
    ///   connection.
    package init(file: String, port: UInt16?, profile: String?) throws(SquallError) {
        var connections = CapturedConnections()
        let remains: SavedPackets.UnreadContents
        do throws(SavedPackets.Unreadable) {
            remains = try SavedPackets.read(file) { connections.add($0, at: $1) }
        } catch {
            throw .usage("'\(file)' cannot be read as a capture: \(error.reason)")
        }
        let server = try Self.server(of: connections, port: port, file: file)
        let chosen = connections.connections.indices.filter { connections.connections[$0].server == server }
        var scenario = try ConductedRun.scenario(clients: [], profile: profile)
        try scenario.call(upstream: "ws://\(server)")
        let run = Self.play(chosen, in: connections, scenario)
        recording = run.recording
        broken = run.judgements.filter { $0.verdict == .fail }.map { "\($0.heading): \($0.why ?? "")" }
        head = Draft(profile: scenario.profile.name, clients: scenario.clients, ending: .none)
        self.server = "\(server)"
        connectionCount = chosen.count
        let others = connections.connections.count - chosen.count
        let incomplete = chosen.count { connections.connections[$0].hasGap }
        for (count, what) in [
            (others, "went to other servers"), (connections.withoutBeginning, "began before the capture"),
            (incomplete, "lacks packets, and is read up to there"),
        ] where count > 0 {
            gaps.append("\(count) \(count == 1 ? "connection" : "connections") \(what)")
        }
        if remains.unknown > 0 { gaps.append("\(remains.unknown) frames have a link layer that squall does not read") }
        if let reason = remains.cut { gaps.append("the capture is read up to where it is cut: \(reason)") }
    }

    // MARK: - Finding the server

    /// Returns the address of the server whose connections are converted.
    private static func server(
        of capture: CapturedConnections,
        port: UInt16?,
        file: String
    ) throws(SquallError) -> CapturedSegment.Endpoint {
        let all = capture.connections.filter { port == nil || $0.server.port == port }
        let place = port.map { " to port \($0)" } ?? ""
        if let matching = all.first(where: { beginsHTTP($0.opening) }) { return matching.server }
        if all.contains(where: { $0.opening.first == Self.handshake }) {
            throw .usage(
                """
                the connections\(place) in '\(file)' are encrypted by TLS, and their bytes cannot be read; put \
                'squall record --upstream wss://…' between client and server instead
                """
            )
        }
        guard all.isEmpty else {
            throw .usage("no connection\(place) in '\(file)' begins with an HTTP request, as a WebSocket does")
        }
        let servers = Set(capture.connections.map { Int($0.server.port) }).sorted().map { "\($0)" }
        let found = servers.isEmpty ? "" : "; it has connections to port \(servers.joined(separator: ", "))"
        let early = capture.withoutBeginning
        let cut = early == 0 ? "" : "; \(early) began before the capture, which has to start first"
        throw .usage("'\(file)' has no TCP connection\(place) from its beginning\(found)\(cut)")
    }

    /// The content type of a TLS handshake record (RFC 8446 section 5.1).
    private static let handshake: UInt8 = 22

    private static func beginsHTTP(_ bytes: [UInt8]) -> Bool {
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self).hasSuffix(" HTTP/1.1") && line.count < bytes.count
    }

    // MARK: - Converting connections to a run

    /// The assumed time from the client's start to the first packet.
    private static let lead = TimeSpan.milliseconds(1)

    private static func play(
        _ chosen: [Int],
        in capture: CapturedConnections,
        _ scenario: Scenario
    ) -> RunResult {
        var player = Player(scenario)
        let links = Dictionary(uniqueKeysWithValues: chosen.enumerated().map { ($1, $0 + 1) })
        for piece in capture.pieces {
            guard let number = links[piece.connection] else { continue }
            player.take(piece.kind, of: number, at: .zero + lead + piece.time)
        }
        return player.end()
    }
}

/// Feeds the captured events to a run. The network actions that the run requests are ignored, because the capture
/// already contains their effects.
private struct Player {
    private let client: ClientID
    private var run: ScenarioRun
    private var now = Instant.zero

    init(_ scenario: Scenario) {
        client = scenario.clients.first ?? .only
        let offer = AdapterCapabilities(name: "capture")
        let foreign = ForeignPlan(hasAdapter: false, home: .here, offer: offer)
        var plan = RunPlan(scenario).judging(foreign, speaking: scenario.profile.wire)
        plan.isConducted = true
        plan.recordsTexts = true
        run = ScenarioRun(plan)
        feed(.ready)
        let addresses = AdapterAddresses(endpoint: "127.0.0.1", path: scenario.webSocketPath)
        feed(.foreign(client, .started(addresses, isReused: false)))
    }

    mutating func take(_ kind: CapturedConnections.Piece.Kind, of number: Int, at time: Instant) {
        while let due = run.nextDeadline, due < time, !run.isOver {
            now = max(now, due)
            feed(.wake)
        }
        now = time
        let link = LinkID(client, number)
        switch kind {
        case .asked: feed(.relay(.accepted(link)))
        case .accepted: feed(.relay(.upstreamOpened(link)))
        case .refused: feed(.relay(.upstreamFailed(link, .refused)))
        case .bytes(let side, let bytes): feed(.relay(.received(link, from: side, bytes)))
        case .ended(let side, let end): feed(.relay(.ended(link, side: side, end)))
        }
    }

    mutating func end() -> RunResult { run.finish(at: now) }

    private mutating func feed(_ input: TransportInput) {
        _ = run.handle(input, at: now)
    }
}
