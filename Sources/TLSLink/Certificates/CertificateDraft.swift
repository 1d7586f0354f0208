/// A certificate before it is signed (RFC 5280 section 4.1).
struct CertificateDraft: Hashable {
    /// Who somebody is, as certificates tell it: an organisation and a common name.
    struct Name: Hashable {
        var common: String

        var der: [UInt8] {
            // A common name has 64 characters at most (RFC 5280 appendix A.1); the host's full name stands elsewhere.
            let common = String(self.common.prefix(64))
            return DER.sequence(
                DER.set(DER.sequence(DER.object(2, 5, 4, 10), DER.text("Squall"))),
                DER.set(DER.sequence(DER.object(2, 5, 4, 3), DER.text(common)))
            )
        }
    }

    enum Role: Hashable {
        case authority
        /// Hosts and addresses that the server may be called by.
        case server([String])
    }

    var subject: Name
    var issuer: Name
    /// Of the subject, and of whoever signs: an encoded SubjectPublicKeyInfo and 20 bytes that stand for it.
    var publicKey: [UInt8]
    var keyIdentifier: [UInt8]
    var issuerKeyIdentifier: [UInt8]
    /// Most significant byte first; at most 20.
    var serial: [UInt8] = [1]
    /// In seconds since 1970, both included.
    var validity: ClosedRange<Int64>
    var role: Role

    /// ECDSA with SHA-256 (RFC 5758 section 3.2).
    private static let algorithm = DER.sequence(DER.object(1, 2, 840, 10045, 4, 3, 2))

    /// What is signed.
    var toBeSigned: [UInt8] {
        DER.sequence(
            DER.element(0xA0, DER.integer([2])),
            DER.integer(serial),
            Self.algorithm,
            issuer.der,
            DER.sequence(DER.time(validity.lowerBound), DER.time(validity.upperBound)),
            subject.der,
            publicKey,
            DER.element(0xA3, DER.sequence(extensions))
        )
    }

    /// The certificate, with the signature of ``toBeSigned`` in its encoded form.
    func signed(_ signature: [UInt8]) -> [UInt8] {
        DER.sequence(toBeSigned, Self.algorithm, DER.bits(signature))
    }

    private var extensions: [[UInt8]] {
        func entry(_ identifier: [UInt8], critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
            DER.sequence([identifier] + (critical ? [DER.yes] : []) + [DER.octets(value)])
        }
        let keys = [
            entry(DER.object(2, 5, 29, 14), DER.octets(keyIdentifier)),
            entry(DER.object(2, 5, 29, 35), DER.sequence(DER.element(0x80, issuerKeyIdentifier))),
        ]
        switch role {
        case .authority:
            return [
                // An authority for servers alone: no authority below it.
                entry(DER.object(2, 5, 29, 19), critical: true, DER.sequence(DER.yes, DER.integer([0]))),
                // Signs certificates and lists of revoked ones.
                entry(DER.object(2, 5, 29, 15), critical: true, DER.bits([0b0000_0110], unused: 1)),
            ] + keys
        case .server(let names):
            return [
                entry(DER.object(2, 5, 29, 19), critical: true, DER.sequence()),
                // Signs handshakes.
                entry(DER.object(2, 5, 29, 15), critical: true, DER.bits([0b1000_0000], unused: 7)),
                entry(DER.object(2, 5, 29, 37), DER.sequence(DER.object(1, 3, 6, 1, 5, 5, 7, 3, 1))),
                entry(DER.object(2, 5, 29, 17), DER.sequence(names.map(Self.alternative))),
            ] + keys
        }
    }

    /// A host's name, or an address (RFC 5280 section 4.2.1.6).
    private static func alternative(_ name: String) -> [UInt8] {
        if let address = NumericAddress.bytes(of: name) { return DER.element(0x87, address) }
        return DER.element(0x82, Array(name.utf8))
    }
}
