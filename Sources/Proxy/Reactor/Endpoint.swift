import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// An error for an address that cannot be parsed, resolved or bound.
///
/// The text matches Toxiproxy's, which comes from Go's `net` package.
package struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// An address to listen on or connect to, in text form: `host:port`, `[host]:port`, `:port` or `unix:path`.
///
/// The prefix `udp:` selects datagrams instead of a stream.
package struct Endpoint: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// An IP host and port; an empty host means every address of this machine.
        case tcp(host: String, port: String)
        case unix(path: String)
    }

    let text: String
    let kind: Kind
    let isDatagram: Bool

    package init(_ whole: String) throws(AddressError) {
        isDatagram = whole.hasPrefix("udp:")
        let text = isDatagram ? String(whole.dropFirst(4)) : whole
        self.text = text
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty, path.utf8.count < SystemAddress.longestPath else {
                throw AddressError(
                    "address \(text): the path of a Unix socket must have 1 to \(SystemAddress.longestPath - 1) bytes"
                )
            }
            kind = .unix(path: path)
            return
        }
        guard !text.isEmpty else {
            // For an empty address, Toxiproxy listens on every address of the machine; loopback is the safer default.
            kind = .tcp(host: "127.0.0.1", port: "0")
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            throw AddressError("address \(text): missing port in address")
        }
        var host = String(text[..<colon])
        let port = String(text[text.index(after: colon)...])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw AddressError("address \(text): too many colons in address")
        }
        if let number = Int(port), !(0...65535).contains(number) { throw AddressError("address \(port): invalid port") }
        kind = .tcp(host: host, port: port.isEmpty ? "0" : port)
    }

    /// Returns the reason why connecting to this address can never succeed, or nil if it can.
    static func whyUnreachable(_ text: String) -> AddressError? {
        do {
            guard case .tcp(_, let port) = try Endpoint(text).kind else { return nil }
            // A service name (`http`) is resolved by the system.
            let isService = UInt16(port) == nil && port.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
            guard !isService, UInt16(port) ?? 0 == 0 else { return nil }
            return AddressError("address \(text): '\(port)' is not a port to connect to")
        } catch {
            return error
        }
    }

    /// The host name or address as given; nil for a Unix socket path or an empty host.
    var host: String? { if case .tcp(let host, _) = kind, !host.isEmpty { host } else { nil } }

    /// Returns the socket addresses of a numeric host, or nil if the host is a name that must be resolved.
    ///
    /// An empty host means all addresses when listening (IPv6 first, then IPv4 for kernels without IPv6), and loopback
    /// when connecting.
    func numeric(toConnect: Bool = false) -> [SystemAddress]? {
        switch kind {
        case .unix(let path): return [SystemAddress(path: path)]
        case .tcp(let host, let port):
            let hosts =
                switch host {
                // RFC 6761 section 6.3: localhost always resolves to loopback.
                case "localhost": ["127.0.0.1", "::1"]
                case "": toConnect ? ["127.0.0.1", "::1"] : ["::", "0.0.0.0"]
                default: [host]
                }
            let addresses = hosts.compactMap { try? SystemAddress.resolve($0, port, asking: false) }
            return addresses.isEmpty ? nil : addresses.flatMap { $0 }
        }
    }

    /// Returns whether both endpoints denote the same address. No lookup is done, so different host names never match.
    func hasSameAddress(as other: Endpoint) -> Bool {
        guard isDatagram == other.isDatagram else { return false }
        guard text != other.text else { return true }
        guard let mine = numeric()?.first, let others = other.numeric()?.first else { return false }
        return mine == others
    }

    /// Resolves an endpoint with the system's resolver. Blocks until name servers answer.
    @Sendable package static func resolve(_ endpoint: Endpoint) -> Result<[SystemAddress], AddressError> {
        Result { () throws(AddressError) in try endpoint.resolve() }
    }

    /// Resolves the endpoint. Blocks until name servers answer.
    ///
    /// - Throws: ``AddressError`` if the lookup fails.
    package func resolve() throws(AddressError) -> [SystemAddress] {
        if let addresses = numeric() { return addresses }
        guard case .tcp(let host, let port) = kind else { return [] }
        return try SystemAddress.resolve(host, port, asking: true)
    }
}

