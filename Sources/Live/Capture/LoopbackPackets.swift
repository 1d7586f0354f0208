import CLibpcap
import Foundation
import Sockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Captures packets on the loopback device with libpcap.
final class LoopbackPackets {
    /// The reason why packets cannot be captured.
    struct Obstacle: Error, Hashable {
        var message: String
    }

    /// The snapshot length, in bytes: larger than any packet on a loopback device, whose MTU is 64 KiB.
    private static let length: CInt = 1 << 17
    /// The size of the kernel's capture buffer in bytes.
    ///
    /// On Linux the buffer has 64 blocks, and a block counts as full after ``milliseconds`` even if it is nearly empty.
    /// The buffer therefore covers 640 ms, ten times as long as an event-loop iteration should take.
    private static let buffer: CInt = 16 << 20
    /// The maximum time, in milliseconds, for which the kernel may delay the delivery of a packet.
    private static let milliseconds: CInt = 10

    #if os(Linux)
        private static let device = "lo"
    #else
        private static let device = "lo0"
    #endif

    private var handle: OpaquePointer?
    let linkType: CInt

    /// Starts capturing packets to and from `address`, and those to and from TCP port `port` at any address.
    ///
    /// - Throws: ``Obstacle`` if the system does not permit it.
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

    /// The number of packets that the operating system dropped because its buffer was full.
    var dropped: Int { handle.map { Int(squall_dropped_packets($0)) } ?? 0 }

    /// Passes each packet captured since the previous call to `body`, with the system time in nanoseconds since 1970.
    func read(_ body: (_ frame: [UInt8], _ time: Int64) -> Void) {
        guard let handle else { return }
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        var time: Int64 = 0
        while squall_next_packet(handle, &bytes, &count, &time) == 1 {
            body(Array(UnsafeBufferPointer(start: bytes, count: Int(count))), time)
        }
    }

    /// Blocks until packets are available, for at most `milliseconds`.
    func wait(milliseconds: Int32) {
        guard let handle else { return }
        var descriptor = pollfd(fd: pcap_get_selectable_fd(handle), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
    }

    /// Translates libpcap's status into a message that suggests a remedy.
    private static func obstacle(_ status: CInt, _ reason: String) -> Obstacle {
        guard status == PCAP_ERROR_PERM_DENIED else {
            let words = reason.isEmpty ? String(cString: pcap_statustostr(status)) : reason
            return Obstacle(message: "packets on \(device) cannot be captured: \(words)")
        }
        #if os(Linux)
            let binary = Bundle.main.executablePath ?? "squall"
            let way = "allow it with `sudo setcap cap_net_raw+ep \(binary)`, or run as root"
            return Obstacle(message: "capturing packets on \(device) needs root or CAP_NET_RAW: \(way)")
        #else
            return Obstacle(
                message:
                    """
                    capturing packets on \(device) needs read access to /dev/bpf*: install Wireshark's ChmodBPF, \
                    or run as root
                    """
            )
        #endif
    }
}
