#if os(Linux)
    import Glibc
    import Testing

    /// A socket that listens on a free port of loopback. The caller must close it.
    struct Listener {
        let socket: Int32
        let port: UInt16

        init() throws {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let size = length
            let isBound = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { address in
                    bind(socket, address.baseAddress, size) == 0 && listen(socket, 16) == 0
                        && address.baseAddress.map { getsockname(socket, $0, &length) } == 0
                }
            }
            try #require(isBound)
            self.socket = socket
            port = UInt16(bigEndian: address.sin_port)
        }
    }
#endif
