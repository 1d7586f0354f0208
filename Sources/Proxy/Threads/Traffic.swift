import Faults
import Synchronization

/// The counters of one ``ProxyWorker``, readable from any thread.
final class Traffic: Sendable {
    /// The byte counts of one direction: bytes read from one socket and written to the other.
    struct Count: Hashable, Sendable {
        var received: UInt64 = 0
        var sent: UInt64 = 0
    }

    private let fromClients = Atomic<UInt64>(0)
    private let toServer = Atomic<UInt64>(0)
    private let fromServer = Atomic<UInt64>(0)
    private let toClients = Atomic<UInt64>(0)
    private let connections = Atomic<Int>(0)

    var upstream: Count {
        Count(received: fromClients.load(ordering: .relaxed), sent: toServer.load(ordering: .relaxed))
    }
    var downstream: Count {
        Count(received: fromServer.load(ordering: .relaxed), sent: toClients.load(ordering: .relaxed))
    }
    /// The number of open connections.
    var open: Int { connections.load(ordering: .relaxed) }

    func opened() { connections.add(1, ordering: .relaxed) }
    func closed() { connections.subtract(1, ordering: .relaxed) }

    func add(received count: Int, from side: LinkSide) {
        switch side {
        case .client: fromClients.add(UInt64(count), ordering: .relaxed)
        case .server: fromServer.add(UInt64(count), ordering: .relaxed)
        }
    }

    func add(sent count: Int, to side: LinkSide) {
        switch side {
        case .client: toClients.add(UInt64(count), ordering: .relaxed)
        case .server: toServer.add(UInt64(count), ordering: .relaxed)
        }
    }
}

/// The number of connections that one thread relays, across all proxies.
final class Load: Sendable {
    private let connections = Atomic<Int>(0)

    var count: Int { connections.load(ordering: .relaxed) }
    func add() { connections.add(1, ordering: .relaxed) }
    func remove() {
        connections.subtract(1, ordering: .relaxed)
        assert(count >= 0)
    }
}
