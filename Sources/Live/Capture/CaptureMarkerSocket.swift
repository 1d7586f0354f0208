import Sockets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A UDP socket that sends one packet to itself. Once a capture contains that packet, it contains all earlier packets.
final class CaptureMarkerSocket {
    let port: Int
    private let address: LocalAddress
    private var socket: SystemSocket?

    /// Opens the socket on a free port of `address`.
    init(at address: LocalAddress) throws(SocketError) {
        #if os(Linux)
            let type = Int32(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        #if canImport(Glibc)
            let descriptor = Glibc.socket(AF_INET, type, 0)
        #else
            let descriptor = Darwin.socket(AF_INET, type, 0)
        #endif
        guard descriptor >= 0 else { throw SocketError("create a socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let socket = SystemSocket(descriptor)
        do {
            try socket.bind(to: address, port: 0)
        } catch {
            socket.close()
            throw error
        }
        guard let port = socket.localPort else {
            socket.close()
            throw SocketError("determine the port of \(address)")
        }
        self.address = address
        self.port = port
        self.socket = socket
    }

    deinit { close() }

    /// Sends the marker packet.
    func send() {
        guard let socket else { return }
        var byte: UInt8 = 0
        // An error is ignored, because the capture stops waiting for the marker after a short time anyway.
        _ = address.withSystemAddress(port: port) { sendto(socket.descriptor, &byte, 1, 0, $0, $1) }
    }

    func close() {
        socket?.close()
        socket = nil
    }
}
