#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Parses IP addresses.
package enum NumericAddress {
    /// Returns the 4 or 16 bytes of an IPv4 or IPv6 address; nil for any other text, such as a host name.
    package static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        var sixteen = in6_addr()
        if inet_pton(AF_INET6, text, &sixteen) == 1 { return withUnsafeBytes(of: &sixteen) { Array($0) } }
        return nil
    }
}
