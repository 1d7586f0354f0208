import ChatWire
import Faults
import NIOCore
import ReferenceClient
import Sockets
import SquallCore

/// The side that opened a connection, and its purpose.
enum Caller: Hashable {
    /// The reference client, for a WebSocket.
    case connection(ConnectionID)
    /// The reference client, for an HTTP exchange.
    case exchange(ExchangeID)
    /// The relay, to the server.
    case relay(LinkID)
    /// A foreign client; this process owns only the relay's end of the connection.
    case foreign(LinkID)

    /// The client whose process the socket belongs to; nil for the relay's.
    var process: ClientID? {
        switch self {
        case .connection(let id): id.client
        case .exchange(let id): id.client
        case .foreign(let link): link.client
        case .relay: nil
        }
    }

    /// Whether the socket is closed when that process is killed.
    var endsWithProcess: Bool {
        if case .exchange(let id) = self { id.owner == .app } else { true }
    }
}

/// The state of one end of a connection that shows whether data is under way to or from it.
protocol WireEnd: AnyObject {
    var isOpen: Bool { get }
    var readMode: ReadMode { get }
    /// Whether it has sent, or will send, its FIN or RST.
    var hasEnded: Bool { get }
    /// Whether it has received the FIN or RST of the other end.
    var hasSeenEnd: Bool { get }
    /// How many bytes it has written that the other kernel has not acknowledged.
    var undelivered: Int { get }
    /// Has the kernel send a delayed acknowledgement at once.
    func acknowledgeNow()
}

extension Connection: WireEnd {
    var hasSeenEnd: Bool { peerEnd != nil }
}

/// One TCP connection of a run with the ends of it that this process owns, usually both.
final class Wire {
    enum Phase {
        /// Being connected, and not reported to either side. Next: established; lost, over.
        case connecting
        /// Both ends are connected and this was reported. The last phase.
        case established
        /// Begun while the listener drops packets: it is never established, whatever the kernel retransmits.
        case lost
        /// Refused, failed or abandoned before it was established.
        case over
    }

    let caller: Caller
    var phase: Phase
    /// Begun while the listener refuses: the kernel has answered the SYN by an RST, whatever the listener does next.
    var isRefused = false
    var attempt: ConnectAttempt?
    var callerEnd: (any WireEnd)?
    var calleeEnd: Connection?
    /// How far the TLS handshake between the connected ends has come.
    enum HandshakeState: Hashable {
        /// Not begun, or a connection without TLS.
        case none
        /// Begun; `ends` is how many ends have not reported its completion. Next: done.
        case underWay(ends: Int)
        /// Begun, and certain to fail: the caller is about to receive the failure.
        case doomed
        /// Completed by both ends.
        case done
    }
    var handshake = HandshakeState.none
    /// The handshake that the relay showed to the caller; nil without TLS.
    var shown: Handshake?

    /// The events of the callee's end before the connection was reported.
    var early: [Connection.Event] = []
    /// Where the caller's writes begin and end in the bytes that the callee reads.
    var callerWrites = WriteLedger()
    /// Where the callee's writes begin and end in the bytes that the caller reads.
    var calleeWrites = WriteLedger()
    private var callerPending: [UInt8] = []
    private var calleePending: [UInt8] = []

    init(_ caller: Caller, _ phase: Phase) {
        self.caller = caller
        self.phase = phase
    }

    /// Removes the bytes from ``early`` and returns them; an end stays.
    func takeEarlyBytes() -> [UInt8] {
        let bytes = early.flatMap { event in if case .received(let bytes) = event { bytes } else { [UInt8]() } }
        early.removeAll { event in if case .received = event { true } else { false } }
        return bytes
    }

    var callerConnection: Connection? { callerEnd as? Connection }

    // MARK: - Writing and ending

    /// Appends bytes to those that ``flush()`` will write.
    ///
    /// All bytes of one turn are written together. One packet for each write would reach TCP's congestion window, ten
    /// packets on a new connection, and the rest would wait for acknowledgements in real time.
    func writeByCaller(_ bytes: [UInt8]) {
        callerWrites.wrote(bytes.count)
        callerPending += bytes
    }

    func writeByCallee(_ bytes: [UInt8]) {
        calleeWrites.wrote(bytes.count)
        calleePending += bytes
    }

    /// Whether no bytes wait for ``flush()``.
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

    /// Waits up to 2 ms until the kernel has sent all written bytes, before an RST that would discard them.
    ///
    /// Otherwise the kernel's speed would decide how many of them arrive.
    private static func push(from sender: Connection?, to reader: (any WireEnd)?) {
        guard let sender, let reader, reader.isOpen, reader.readMode == .none else { return }
        let limit = NIODeadline.now() + .milliseconds(2)
        while sender.unsent > 0, NIODeadline.now() < limit { reader.acknowledgeNow() }
    }

    /// Whether neither end is open, nor will be.
    var isDead: Bool {
        guard attempt == nil, phase != .connecting else { return false }
        return callerEnd?.isOpen != true && calleeEnd?.isOpen != true
    }

    /// Describes what is under way; nil when only a deadline of the run can move this connection.
    ///
    /// Bytes and ends are under way while their reader reads. A paused reader, with a full buffer behind it, waits for
    /// a deadline of the relay, and a connection whose SYN was lost waits for a deadline of the client.
    var underWay: String? {
        switch phase {
        case .connecting: return "\(caller) is connecting"
        case .lost: return nil
        case .established, .over: break
        }
        guard let callerEnd, let calleeEnd else { return nil }
        if let what = Self.underWay(from: callerEnd, to: calleeEnd) { return "\(what) from \(caller)" }
        if let what = Self.underWay(from: calleeEnd, to: callerEnd) { return "\(what) to \(caller)" }
        return nil
    }

    /// Describes what is under way in one direction; nil when nothing is.
    static func underWay(from sender: any WireEnd, to reader: any WireEnd) -> String? {
        let reads = !reader.isOpen || reader.readMode == .none
        // A socket in this mode receives no packets, so it never sees its bytes acknowledged.
        let hears = sender.readMode != .unacknowledged
        guard reads, hears || !sender.isOpen else { return nil }
        if reader.isOpen, sender.hasEnded, !reader.hasSeenEnd { return "an end is under way" }
        let bytes = sender.undelivered
        return bytes > 0 ? "\(bytes) bytes are under way" : nil
    }

    func acknowledgeNow() {
        callerEnd?.acknowledgeNow()
        calleeEnd?.acknowledgeNow()
    }
}
