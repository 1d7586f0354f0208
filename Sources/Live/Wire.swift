import ChatWire
import Faults
import Foundations
import ReferenceClient
import Sockets

/// Who opened a connection.
enum Caller: Hashable {
    case connection(ConnectionID)
    case exchange(ExchangeID)
    /// The relay, towards the server.
    case relay(LinkID)

    /// The client whose process the socket belongs to.
    var process: ClientID? {
        switch self {
        case .connection(let id): id.client
        case .exchange(let id): id.client
        case .relay: nil
        }
    }
}

/// What can be asked of either end of a connection to tell whether something is under way between them.
protocol WireEnd: AnyObject {
    var isOpen: Bool { get }
    var hush: Hush { get }
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
    let caller: Caller
    /// Begun while the door dropped SYNs: it never comes about, whatever the kernel would retry.
    private(set) var isLost: Bool
    var attempt: ConnectAttempt?
    var callerEnd: (any WireEnd)?
    var calleeEnd: Connection?
    var callerWrites = WriteLedger()
    var calleeWrites = WriteLedger()
    /// Failed, given up or ended on both sides.
    private(set) var isOver = false

    init(_ caller: Caller, isLost: Bool) {
        self.caller = caller
        self.isLost = isLost
    }

    func writeByCaller(_ bytes: [UInt8]) {
        guard let connection = callerEnd as? Connection else { return }
        callerWrites.wrote(bytes.count)
        connection.write(bytes)
    }

    func writeByCallee(_ bytes: [UInt8]) {
        calleeWrites.wrote(bytes.count)
        calleeEnd?.write(bytes)
    }

    func drop() {
        isOver = true
        attempt = nil
    }

    /// Both ends are closed, or will never be.
    var isDead: Bool {
        guard attempt == nil, callerEnd != nil || isOver else { return false }
        return callerEnd?.isOpen != true && calleeEnd?.isOpen != true
    }

    /// What is under way, in words; nil where only a machine's deadline can move this connection.
    ///
    /// Bytes and ends are under way as long as their reader reads. A reader that is hushed, or a full buffer behind it, waits
    /// for a deadline of the relay, and a connection that was lost with its SYN waits for one of the client.
    var underWay: String? {
        guard !isLost else { return nil }
        if attempt != nil { return "\(caller) is connecting" }
        guard let callerEnd else { return nil }
        guard let calleeEnd else { return callerEnd.isOpen ? "\(caller) is connected and not accepted" : nil }
        if let what = Self.underWay(from: callerEnd, to: calleeEnd) { return "\(what) from \(caller)" }
        if let what = Self.underWay(from: calleeEnd, to: callerEnd) { return "\(what) to \(caller)" }
        return nil
    }

    private static func underWay(from sender: any WireEnd, to reader: any WireEnd) -> String? {
        let reads = !reader.isOpen || reader.hush == .none
        // What a socket sends that lets no packet in is never seen to be acknowledged.
        let hears = sender.hush != .unacknowledged
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
