#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#endif

/// An IPv4 address of this machine: `127.x.y.z`, unless the user specified another.
package struct LocalAddress: Hashable, Sendable, CustomStringConvertible {
    private let value: UInt32

    /// Creates the loopback address 127.0.0.0 + `host`. Only the low 24 bits of `host` are used.
    package init(host: UInt32) {
        value = 0x7F00_0000 | host & 0xFF_FFFF
    }

    /// Parses a dotted-decimal address; returns nil for any other text.
    ///
    /// Does not check that this machine has the address; only an attempt to bind to it reveals that.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.allSatisfy(\.isASCII) && !$0.hasPrefix("+") ? UInt8($0) : nil }
        guard parts.count == 4, numbers.count == 4 else { return nil }
        value = numbers.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether this is the wildcard address `0.0.0.0`, which stands for every address of this machine.
    package var isWildcard: Bool { value == 0 }

    /// The address `127.0.0.1`, the only loopback address that every system has.
    package static let common = LocalAddress(host: 1)

    package var description: String {
        "\(value >> 24).\(value >> 16 & 0xFF).\(value >> 8 & 0xFF).\(value & 0xFF)"
    }

    /// The size of a `sockaddr_in` in bytes.
    static let systemLength = 16

    /// Calls `body` with the address as a `sockaddr_in`, whose layout is the same on all systems except for the first
    /// two bytes.
    package func withSystemAddress<Result>(
        port: Int,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let length = socklen_t(Self.systemLength)
        let storage = UnsafeMutableRawPointer.allocate(
            byteCount: Self.systemLength,
            alignment: MemoryLayout<sockaddr>.alignment
        )
        defer { storage.deallocate() }
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: Self.systemLength)
        #if canImport(Darwin)
            storage.storeBytes(of: UInt8(Self.systemLength), toByteOffset: 0, as: UInt8.self)
            storage.storeBytes(of: UInt8(AF_INET), toByteOffset: 1, as: UInt8.self)
        #else
            storage.storeBytes(of: UInt16(AF_INET), toByteOffset: 0, as: UInt16.self)
        #endif
        storage.storeBytes(of: UInt16(truncatingIfNeeded: port).bigEndian, toByteOffset: 2, as: UInt16.self)
        storage.storeBytes(of: value.bigEndian, toByteOffset: 4, as: UInt32.self)
        return body(UnsafePointer(storage.assumingMemoryBound(to: sockaddr.self)), length)
    }
}
