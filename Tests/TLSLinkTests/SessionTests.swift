import Faults
import SquallCore
import TLSLink
import Testing

@Suite(.enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS"))
struct SessionTests {
    @Test("Both ends complete the TLS handshake and exchange plaintext")
    func bothEndsAreSecuredAndHearEachOther() throws {
        var pair = try SessionPair()
        pair.converse()
        #expect(pair.clientSaw == [.secured])
        #expect(pair.serverSaw == [.secured])
        pair.converse(beginning: pair.client.write("hello"))
        #expect(pair.serverSaw.plaintext == "hello")
        pair.converse(beginning: pair.server.write("hello yourself"), by: .server)
        #expect(pair.clientSaw.plaintext == "hello yourself")
    }

    @Test("TLS bytes may arrive in pieces of any size", arguments: [1, 2, 5, 64])
    func bytesMayComeInPiecesOfAnySize(_ size: Int) throws {
        var pair = try SessionPair()
        pair.pieceSize = size
        pair.converse()
        #expect(pair.client.isSecured && pair.server.isSecured)
        pair.converse(beginning: pair.client.write("in small pieces"))
        #expect(pair.serverSaw.plaintext == "in small pieces")
    }

    @Test("A server answers a ClientHello that is split at any byte")
    func aServerAnswersAHelloCutAnywhere() throws {
        let hello = try SessionPair().client.start().wire
        let authority = try TLS.makeAuthority(at: realNow())
        for cut in 1..<hello.count {
            let server = try authority.session(as: ["chat.test"], showing: .valid, at: realNow())
            _ = server.start()
            #expect(server.receive(Array(hello[..<cut])) == [], "cut at \(cut)")
            #expect(!server.receive(Array(hello[cut...])).wire.isEmpty, "cut at \(cut)")
        }
    }

    @Test("A verifying client accepts only the valid certificate", arguments: CertificateKind.allCases)
    func aClientGoesOnWithAGoodCertificateAlone(_ kind: CertificateKind) throws {
        var pair = try SessionPair(kind)
        pair.converse()
        #expect(pair.client.isSecured == kind.isAcceptable)
        #expect((pair.clientSaw.failure == nil) == kind.isAcceptable)
        // A client that rejects the certificate sends an alert during the handshake. Only a wrong host name is detected
        // later, when the server already considers the handshake complete.
        let isNameWrong = kind == .wrongHost || kind == .portal
        #expect(pair.server.isSecured == (kind.isAcceptable || isNameWrong))
        if let failure = pair.serverSaw.failure { #expect(failure.reason.hasPrefix("alert_"), "\(failure)") }
    }

    @Test("A client that does not verify certificates accepts every certificate", arguments: CertificateKind.allCases)
    func aTrustingClientAcceptsAnyCertificate(_ kind: CertificateKind) throws {
        var pair = try SessionPair(kind, trust: .anyCertificate)
        pair.converse()
        #expect(pair.client.isSecured && pair.server.isSecured)
    }

    @Test("The captive portal's certificate is valid for the portal's name")
    func thePortalsCertificateIsGoodForThePortal() throws {
        var pair = try SessionPair(.portal, asking: Fault.CaptivePortal.host)
        pair.converse()
        #expect(pair.client.isSecured)
    }

    @Test("A client refuses a certificate from another authority")
    func anotherAuthorityIsRefused() throws {
        var pair = try SessionPair(trust: .authority(try TLS.makeAuthority(at: realNow())))
        pair.converse()
        #expect(pair.clientSaw.failure?.reason == "certificate_verify_failed")
        #expect(pair.serverSaw.failure?.reason == "alert_unknown_ca")
    }

    @Test("A certificate can be issued for an IP address", arguments: ["127.0.0.1", "::1", "10.1.2.3"])
    func addressesAreNamesToo(_ address: String) throws {
        var good = try SessionPair(names: ["phone.test", address], asking: address)
        good.converse()
        #expect(good.client.isSecured)
        var wrong = try SessionPair(names: ["phone.test", "10.9.9.9"], asking: address)
        wrong.converse()
        #expect(!wrong.client.isSecured)
    }

    @Test("The two directions of a TLS session end independently")
    func eachSideEndsByItselfAndTheOtherGoesOn() throws {
        var pair = try SessionPair()
        pair.converse()
        pair.forget()
        pair.converse(beginning: pair.client.endOutput())
        #expect(pair.serverSaw == [.ended])
        pair.converse(beginning: pair.server.write("still here"), by: .server)
        #expect(pair.clientSaw.plaintext == "still here")
        pair.converse(beginning: pair.server.endOutput(), by: .server)
        #expect(pair.clientSaw.last == .ended)
        #expect(pair.client.endOutput() == [])
        #expect(pair.server.inputEnded() == [])
    }

    @Test("An end of stream without close_notify is a failure")
    func anEndWithoutGoodbyeIsAFailure() throws {
        var pair = try SessionPair()
        #expect(pair.server.inputEnded() == [.failed(.endOfStream)])
        pair = try SessionPair()
        pair.converse()
        #expect(pair.server.inputEnded() == [.failed(.endOfStream)])
        #expect(pair.server.receive([1, 2, 3]) == [])
    }

    @Test("Bytes written before the handshake is complete are sent after it")
    func earlyBytesAreSentAfterTheHandshake() throws {
        var pair = try SessionPair()
        let early = pair.client.start() + pair.client.write("early")
        _ = pair.server.start()
        pair.converse(beginning: early)
        #expect(pair.serverSaw == [.secured, .plaintext(Array("early".utf8))])
    }

    @Test("A damaged ClientHello ends in a failure and never completes the handshake")
    func alteredBytesEndInAFailureAndNothingElse() throws {
        let authority = try TLS.makeAuthority(at: realNow())
        var generator = Seed(7).stream("garbage", for: .only)
        let hello = try SessionPair().client.start().wire
        for _ in 0..<200 {
            var bytes = hello
            for _ in 0...generator.next() % 4 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            let server = try authority.session(as: ["chat.test"], showing: .valid, at: realNow())
            _ = server.start()
            let outputs = server.receive(bytes) + server.receive(bytes) + server.inputEnded()
            #expect(outputs.failure != nil)
            #expect(!server.isSecured)
        }
    }

    @Test("Large writes over TLS arrive complete")
    func largeWritesArriveWhole() throws {
        var pair = try SessionPair()
        pair.converse()
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        pair.converse(beginning: pair.client.write(text))
        #expect(pair.serverSaw.plaintext == text)
    }
}
