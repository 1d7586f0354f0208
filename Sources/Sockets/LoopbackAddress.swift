#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#endif

/// An IPv4 address of this machine's own: `127.x.y.z`.
package struct LoopbackAddress: Hashable, Sendable, CustomStringConvertible {
    /// The last three of the four numbers.
    private let host: UInt32

    /// `host` counts from 127.0.0.0; only its low 24 bits matter.
    package init(host: UInt32) {
        self.host = host & 0xFF_FFFF
    }

    /// `127.0.0.1`, the only one that every system has.
    package static let common = LoopbackAddress(host: 1)

    package var description: String {
        "127.\(host >> 16).\(host >> 8 & 0xFF).\(host & 0xFF)"
    }

    /// The size of a `sockaddr_in`.
    static let systemLength = 16

    /// The address as a `sockaddr_in`, whose layout every system shares but for the first two bytes.
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
        storage.storeBytes(of: (0x7F00_0000 | host).bigEndian, toByteOffset: 4, as: UInt32.self)
        return body(UnsafePointer(storage.assumingMemoryBound(to: sockaddr.self)), length)
    }
}
