#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A UDP socket on loopback.
final class DatagramPeer {
    let port: Int
    private let descriptor: Int32

    init() throws {
        #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else { throw Peer.Failure(code: errno) }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { _ = close(descriptor) }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    func send(_ text: String, to port: Int) {
        var address = Self.address(port)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func receive(within seconds: Double = 10) -> (text: String, from: Int)? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(seconds * 1000)) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 2048)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        return (String(decoding: buffer[..<count], as: UTF8.self), Int(in_port_t(bigEndian: address.sin_port)))
    }
}
