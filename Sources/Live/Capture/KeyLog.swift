import Synchronization

/// The secrets of TLS connections, in the key log format (`CLIENT_RANDOM …`) that Wireshark reads.
final class KeyLog: Sendable {
    private let kept = Mutex<[UInt8]>([])

    var lines: [UInt8] { kept.withLock { $0 } }

    /// Appends one line, which must end with a line feed. Can be called from any thread.
    @Sendable func add(_ line: [UInt8]) {
        kept.withLock { $0 += line }
    }
}
