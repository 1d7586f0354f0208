import SquallCore
import TLSLink
import Testing

struct ClientHelloTests {
    /// Returns a TLS 1.2 client's ClientHello, in which another extension precedes the server name.
    private static func hello(_ host: String) -> [UInt8] {
        func block(_ bytes: [UInt8], _ lengthBytes: Int) -> [UInt8] {
            (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }
        let name = [0, 0] + block(block([0] + block(Array(host.utf8), 2), 2), 2)
        let extensions = [0, 23, 0, 0] + name
        let body =
            [3, 3] + [UInt8](repeating: 9, count: 32) + block([], 1) + block([0xC0, 0x2B], 2) + block([0], 1)
            + block(extensions, 2)
        return [22, 3, 1] + block([1] + block(body, 3), 2)
    }

    @Test("The server name is parsed once the ClientHello is complete")
    func theNameIsReadOnceTheHelloIsWhole() {
        let hello = Self.hello("Chat.Test")
        for count in 0..<hello.count { #expect(ClientHello.parse(Array(hello[..<count])) == .undecided) }
        let wanted = ClientHello(serverName: "chat.test")
        #expect(ClientHello.parse(hello) == .hello(wanted))
        #expect(ClientHello.parse(hello + [1, 2, 3]) == .hello(wanted))
    }

    @Test("A ClientHello may span several TLS records")
    func itMaySpanRecords() {
        let message = Array(Self.hello("chat.test")[5...])
        for cut in 1..<message.count {
            let (first, second) = (message[..<cut], message[cut...])
            let bytes =
                [22, 3, 1, 0, UInt8(first.count)] + first + [22, 3, 1, 0, UInt8(second.count)] + second
            guard case .hello(let hello) = ClientHello.parse(bytes) else {
                Issue.record("cut at \(cut)")
                continue
            }
            #expect(hello.serverName == "chat.test")
        }
    }

    @Test(
        "Bytes of protocols other than TLS are recognised immediately",
        arguments: ["GET / HTTP/1.1\r\n", "\u{16}\u{02}", "SSH-2.0-x\r\n"]
    )
    func otherProtocolsAreKnownAtOnce(_ text: String) {
        #expect(ClientHello.parse(Array(text.utf8)) == .notTLS)
    }

    @Test("More bytes never change a decision about random bytes, and an endless hello is refused at the limit")
    func noBytesAreTooMuch() {
        var generator = Seed(3).stream("hello", for: .only)
        var decided = 0
        let hello = Self.hello("chat.test")
        for _ in 0..<5000 {
            var bytes = hello
            for _ in 0...generator.next() % 6 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            let start = ClientHello.parse(Array(bytes.prefix(Int(generator.next() % UInt64(bytes.count + 1)))))
            guard start != .undecided else { continue }
            #expect(ClientHello.parse(bytes) == start, "\(bytes)")
            decided += 1
        }
        #expect(decided > 0)
        let endless = [UInt8]([22, 3, 1, 0xFF, 0xFF]) + [UInt8](repeating: 1, count: ClientHello.limit)
        #expect(ClientHello.parse(endless) == .notTLS)
        // The limit also applies if the bytes arrive in pieces. One byte short of the limit, the result is still
        // undecided.
        #expect(ClientHello.parse(Array(endless.prefix(ClientHello.limit - 1))) == .undecided)
        #expect(ClientHello.parse(Array(endless.prefix(ClientHello.limit))) == .notTLS)
        #expect(ClientHello.limit == 16 * 1024)
    }

    @Test(
        "The ClientHello of a real TLS client is parsed",
        .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS")
    )
    func aRealClientsHelloIsRead() throws {
        let bytes = try TLS.client(of: "backend.test", trusting: .anyCertificate).start().wire
        guard case .hello(let hello) = ClientHello.parse(bytes) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.serverName == "backend.test")
        let unnamed = try TLS.client(of: "127.0.0.1", trusting: .anyCertificate).start().wire
        #expect(ClientHello.parse(unnamed) == .hello(ClientHello()))
    }
}
