/// The contents of a certificate that has not been signed yet (RFC 5280 section 4.1).
struct CertificateDraft: Hashable {
    /// The name of a certificate's subject or issuer: the organisation "Squall" and a common name.
    struct Name: Hashable {
        var common: String

        var der: [UInt8] {
            // A common name may have at most 64 characters (RFC 5280 appendix A.1). The full host name is in the
            // subject alternative names.
            let common = String(self.common.prefix(64))
            return DER.sequence(
                DER.set(DER.sequence(DER.objectIdentifier(2, 5, 4, 10), DER.text("Squall"))),
                DER.set(DER.sequence(DER.objectIdentifier(2, 5, 4, 3), DER.text(common)))
            )
        }
    }

    /// The role of a certificate's subject, which determines the extensions.
    enum Role: Hashable {
        case authority
        /// A server with these host names and addresses.
        case server([String])
    }

    var subject: Name
    var issuer: Name
    /// The subject's public key, as an encoded SubjectPublicKeyInfo.
    var publicKey: [UInt8]
    /// The identifier of the subject's key, 20 bytes.
    var keyIdentifier: [UInt8]
    /// The identifier of the issuer's key, 20 bytes.
    var issuerKeyIdentifier: [UInt8]
    /// The serial number, most significant byte first; at most 20 bytes.
    var serial: [UInt8] = [1]
    /// The first and last second of the validity period, in seconds since 1970.
    var validity: ClosedRange<Int64>
    var role: Role

    /// The signature algorithm, ECDSA with SHA-256 (RFC 5758 section 3.2).
    private static let algorithm = DER.sequence(DER.objectIdentifier(1, 2, 840, 10045, 4, 3, 2))

    /// The encoded TBSCertificate, which is the part that is signed.
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

    /// Returns the encoded certificate with `signature`, the encoded signature of ``toBeSigned``.
    func signed(_ signature: [UInt8]) -> [UInt8] {
        DER.sequence(toBeSigned, Self.algorithm, DER.bits(signature))
    }

    private var extensions: [[UInt8]] {
        func entry(_ identifier: [UInt8], critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
            DER.sequence([identifier] + (critical ? [DER.trueElement] : []) + [DER.octets(value)])
        }
        let keys = [
            entry(DER.objectIdentifier(2, 5, 29, 14), DER.octets(keyIdentifier)),
            entry(DER.objectIdentifier(2, 5, 29, 35), DER.sequence(DER.element(0x80, issuerKeyIdentifier))),
        ]
        switch role {
        case .authority:
            return [
                // basicConstraints with a path length of 0: the authority cannot certify other authorities.
                entry(
                    DER.objectIdentifier(2, 5, 29, 19),
                    critical: true,
                    DER.sequence(DER.trueElement, DER.integer([0]))
                ),
                // keyUsage: the key signs certificates and revocation lists.
                entry(DER.objectIdentifier(2, 5, 29, 15), critical: true, DER.bits([0b0000_0110], unused: 1)),
            ] + keys
        case .server(let names):
            return [
                entry(DER.objectIdentifier(2, 5, 29, 19), critical: true, DER.sequence()),
                // keyUsage: the key signs handshakes.
                entry(DER.objectIdentifier(2, 5, 29, 15), critical: true, DER.bits([0b1000_0000], unused: 7)),
                entry(
                    DER.objectIdentifier(2, 5, 29, 37),
                    DER.sequence(DER.objectIdentifier(1, 3, 6, 1, 5, 5, 7, 3, 1))
                ),
                entry(DER.objectIdentifier(2, 5, 29, 17), DER.sequence(names.map(Self.alternative))),
            ] + keys
        }
    }

    /// Returns the encoded subject alternative name for a host name or an address (RFC 5280 section 4.2.1.6).
    private static func alternative(_ name: String) -> [UInt8] {
        if let address = NumericAddress.bytes(of: name) { return DER.element(0x87, address) }
        return DER.element(0x82, Array(name.utf8))
    }
}
