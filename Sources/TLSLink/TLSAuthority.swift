package import Faults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Signs certificates for servers, good ones and bad ones; who trusts it can check them.
package protocol TLSAuthority: AnyObject, Sendable {
    /// Its own certificate, for whoever is to trust it.
    var certificate: [UInt8] { get }
    /// The server's end of a connection, with a certificate of a kind for these hosts and addresses, good or bad `now`,
    /// which is in seconds since 1970.
    func session(
        as names: [String],
        showing kind: CertificateKind,
        at now: Int64
    ) throws(TLSError) -> any TLSSession
}

extension TLSAuthority {
    /// ``certificate`` as text (RFC 7468).
    package var pem: String { PEM.encode(certificate, "CERTIFICATE") }
}

/// Where authorities and sessions come from, if this build has them.
package enum TLS {
    /// Whether this build was made with the trait `TLS`.
    package static var isBuilt: Bool {
        #if TLS
            true
        #else
            false
        #endif
    }

    /// Certificates go by the time of day, in seconds since 1970, whatever time it is in a run.
    package static var now: Int64 { Int64(time(nil)) }

    /// The file of an authority's certificate, in the folder that keeps it.
    package static let certificateName = "squall-ca.pem"

    /// A new authority that lives in memory alone. `now` is in seconds since 1970.
    ///
    /// `keyLog` is told the secrets of its servers' connections, in lines of the format that NSS has given its name, for whoever is to
    /// read what they carry.
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

    /// The authority that is kept in a folder, or a new one to be kept there from now on.
    package static func authority(in folder: String, at now: Int64) throws(TLSError) -> any TLSAuthority {
        #if TLS
            return try AuthorityFolder(folder).authority(at: now)
        #else
            throw .notBuilt
        #endif
    }

    /// The client's end of a connection to a server of this name or address.
    package static func client(of server: String, trusting trust: TLSTrust) throws(TLSError) -> any TLSSession {
        #if TLS
            return try BoringSession(client: ClientContexts.shared.context(trust), server: server)
        #else
            throw .notBuilt
        #endif
    }
}
