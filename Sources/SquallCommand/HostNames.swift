#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The names and addresses of this machine.
enum HostNames {
    /// Returns whether `host` is a wildcard, such as `0.0.0.0`, that denotes all addresses of this machine.
    static func isEverywhere(_ host: String) -> Bool { ["0.0.0.0", "::", "[::]", ""].contains(host) }

    /// Returns the addresses at which other machines can reach a listener on `host`.
    static func reachable(at host: String) -> [String] {
        guard isEverywhere(host) else { return [host] }
        let addresses = addresses()
        return addresses.isEmpty ? ["127.0.0.1"] : addresses
    }

    /// Returns `host` in URL syntax: IPv6 addresses are enclosed in brackets (RFC 3986 section 3.2.2).
    static func inURL(_ host: String) -> String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }

    /// Returns the addresses of this machine except loopback and link-local ones, IPv4 first.
    static func addresses() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0, let list else { return [] }
        defer { freeifaddrs(list) }
        var found: [(isSixteen: Bool, text: String)] = []
        for entry in sequence(first: list, next: { $0.pointee.ifa_next }) {
            guard let address = entry.pointee.ifa_addr, entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0 else {
                continue
            }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var host = [CChar](repeating: 0, count: 64)
            let result = getnameinfo(address, socklen_t(length), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
            guard result == 0 else { continue }
            let text = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // An address with a scope, such as fe80::1%eth0, is valid only on one link, so it is omitted.
            if !text.contains("%") { found.append((family == AF_INET6, text)) }
        }
        return found.filter { !$0.isSixteen }.map(\.text) + found.filter(\.isSixteen).map(\.text)
    }

    /// Returns the host name of this machine in lower case; nil if it has none.
    static func ownName() -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        return text.isEmpty ? nil : text
    }
}
