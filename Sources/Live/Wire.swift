import ChatWire
import Faults
import NIOCore
import ReferenceClient
import Sockets
import SquallCore

/// Who opened a connection.
enum Caller: Hashable {
    case connection(ConnectionID)
    case exchange(ExchangeID)
    /// The relay, towards the server.
    case relay(LinkID)
    /// A client that Squall does not drive: only the relay's end of the connection is this process's own.
    case foreign(LinkID)

    /// The client whose process the socket belongs to.
    var process: ClientID? {
        switch self {
        case .connection(let id): id.client
        case .exchange(let id): id.client
        case .foreign(let link): link.client
        case .relay: nil
        }
    }

    /// Whether the socket ends with that process.
    var endsWithProcess: Bool {
        if case .exchange(let id) = self { id.owner == .app } else { true }
    }
}

/// What can be asked of either end of a connection to tell whether something is under way between them.
protocol WireEnd: AnyObject {
    var isOpen: Bool { get }
    var readMode: ReadMode { get }
    /// It has sent, or will send, its FIN or RST.
    var hasEnded: Bool { get }
    var hasSeenEnd: Bool { get }
    /// Bytes that it has written and the other kernel has not acknowledged.
    var undelivered: Int { get }
    func acknowledgeNow()
}

extension Connection: WireEnd {
    var hasSeenEnd: Bool { peerEnd != nil }
}

/// One TCP connection of a run, both of whose ends are this process's own.
final class Wire {
    enum Phase {
        /// Nobody has been told of it yet.
        case calling
        /// Both ends stand and were told.
        case met
        /// Met a door that drops: it never comes about, whatever the kernel would retry.
        case lost
        /// Refused, failed or given up before it was told.
        case over
    }

    let caller: Caller
    var phase: Phase
    var attempt: ConnectAttempt?
    var callerEnd: (any WireEnd)?
    var calleeEnd: Connection?
    /// How far TLS is between the ends that stand, where there is any.
    enum HandshakeState: Hashable {
        case none
        /// How many ends are still to be heard of.
        case underWay(ends: Int)
        /// It will not be done: the caller is about to find out.
        case doomed
        case done
    }
    var handshake = HandshakeState.none
    /// What the caller met.
    var shown: Handshake?

    /// What reached the callee before it was told of the connection.
    var early: [Connection.Event] = []
    var callerWrites = WriteLedger()
    var calleeWrites = WriteLedger()
    private var callerPending: [UInt8] = []
    private var calleePending: [UInt8] = []

    init(_ caller: Caller, _ phase: Phase) {
        self.caller = caller
        self.phase = phase
    }

    /// What reached the callee before it was told of the connection, without its end.
    func takeEarlyBytes() -> [UInt8] {
        let bytes = early.flatMap { event in if case .received(let bytes) = event { bytes } else { [UInt8]() } }
        early.removeAll { event in if case .received = event { true } else { false } }
        return bytes
    }

    var callerConnection: Connection? { callerEnd as? Connection }

    // MARK: - Writing and ending

    /// Puts bytes behind what waits for ``flush()``.
    ///
    /// What is written within one turn leaves together: as many small packets as a run has writes would meet TCP's limit of
    /// packets under way, ten on a young connection, and wait for acknowledgements in real time.
    func writeByCaller(_ bytes: [UInt8]) {
        callerWrites.wrote(bytes.count)
        callerPending += bytes
    }

    func writeByCallee(_ bytes: [UInt8]) {
        calleeWrites.wrote(bytes.count)
        calleePending += bytes
    }

    var isFlushed: Bool { callerPending.isEmpty && calleePending.isEmpty }

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

    /// Has what was written leave before an RST that would destroy it: how fast the kernel was must not decide what of it
    /// arrives.
    private static func push(from sender: Connection?, to reader: (any WireEnd)?) {
        guard let sender, let reader, reader.isOpen, reader.readMode == .none else { return }
        let limit = NIODeadline.now() + .milliseconds(2)
        while sender.unsent > 0, NIODeadline.now() < limit { reader.acknowledgeNow() }
    }

    /// Both ends are closed, or will never be.
    var isDead: Bool {
        guard attempt == nil, phase != .calling else { return false }
        return callerEnd?.isOpen != true && calleeEnd?.isOpen != true
    }

    /// What is under way, in words; nil where only a machine's deadline can move this connection.
    ///
    /// Bytes and ends are under way as long as their reader reads. A reader that is hushed, or a full buffer behind it, waits
    /// for a deadline of the relay, and a connection that was lost with its SYN waits for one of the client.
    var underWay: String? {
        switch phase {
        case .calling: return "\(caller) is calling"
        case .lost: return nil
        case .met, .over: break
        }
        guard let callerEnd, let calleeEnd else { return nil }
        if let what = Self.underWay(from: callerEnd, to: calleeEnd) { return "\(what) from \(caller)" }
        if let what = Self.underWay(from: calleeEnd, to: callerEnd) { return "\(what) to \(caller)" }
        return nil
    }

    static func underWay(from sender: any WireEnd, to reader: any WireEnd) -> String? {
        let reads = !reader.isOpen || reader.readMode == .none
        // What a socket sends that lets no packet in is never seen to be acknowledged.
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
