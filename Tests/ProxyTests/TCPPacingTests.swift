import Sockets
import Testing

@testable import Proxy

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests that TCP pacing is disabled on loopback, where no packet is lost.
struct PacingTests {
    @Test(
        "A loopback address is recognised as loopback",
        arguments: [
            ("127.0.0.1:80", true), ("127.9.9.9:80", true), ("[::1]:80", true), ("localhost:80", true),
            ("10.0.0.1:80", false),
            ("[fe80::1]:80", false), (":80", false), ("128.0.0.1:80", false), ("unix:/tmp/127", false),
        ]
    )
    func loopbackIsKnownByItsAddress(_ text: String, _ isLoopback: Bool) throws {
        let addresses = try #require(try Endpoint(text).numeric())
        #expect(!addresses.isEmpty && addresses.allSatisfy { $0.isLoopback == isLoopback })
    }

    #if os(Linux)
        private static func congestionControl(of socket: SystemSocket) -> String {
            var name = [UInt8](repeating: 0, count: 16)
            var length = socklen_t(name.count)
            getsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, &name, &length)
            return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }

        @Test(
            "BBR is replaced by Reno on loopback connections only",
            arguments: [("127.0.0.1:80", true), ("10.0.0.1:80", false)]
        )
        func pacing(_ text: String, _ isLoopback: Bool) throws {
            let address = try #require(try Endpoint(text).numeric()?.first)
            let socket = try SystemSocket.stream(address.family)
            defer { socket.close() }
            let usual = Self.congestionControl(of: socket)
            TCPPacing.disable(socket, address)
            #expect(Self.congestionControl(of: socket) == (usual.hasPrefix("bbr") && isLoopback ? "reno" : usual))
        }
    #endif
}
