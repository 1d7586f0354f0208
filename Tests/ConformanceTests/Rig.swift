import Conformance
import Faults
import SquallCore
import WebSocketWire

/// A peer without I/O that a ``Rig`` can connect to a case.
protocol SilentPeer {
    mutating func receive(_ bytes: [UInt8])
    mutating func receiveEnd()
    mutating func takeOutput() -> [UInt8]
    var shouldEnd: Bool { get }
}

extension EchoServer: SilentPeer {}

/// The echo client as a peer.
struct ClientPeer: SilentPeer {
    var client: EchoClient
    mutating func receive(_ bytes: [UInt8]) { client.receive(bytes) }
    mutating func receiveEnd() { client.receiveEnd() }
    mutating func takeOutput() -> [UInt8] { client.takeOutput() }
    var shouldEnd: Bool { client.shouldEnd }
}

/// Runs a case against a peer in virtual time. Bytes arrive immediately; when none are in transit, the clock advances
/// to the next deadline.
struct Rig {
    var run: CaseRun
    private(set) var now = Instant.zero
    private var peerHasEnded = false

    init(_ run: CaseRun) {
        self.run = run
    }

    /// Runs the case to completion. Returns nil if it does not complete within a million steps.
    mutating func play(against peer: inout some SilentPeer) -> ConformanceResult? {
        for _ in 0..<1_000_000 {
            if let result = run.result { return result }
            if deliver(to: &peer) { continue }
            guard let deadline = run.deadline else { return nil }
            now = max(now, deadline)
            run.tick(at: now)
        }
        return nil
    }

    private mutating func deliver(to peer: inout some SilentPeer) -> Bool {
        var moved = false
        for output in run.takeOutputs() {
            moved = true
            guard !peerHasEnded else { continue }
            switch output {
            case .write(let bytes): peer.receive(bytes)
            case .end, .reconnect: peer.receiveEnd()
            case .command: break
            }
        }
        let bytes = peer.takeOutput()
        if !bytes.isEmpty && !peerHasEnded {
            moved = true
            run.receive(bytes, at: now)
        }
        if peer.shouldEnd && !peerHasEnded {
            (moved, peerHasEnded) = (true, true)
            run.receiveEnd(.fin, at: now)
        }
        return moved
    }
}

extension ConformanceCase {
    /// Runs the case against a server.
    func play(against server: inout some SilentPeer) -> ConformanceResult? {
        var rig = Rig(CaseRun.client(self, host: "peer", path: "/", agent: "peer", at: .zero))
        return rig.play(against: &server)
    }

    /// Runs the case against a client. The client sends the handshake request.
    func play(againstClient client: inout some SilentPeer) throws -> ConformanceResult? {
        var parser = HTTPRequestParser()
        parser.append(client.takeOutput())
        guard case .head(let head)? = try parser.next(), try parser.next() == .end else { return nil }
        var rig = Rig(CaseRun.server(self, accepting: head, agent: "peer", at: .zero))
        return rig.play(against: &client)
    }
}
