import CLibpcap
import Foundation
import Sockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What passes on loopback, by libpcap.
final class LoopbackPackets {
    /// Why packets cannot be seen.
    struct Obstacle: Error, Hashable {
        var message: String
    }

    /// Longer than anything on a loopback device, whose packets are up to 64 KiB.
    private static let length: CInt = 1 << 17
    /// What the kernel keeps until it is asked, in bytes. On Linux that is 64 blocks, and a block counts as full after
    /// ``milliseconds``, whatever is in it: a turn of a run's loop may take ten times as long as any does.
    private static let buffer: CInt = 16 << 20
    /// How long it may keep a packet to itself.
    private static let milliseconds: CInt = 10

    #if os(Linux)
        private static let device = "lo"
    #else
        private static let device = "lo0"
    #endif

    private var handle: OpaquePointer?
    let linkType: CInt

    /// Sees what goes to or comes from `address`, or `port` of any other.
    init(of address: LocalAddress, and port: Int?) throws(Obstacle) {
        let filter = "host \(address)" + (port.map { " or tcp port \($0)" } ?? "")
        var status: CInt = 0
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard
            let handle = squall_capture(
                Self.device,
                filter,
                Self.length,
                Self.buffer,
                Self.milliseconds,
                &status,
                &reason
            )
        else {
            throw Self.obstacle(
                status,
                String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            )
        }
        self.handle = handle
        linkType = pcap_datalink(handle)
    }

    deinit { close() }

    func close() {
        if let handle { pcap_close(handle) }
        handle = nil
    }

    /// Packets that the system had no room for.
    var dropped: Int { handle.map { Int(squall_dropped_packets($0)) } ?? 0 }

    /// Hands over what has passed since the last time, with the system's time in nanoseconds since 1970.
    func read(_ body: (_ frame: [UInt8], _ time: Int64) -> Void) {
        guard let handle else { return }
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        var time: Int64 = 0
        while squall_next_packet(handle, &bytes, &count, &time) == 1 {
            body(Array(UnsafeBufferPointer(start: bytes, count: Int(count))), time)
        }
    }

    /// Sleeps until something may have passed, or for so many milliseconds.
    func wait(milliseconds: Int32) {
        guard let handle else { return }
        var descriptor = pollfd(fd: pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
    }

    /// What libpcap says, and the way out.
    private static func obstacle(_ status: CInt, _ reason: String) -> Obstacle {
        guard status == PCAP_ERROR_PERM_DENIED else {
            let words = reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason
            return Obstacle(message: "packets on \(device) cannot be seen: \(words)")
        }
        #if os(Linux)
            let binary = Bundle.main.executablePath ?? "squall"
            let way = "allow it with `sudo setcap cap_net_raw+ep \(binary)`, or run as root"
            return Obstacle(message: "packets on \(device) are for root, and for who has CAP_NET_RAW: \(way)")
        #else
            return Obstacle(
                message:
                    "packets on \(device) are for who may read /dev/bpf*: Wireshark's ChmodBPF allows it, or run as root"
            )
        #endif
    }
}
