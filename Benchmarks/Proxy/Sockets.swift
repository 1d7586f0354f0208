#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Blocking TCP sockets for the benchmark's clients and servers.
enum Sockets {
    /// Listens on a loopback port; with port 0, on any free port.
    static func listener(at port: Int = 0) -> (descriptor: Int32, port: Int) {
        let descriptor = make()
        _ = withAddress(port) { bind(descriptor, $0, $1) }
        _ = listen(descriptor, 4096)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }

    /// Returns a port that is currently free.
    static func freePort() -> Int {
        let (descriptor, port) = listener()
        _ = close(descriptor)
        return port
    }

    /// Connects to a port; returns nil if nothing listens on it.
    static func connect(to port: Int) -> Int32? {
        let descriptor = make()
        guard withAddress(port, { platformConnect(descriptor, $0, $1) }) == 0 else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func make() -> Int32 {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        return descriptor
    }

    private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Writes all bytes; returns false on an error.
    static func sendAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    static func receiveAll(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var received = 0
        while received < bytes.count {
            let count = read(descriptor, bytes.baseAddress.map { $0 + received }, bytes.count - received)
            guard count > 0 else { return false }
            received += count
        }
        return true
    }

    /// Closes the socket with an RST, so that its port is not left in TIME_WAIT.
    static func drop(_ descriptor: Int32) {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        _ = close(descriptor)
    }
}

private func platformConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
