import Faults
import Foundation
import Testing

@testable import TLSLink

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

func realNow() -> Int64 { Int64(time(nil)) }

struct DERTests {
    @Test("DER encodes lengths with the fewest bytes")
    func lengthsTakeTheFewestBytes() {
        #expect(DER.octets([]) == [4, 0])
        #expect(DER.octets([UInt8](repeating: 0, count: 127)).prefix(2) == [4, 0x7F])
        #expect(DER.octets([UInt8](repeating: 0, count: 128)).prefix(3) == [4, 0x81, 0x80])
        #expect(DER.octets([UInt8](repeating: 0, count: 300)).prefix(4) == [4, 0x82, 0x01, 0x2C])
    }

    @Test("DER encodes integers as positive")
    func wholeNumbersArePositive() {
        #expect(DER.integer([0]) == [2, 1, 0])
        #expect(DER.integer([0, 0x7F]) == [2, 1, 0x7F])
        #expect(DER.integer([0x80]) == [2, 2, 0, 0x80])
    }

    @Test("DER encodes the arcs of object identifiers in base 128")
    func objectsHaveTheirArcsInBase128() {
        #expect(DER.objectIdentifier(1, 2, 840, 10045, 4, 3, 2) == [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
        #expect(DER.objectIdentifier(2, 5, 29, 17) == [6, 3, 0x55, 0x1D, 0x11])
    }

    @Test(
        "DER encodes times before 2050 with two-digit years",
        arguments: [
            (0, "700101000000Z"), (951_782_400, "000229000000Z"), (1_709_164_799, "240228235959Z"),
            (1_795_348_800, "261122120000Z"), (2_524_607_999, "491231235959Z"), (-1, "691231235959Z"),
        ]
    )
    func timesBefore2050HaveTwoDigitsOfTheYear(_ seconds: Int64, _ text: String) {
        #expect(DER.time(seconds) == [0x17, 13] + Array(text.utf8))
    }

    @Test(
        "DER encodes times from 2050 on with four-digit years",
        arguments: [(2_524_608_000, "20500101000000Z"), (4_107_542_399, "21000228235959Z")]
    )
    func laterTimesHaveFour(_ seconds: Int64, _ text: String) {
        #expect(DER.time(seconds) == [0x18, 15] + Array(text.utf8))
    }
}

struct LeafPlanTests {
    @Test("Each bad certificate has exactly one invalid property")
    func onlyOneThingIsWrongWithABadCertificate() {
        let good = LeafPlan(.valid, for: ["chat.test"], at: noon)
        #expect(good.names == ["chat.test"] && good.validity.contains(noon) && good.signer == .authority)
        let expired = LeafPlan(.expired, for: ["chat.test"], at: noon)
        #expect(expired.validity.upperBound < noon && expired.names == good.names && expired.signer == good.signer)
        let early = LeafPlan(.notYetValid, for: ["chat.test"], at: noon)
        #expect(early.validity.lowerBound > noon && early.names == good.names && early.signer == good.signer)
        for (kind, signer) in [(CertificateKind.selfSigned, LeafPlan.Signer.itself), (.untrusted, .unknownAuthority)] {
            let plan = LeafPlan(kind, for: ["chat.test"], at: noon)
            #expect(plan.names == good.names && plan.validity == good.validity && plan.signer == signer)
        }
        for kind in [CertificateKind.wrongHost, .portal] {
            let plan = LeafPlan(kind, for: ["chat.test"], at: noon)
            #expect(plan.names != good.names && plan.validity == good.validity && plan.signer == .authority)
        }
    }

    /// Apple platforms reject certificates valid for more than 825 days if a user-installed authority issued them.
    @Test("The valid certificate is valid for at most 825 days")
    func aPhoneTakesTheGoodOne() {
        let validity = LeafPlan(.valid, for: ["chat.test"], at: noon).validity
        #expect(validity.upperBound - validity.lowerBound <= 825 * LeafPlan.day)
    }
}

struct PEMTests {
    @Test("A PEM text decodes to the bytes it was encoded from")
    func writtenPEMIsRead() {
        for count in [0, 1, 47, 48, 49, 500] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let text = PEM.encode(bytes, "CERTIFICATE")
            #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
            #expect(PEM.decode("a note\n\(text)more", "CERTIFICATE") == bytes)
        }
        #expect(PEM.decode("-----BEGIN CERTIFICATE-----\nAAAA\n", "CERTIFICATE") == nil)
        #expect(PEM.decode("nothing", "CERTIFICATE") == nil)
    }
}

@Suite(.enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS"))
struct AuthorityFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-ca-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test("A stored certificate authority is loaded again")
    func anAuthorityStaysTheSame() throws {
        try withFolder { folder in
            let first = try TLS.authority(in: folder, at: realNow())
            let second = try TLS.authority(in: folder, at: realNow())
            #expect(first.certificate == second.certificate)
            // A client that trusts the first authority also accepts certificates issued by the second.
            let server = try second.session(as: ["chat.test"], showing: .valid, at: realNow())
            let client = try TLS.client(of: "chat.test", trusting: .authority(first))
            _ = server.start()
            let answer = server.receive(client.start().wire)
            #expect(client.receive(answer.wire).failure == nil)
            #expect(client.isSecured)
        }
    }

    @Test("Only the owner can read the file with the authority's key")
    func onlyItsOwnerMayReadTheKey() throws {
        try withFolder { folder in
            _ = try TLS.authority(in: folder, at: realNow())
            var facts = stat()
            #expect(stat("\(folder)/squall-ca-key.pem", &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600)
        }
    }

    @Test("An authority key without its certificate is an error")
    func halfAnAuthorityIsNone() throws {
        try withFolder { folder in
            _ = try TLS.authority(in: folder, at: realNow())
            unlink("\(folder)/squall-ca.pem")
            let error = #expect(throws: TLSError.self) { try TLS.authority(in: folder, at: realNow()) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("or also remove that file for a new authority"))
        }
    }

    @Test("An authority key with the certificate of another authority is an error")
    func anothersCertificateIsRefused() throws {
        try withFolder { folder in
            try withFolder { other in
                _ = try TLS.authority(in: folder, at: realNow())
                _ = try TLS.authority(in: other, at: realNow())
                rename("\(other)/squall-ca.pem", "\(folder)/squall-ca.pem")
                #expect(throws: TLSError.self) { try TLS.authority(in: folder, at: realNow()) }
            }
        }
    }

    @Test("The error for a folder that cannot be created names the folder")
    func aFolderThatCannotBeIsNamed() {
        let error = #expect(throws: TLSError.self) { try TLS.authority(in: "/dev/null/ca", at: realNow()) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("/dev/null/ca"))
    }
}
