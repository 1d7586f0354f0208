import SquallCore
import Trace

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Writes the bytes of proxy connections as a pcapng capture for Wireshark. Can be used from any thread.
final class ProxyCapture: Sendable {
    private let write: @Sendable ([UInt8]) -> Void

    /// Starts a capture. `write` receives the bytes of the capture file in order and is called from many threads.
    init(tool: String, _ write: @escaping @Sendable ([UInt8]) -> Void) {
        self.write = write
        var capture = PacketCapture(
            tool: tool,
            note:
                """
                The bytes that a proxy read and wrote, as TCP segments. Where the proxy terminates TLS, they are \
                plaintext. Bytes that were not read because of a fault are missing.
                """
        )
        capture.places = [
            .client: "what the proxy reads from its clients, and writes to them",
            .server: "what the proxy writes to its upstreams, and reads from them",
        ]
        write(Pcapng.head(capture))
    }

    func add(_ blocks: [UInt8]) {
        if !blocks.isEmpty { write(blocks) }
    }

    /// The current wall-clock time, counted from 1970.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
