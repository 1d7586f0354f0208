import ChatWire
import Faults
import NIOCore
import ReferenceClient
import Sockets
import SquallCore

/// The initiator of a connection, and the connection's purpose.
enum Caller: Hashable {
    /// The reference client opened a WebSocket connection.
    case connection(ConnectionID)
    /// The reference client opened a connection for an HTTP exchange.
    case exchange(ExchangeID)
    /// The relay opened a connection to the server.
    case relay(LinkID)
    /// A foreign client opened the connection; this process owns only the relay's end of it.
    case foreign(LinkID)

    /// The client whose process owns the socket; nil for the relay.
    var process: ClientID? {
        switch self {
        case .connection(let id): id.client
        case .exchange(let id): id.client
        case .foreign(let link): link.client
        case .relay: nil
        }
    }

    /// Whether the socket is closed when the client's process is killed.
    var endsWithProcess: Bool {
        if case .exchange(let id) = self { id.owner == .app } else { true }
    }
}

/// One end of a connection, with the state that reveals whether data is in transit to or from it.
protocol WireEnd: AnyObject {
    var isOpen: Bool { get }
    var readMode: ReadMode { get }
    /// Whether this end has sent, or will send, its FIN or RST.
    var hasEnded: Bool { get }
    /// Whether this end has received the other end's FIN or RST.
    var hasSeenEnd: Bool { get }
    /// The number of bytes written by this end but not yet acknowledged by the other end's kernel.
    var undelivered: Int { get }
    /// Makes the kernel send a delayed acknowledgement immediately.
    func acknowledgeNow()
}

extension Connection: WireEnd {
    var hasSeenEnd: Bool { peerEnd != nil }
}

/// One TCP connection of a run: the ends that this process owns, usually both.
final class Wire {
    enum Phase {
        /// The connection attempt is in progress and has not been reported to either side. The next phase is
        /// ``established``, ``lost`` or ``over``.
        case connecting
        /// Both ends are connected, and both sides have been notified. This is a final phase.
        case established
        /// The attempt began while the listener dropped packets: it never succeeds, even if the kernel retransmits.
        case lost
        /// The attempt was refused, failed or abandoned.
        case over
    }

    let caller: Caller
    var phase: Phase
    /// Whether the attempt began while the listener refused connections. If so, the kernel has already answered the SYN
    /// with an RST, and a later change of the accept mode has no effect.
    var isRefused = false
    var attempt: ConnectAttempt?
    var callerEnd: (any WireEnd)?
    var calleeEnd: Connection?
    /// The progress of the TLS handshake between the connected ends.
    enum HandshakeState: Hashable {
        /// The handshake has not begun, or the connection has no TLS.
        case none
        /// The handshake has begun; `ends` is the number of ends that have not completed it. The next state is
        /// ``done``.
        case underWay(ends: Int)
        /// The handshake has begun and is certain to fail: the caller is about to receive the failure.
        case doomed
        /// Both ends have completed the handshake.
        case done
    }
    var handshake = HandshakeState.none
    /// The kind of handshake that the relay performed with the caller; nil if TLS is not used.
    var shown: Handshake?

    /// The events that the accepting end received before the connection was reported to the run.
    var early: [Connection.Event] = []
    /// The boundaries of the caller's writes within the bytes that the callee reads.
    var callerWrites = WriteBoundaries()
    /// The boundaries of the callee's writes within the bytes that the caller reads.
    var calleeWrites = WriteBoundaries()
    private var callerPending: [UInt8] = []
    private var calleePending: [UInt8] = []

    init(_ caller: Caller, _ phase: Phase) {
        self.caller = caller
        self.phase = phase
    }

    /// Removes and returns the bytes in ``early``. An end-of-stream event remains there.
    func takeEarlyBytes() -> [UInt8] {
        let bytes = early.flatMap { event in if case .received(let bytes) = event { bytes } else { [UInt8]() } }
        early.removeAll { event in if case .received = event { true } else { false } }
        return bytes
    }

