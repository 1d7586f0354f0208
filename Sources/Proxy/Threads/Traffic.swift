import Faults
import Synchronization

/// What a lane counts, for whoever asks on any thread.
final class Traffic: Sendable {
    /// Bytes in one direction.
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
    /// Connections that stand.
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

/// How many connections a thread carries, of all proxies.
final class Load: Sendable {
    private let connections = Atomic<Int>(0)

    var count: Int { connections.load(ordering: .relaxed) }
    func add() { connections.add(1, ordering: .relaxed) }
    func remove() { connections.subtract(1, ordering: .relaxed) }
}
