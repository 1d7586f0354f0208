import Faults
import ScenarioModel
import SquallCore
import Trace

/// Translates the simulated network's pipe events into packet-capture events. Each captured connection has the same
/// number as its pipe.
struct SimulatedCapture {
    private var capture: LinkCapture

    private static let note =
        """
        Packets of a simulated run. Its links carry these bytes in memory; the segments are those that TCP would \
        have sent. Time 0 is the start of the run, as in its trace.
        """
    private static let securedNote =
        " The clients' links use TLS, whose bytes are not simulated: the packets show the plaintext."

    init(of clients: [ClientID], isSecured: Bool) {
        capture = LinkCapture(
            of: clients,
            tool: "squall \(SquallVersion.current)",
            note: Self.note + (isSecured ? Self.securedNote : ""),
            timing: LinkCapture.Timing(
                hop: SimulatedNetwork.hopLatency,
                capacity: SimulatedNetwork.bufferCapacity
            )
        )
    }

    /// Records the start of the next connection. Connections must be recorded in ascending order of their pipe numbers.
    mutating func call(by client: ClientID?, for link: LinkID? = nil, at now: Instant) {
        capture.connect(by: client ?? .only, for: link?.number, at: now)
    }

    mutating func name(_ pipe: Int, _ link: LinkID) {
        capture.name(pipe, link: link.number)
    }

    mutating func accept(_ pipe: Int, at now: Instant) {
        capture.accept(pipe, leaves: now, arrives: now + SimulatedNetwork.hopLatency)
    }

    mutating func refuse(_ pipe: Int, at now: Instant) {
        capture.refuse(pipe, leaves: now, arrives: now + SimulatedNetwork.hopLatency)
    }

    mutating func drop(_ pipe: Int) {
        capture.comment("Never answered: the network drops this SYN.", onSYNOf: pipe)
    }

    /// Records that a connection was abandoned before it was established. `handshake` is the TLS handshake that failed;
    /// nil if none failed.
    mutating func abandon(_ pipe: Int, _ handshake: Handshake? = nil, at now: Instant) {
        if let handshake { capture.comment("The TLS handshake fails: \(handshake.name).", onSYNOf: pipe) }
        capture.abandon(pipe, at: now)
    }

    mutating func carry(_ segment: Segment, _ pipe: Int, from end: PipeEnd, leaves: Instant, arrives: Instant) {
        let cargo: LinkCapture.Payload =
            switch segment {
            case .bytes(let bytes): .bytes(bytes)
            case .fin: .fin
            case .rst: .rst
            }
        capture.carry(pipe, cargo, from: Self.end(end), leaves: leaves, arrives: arrives)
    }

    /// Records the arrival of the next segment at the pipe end `reader`; `pipe` is the pipe's state before the arrival.
    mutating func arrive(_ number: Int, _ reader: PipeEnd, _ pipe: SimulatedPipe, at now: Instant) {
        let reception: LinkCapture.Reception =
            switch (pipe.reader[reader], pipe.readMode[reader]) {
            case (.closed, _): .refused
            case (.draining, _): .read
            case (.machine, .unacknowledged): .lost
            case (.machine, .unread): .unread
            case (.machine, .none): pipe[readBy: reader].held.isEmpty ? .read : .unread
            }
        capture.arrive(number, at: Self.end(reader), reception, at: now)
    }

    mutating func release(_ pipe: Int, _ reader: PipeEnd, at now: Instant) {
        capture.release(pipe, at: Self.end(reader), at: now)
    }

    mutating func finish(at now: Instant) -> PacketCapture {
        capture.finish(at: now)
    }

    private static func end(_ end: PipeEnd) -> LinkCapture.Side {
        end == .caller ? .caller : .callee
    }
}
