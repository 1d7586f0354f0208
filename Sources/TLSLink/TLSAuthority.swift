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
    /// The authority's own certificate in DER format, which clients have to trust.
    var certificate: [UInt8] { get }
    /// Creates the server's end of a TLS session, with a certificate of the given kind for the hosts and addresses in
    /// `names`.
    ///
    /// The certificate is valid or invalid as of `now`, in seconds since 1970.
    func session(
        as names: [String],
        showing kind: CertificateKind,
        at now: Int64
    ) throws(TLSError) -> any TLSSession
}

extension TLSAuthority {
    /// The authority's ``certificate`` in PEM (RFC 7468).
    package var pem: String { PEM.encode(certificate, "CERTIFICATE") }
}

/// How a TLS server identifies itself.
package struct TLSIdentity: Sendable {
    /// The authority that signs the server's certificates.
    package var authority: any TLSAuthority
    /// The host names and addresses in the server's certificates.
    package var names: [String]

    package init(_ authority: any TLSAuthority, names: [String]) {
        self.authority = authority
        self.names = names
    }
}

/// Creates certificate authorities and TLS sessions. In a build without TLS, its functions throw ``TLSError/notBuilt``.
package enum TLS {
    /// Whether the package trait `TLS` was enabled in this build.
    package static var isBuilt: Bool {
        #if TLS
            true
        #else
            false
        #endif
    }

    /// The wall-clock time in seconds since 1970, which determines whether certificates are valid or expired. It is
    /// independent of a run's clock.
    package static var now: Int64 { Int64(time(nil)) }

    /// The name of the certificate file in an authority's folder.
    package static let certificateName = "squall-ca.pem"

    /// Creates a certificate authority that exists only in memory; `now` is in seconds since 1970.
    ///
    /// `keyLog` receives the secrets of the authority's server sessions, as lines in the NSS key log format, so that
    /// captures can be decrypted.
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

    /// Loads the certificate authority stored in a folder, or creates one and stores it there.
    package static func authority(in folder: String, at now: Int64) throws(TLSError) -> any TLSAuthority {
        #if TLS
            return try AuthorityFolder(folder).authority(at: now)
        #else
            throw .notBuilt
        #endif
    }

    /// Creates the client's end of a TLS session with the server that has this name or address.
    package static func client(of server: String, trusting trust: TLSTrust) throws(TLSError) -> any TLSSession {
        #if TLS
            return try BoringSession(client: ClientContexts.shared.context(trust), server: server)
        #else
            throw .notBuilt
        #endif
    }
}
