package import Faults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A certificate authority that signs valid and deliberately invalid server certificates.
package protocol TLSAuthority: AnyObject, Sendable {
    /// The authority's own certificate in DER, for clients to trust.
    var certificate: [UInt8] { get }
    /// Makes the server's end of a TLS session, with a certificate of `kind` for the hosts and addresses `names`.
    ///
    /// The certificate is valid or invalid as of `now`, in seconds since 1970.
    func session(
        as names: [String],
        showing kind: CertificateKind,
        at now: Int64
    ) throws(TLSError) -> any TLSSession
}

extension TLSAuthority {
    /// The ``certificate`` in PEM (RFC 7468).
    package var pem: String { PEM.encode(certificate, "CERTIFICATE") }
}

/// Makes authorities and TLS sessions; fails with ``TLSError/notBuilt`` in a build without TLS.
package enum TLS {
    /// Whether this build has the package trait `TLS`.
    package static var isBuilt: Bool {
        #if TLS
            true
        #else
            false
        #endif
    }

    /// The time of day in seconds since 1970, which certificates are checked against; a run's clock does not matter.
    package static var now: Int64 { Int64(time(nil)) }

    /// The name of the certificate's file in an authority's folder.
    package static let certificateName = "squall-ca.pem"

    /// Makes a new authority that exists only in memory; `now` is in seconds since 1970.
    ///
    /// `keyLog` receives the secrets of its servers' connections, as lines in the NSS key log format, so that captures
    /// of them can be decrypted.
    package static func makeAuthority(
        at now: Int64,
        keyLog: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(TLSError) -> any TLSAuthority {
        #if TLS
            return try Authority(at: now, keyLog: keyLog)
        #else
            throw .notBuilt
        #endif
    }

    /// Loads the authority stored in a folder, or makes a new one and stores it there.
    package static func authority(in folder: String, at now: Int64) throws(TLSError) -> any TLSAuthority {
        #if TLS
            return try AuthorityFolder(folder).authority(at: now)
        #else
            throw .notBuilt
        #endif
    }

    /// Makes the client's end of a TLS session with a server of this name or address.
    package static func client(of server: String, trusting trust: TLSTrust) throws(TLSError) -> any TLSSession {
        #if TLS
            return try BoringSession(client: ClientContexts.shared.context(trust), server: server)
        #else
            throw .notBuilt
        #endif
    }
}
