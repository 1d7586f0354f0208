#if TLS
    import Crypto
    package import Faults
    import NIOSSL
    import Synchronization

    /// A certificate authority with a P-256 key.
    ///
    /// All server certificates use the same key, because client tests vary the certificates' contents, not their keys.
    package final class Authority: TLSAuthority {
        /// The cache key for a context.
        ///
        /// A context is used for one day only, so that its certificate remains valid, or expired, in a process that
        /// runs for months.
        private struct Use: Hashable {
            var names: [String]
            var kind: CertificateKind
            var day: Int64
        }

        package let certificate: [UInt8]
        let key: P256.Signing.PrivateKey
        private let serverKey = P256.Signing.PrivateKey()
        private let keyLog: (@Sendable ([UInt8]) -> Void)?
        private let contexts = Mutex<[Use: NIOSSLContext]>([:])

        /// The validity period of a new authority's certificate, in seconds.
        private static let lifetime = 10 * 365 * LeafPlan.day
        /// The maximum number of cached contexts. It limits memory use, because a client may request any name.
        private static let keptContexts = 256

        /// Creates an authority with a new key; `now` is in seconds since 1970.
        ///
        /// The authority's validity begins before that of any certificate that it will sign, including expired ones.
        /// `keyLog` receives the secrets of its server sessions, as lines in the NSS key log format.
        convenience init(at now: Int64, keyLog: (@Sendable ([UInt8]) -> Void)? = nil) throws(TLSError) {
            let key = P256.Signing.PrivateKey()
            let name = Self.name(of: key)
            let draft = CertificateDraft(
                subject: name,
                issuer: name,
                publicKey: Array(key.publicKey.derRepresentation),
                keyIdentifier: Self.identifier(of: key),
                issuerKeyIdentifier: Self.identifier(of: key),
                validity: now - 60 * LeafPlan.day...now + Self.lifetime,
                role: .authority
            )
            self.init(key, certificate: try Self.sign(draft, with: key), keyLog: keyLog)
        }

        /// Creates an authority from a stored key and certificate.
        init(
            _ key: P256.Signing.PrivateKey,
            certificate: [UInt8],
            keyLog: (@Sendable ([UInt8]) -> Void)? = nil
        ) {
            self.key = key
            self.keyLog = keyLog
            self.certificate = certificate
        }

        /// Returns whether a certificate was created by ``init(at:keyLog:)`` for this key.
        static func isOwn(_ certificate: [UInt8], of key: P256.Signing.PrivateKey) -> Bool {
            let marks = [Self.name(of: key).der, Array(key.publicKey.derRepresentation), Self.identifier(of: key)]
            return marks.allSatisfy { certificate.contains($0) }
        }

        package func session(
            as names: [String],
            showing kind: CertificateKind,
            at now: Int64
        ) throws(TLSError) -> any TLSSession {
            let use = Use(names: names, kind: kind, day: now / LeafPlan.day)
            if let kept = contexts.withLock({ $0[use] }) { return try BoringSession(server: kept) }
            let context = try context(for: LeafPlan(kind, for: names, at: now), at: now)
            contexts.withLock { contexts in
                if contexts.count >= Self.keptContexts { contexts.removeAll() }
                contexts[use] = context
            }
            return try BoringSession(server: context)
        }

        private func context(for plan: LeafPlan, at now: Int64) throws(TLSError) -> NIOSSLContext {
            guard let first = plan.names.first else { throw .invalidInput("a certificate needs a host name") }
            var issuer = self.key
            var chain: [[UInt8]] = []
            let subject = CertificateDraft.Name(common: first)
            var issuerName = Self.name(of: key)
            switch plan.signer {
            case .authority: break
            case .unknownAuthority:
                let unknownAuthority = try Authority(at: now)
                issuer = unknownAuthority.key
                issuerName = Self.name(of: unknownAuthority.key)
                chain = [unknownAuthority.certificate]
            case .itself:
                issuer = serverKey
                issuerName = subject
            }
            let draft = CertificateDraft(
                subject: subject,
                issuer: issuerName,
                publicKey: Array(serverKey.publicKey.derRepresentation),
                keyIdentifier: Self.identifier(of: serverKey),
                issuerKeyIdentifier: Self.identifier(of: issuer),
                validity: plan.validity,
                role: .server(plan.names)
            )
            return try ServerContext.make(
                chain: [try Self.sign(draft, with: issuer)] + chain,
                key: Array(serverKey.derRepresentation),
                keyLog: keyLog
            )
        }

        // MARK: - Keys

        /// Signs a certificate, and returns it in DER format.
        ///
        /// The serial number is a positive number derived from the contents, so certificates with different contents
        /// have different numbers (RFC 5280 section 4.1.2.2).
        private static func sign(
            _ unnumbered: CertificateDraft,
            with key: P256.Signing.PrivateKey
        ) throws(TLSError) -> [UInt8] {
            var draft = unnumbered
            draft.serial = [1] + SHA256.hash(data: draft.toBeSigned).prefix(15)
            do {
                return draft.signed(Array(try key.signature(for: draft.toBeSigned).derRepresentation))
            } catch {
                throw .invalidInput("a certificate could not be signed: \(error)")
            }
        }

        /// Returns the key identifier: the first 160 bits of the key's SHA-256 (RFC 7093 section 2).
        private static func identifier(of key: P256.Signing.PrivateKey) -> [UInt8] {
            Array(SHA256.hash(data: key.publicKey.x963Representation).prefix(20))
        }

        /// Returns the authority's name. It contains the first digits of the key's identifier, so that two authorities
        /// on the same phone can be distinguished.
        private static func name(of key: P256.Signing.PrivateKey) -> CertificateDraft.Name {
            let digits = identifier(of: key).prefix(4).map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }
            return CertificateDraft.Name(common: "Squall test authority \(digits.joined())")
        }
    }
#endif
