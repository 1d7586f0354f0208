import Synchronization

/// The secrets of TLS connections, as lines (`CLIENT_RANDOM …`) that Wireshark reads.
final class KeyLog: Sendable {
    private let kept = Mutex<[UInt8]>([])

    var lines: [UInt8] { kept.withLock { $0 } }

    @Sendable func add(_ line: [UInt8]) {
        kept.withLock { $0 += line }
    }
}