    var callerConnection: Connection? { callerEnd as? Connection }

    // MARK: - Writing and ending

    /// Buffers bytes until the next ``flush()``.
    ///
    /// All bytes from one event-loop iteration are written together. With one packet per write, more than ten packets
    /// would fill a new connection's initial congestion window, and the rest would wait for acknowledgements in real
    /// time.
    func writeByCaller(_ bytes: [UInt8]) {
        callerWrites.wrote(bytes.count)
        callerPending += bytes
    }

    func writeByCallee(_ bytes: [UInt8]) {
        calleeWrites.wrote(bytes.count)
        calleePending += bytes
    }

    /// Whether no bytes are buffered for ``flush()``.
    var isFlushed: Bool { callerPending.isEmpty && calleePending.isEmpty }

    /// Writes the pending bytes of both ends.
    func flush() {
        if !callerPending.isEmpty { callerConnection?.write(callerPending) }
        if !calleePending.isEmpty { calleeEnd?.write(calleePending) }
        callerPending.removeAll()
        calleePending.removeAll()
    }

    func endByCaller(_ how: LinkEnd) {
        flush()
        if how == .rst { Self.push(from: callerConnection, to: calleeEnd) }
        callerConnection?.end(how)
    }

    func endByCallee(_ how: LinkEnd) {
        flush()
        if how == .rst { Self.push(from: calleeEnd, to: callerEnd) }
        calleeEnd?.end(how)
    }

    /// Waits up to 2 ms for the kernel to send all written bytes, because an RST would discard the unsent bytes.
    ///
    /// Without the wait, the number of bytes that arrive would depend on the kernel's speed.
    private static func push(from sender: Connection?, to reader: (any WireEnd)?) {
        guard let sender, let reader, reader.isOpen, reader.readMode == .none else { return }
        let limit = NIODeadline.now() + .milliseconds(2)
        while sender.unsent > 0, NIODeadline.now() < limit { reader.acknowledgeNow() }
    }

    /// Whether both ends are closed and cannot open again.
    var isDead: Bool {
        guard attempt == nil, phase != .connecting else { return false }
        return callerEnd?.isOpen != true && calleeEnd?.isOpen != true
    }

    /// Describes the data in transit; nil if this connection cannot make progress before the run's next deadline.
    ///
    /// Bytes and FINs count as in transit only while the receiving end reads. Data for an end that is paused with a
    /// full buffer waits for one of the relay's deadlines, and a connection whose SYN was lost waits for one of the
    /// client's deadlines.
    var pendingWork: String? {
        switch phase {
        case .connecting: return "\(caller) is connecting"
        case .lost: return nil
        case .established, .over: break
        }
        guard let callerEnd, let calleeEnd else { return nil }
        if let what = Self.pendingWork(from: callerEnd, to: calleeEnd) { return "\(what) from \(caller)" }
        if let what = Self.pendingWork(from: calleeEnd, to: callerEnd) { return "\(what) to \(caller)" }
        return nil
    }

    /// Describes the data in transit in one direction; nil if there is none.
    static func pendingWork(from sender: any WireEnd, to reader: any WireEnd) -> String? {
        let reads = !reader.isOpen || reader.readMode == .none
        // An end in the read mode `unacknowledged` receives no packets, not even acknowledgements, so its undelivered
        // bytes do not count as in transit.
        let hears = sender.readMode != .unacknowledged
        guard reads, hears || !sender.isOpen else { return nil }
        if reader.isOpen, sender.hasEnded, !reader.hasSeenEnd { return "a FIN or RST is in transit" }
        let bytes = sender.undelivered
        return bytes > 0 ? "\(bytes) bytes are in transit" : nil
    }

    func acknowledgeNow() {
        callerEnd?.acknowledgeNow()
        calleeEnd?.acknowledgeNow()
    }
}