/// A socket address of any family, as the bytes of its `sockaddr`.
package struct SystemAddress: Hashable, Sendable {
    /// The size of `sun_path` in bytes on macOS, where it is smaller than on Linux (108).
    static let longestPath = 104

    let family: Int32
    let bytes: [UInt8]

    init(family: Int32, bytes: [UInt8]) {
        self.family = family
        self.bytes = bytes
    }

    /// Creates the address of a Unix socket; `path` must have fewer than ``longestPath`` bytes.
    init(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        self.init(family: AF_UNIX, bytes: withUnsafeBytes(of: &address) { Array($0) })
    }

    /// The path of a Unix socket; nil for other families.
    var path: String? {
        guard family == AF_UNIX, let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) else { return nil }
        return String(decoding: bytes.dropFirst(start).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The address, converted to IPv4 if it is IPv4-mapped IPv6 (`::ffff:10.0.0.5`, RFC 4291 section 2.5.5.2).
    var unmapped: SystemAddress {
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        guard family == AF_INET6, bytes.count >= 24, bytes[8..<20].elementsEqual(prefix) else { return self }
        var address = sockaddr_in()
        #if canImport(Darwin)
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        withUnsafeMutableBytes(of: &address.sin_port) { $0.copyBytes(from: bytes[2..<4]) }
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes[20..<24]) }
        return SystemAddress(family: AF_INET, bytes: withUnsafeBytes(of: &address) { Array($0) })
    }

    static func resolve(_ host: String, _ port: String, asking: Bool) throws(AddressError) -> [SystemAddress] {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = asking ? 0 : AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, port, &hints, &list)
        guard result == 0, let list else {
            throw AddressError(
                "lookup \(host): \(result == EAI_NONAME ? "no such host" : String(cString: gai_strerror(result)))"
            )
        }
        defer { freeaddrinfo(list) }
        var addresses: [SystemAddress] = []
        for entry in sequence(first: list, next: { $0.pointee.ai_next }) {
            guard let address = entry.pointee.ai_addr else { continue }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
            let found = SystemAddress(family: entry.pointee.ai_family, bytes: Array(bytes))
            if !addresses.contains(found) { addresses.append(found) }
        }
        return addresses
    }

    /// Whether the port is 0, in which case the kernel chooses one.
    var hasNoPort: Bool {
        (family == AF_INET || family == AF_INET6) && bytes.count > 3 && bytes[2] == 0 && bytes[3] == 0
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
        }
    }

    /// Returns the address that a call such as `getsockname` stores, after ``unmapped`` is applied; nil if the call
    /// fails.
    static func queryUnmapped(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SystemAddress? { query(call)?.unmapped }

    /// Returns the address that a call such as `getsockname` stores, unchanged: unlike ``queryUnmapped(_:)``, this
    /// function does not apply ``unmapped``. Returns nil if the call fails.
    static func query(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SystemAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        guard result == 0 else { return nil }
        let bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
        return SystemAddress(family: Int32(storage.ss_family), bytes: bytes)
    }

    /// The address in text form, such as `127.0.0.1:80` or `[::1]:80`; empty for a Unix socket.
    package var description: String {
        guard family == AF_INET || family == AF_INET6 else { return "" }
        var host = [CChar](repeating: 0, count: 64)
        var port = [CChar](repeating: 0, count: 16)
        let result = withPointer { address, length in
            getnameinfo(
                address,
                length,
                &host,
                socklen_t(host.count),
                &port,
                socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV
            )
        }
        guard result == 0 else { return "" }
        func text(_ characters: [CChar]) -> String {
            String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return family == AF_INET6 ? "[\(text(host))]:\(text(port))" : "\(text(host)):\(text(port))"
    }
}
