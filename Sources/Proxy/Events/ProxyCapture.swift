import SquallCore
import Trace

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// What a proxy's connections carry, as packets for Wireshark; written from any of its threads.
final class ProxyCapture: Sendable {
    private let write: @Sendable ([UInt8]) -> Void

    /// `write` takes the file's bytes in their order; it is called from many threads.
    init(tool: String, _ write: @escaping @Sendable ([UInt8]) -> Void) {
        self.write = write
        var capture = PacketCapture(
            tool: tool,
            note:
                "What a proxy read and wrote, as the segments that TCP would have made of it. Where TLS ends at the proxy, it is what is "
                + "inside. What a fault kept from being read is not here."
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

    /// The time of day, since 1970.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
