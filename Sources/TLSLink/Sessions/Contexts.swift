#if TLS
    import NIOCore
    import NIOSSL
    import Synchronization

    /// Creates BoringSSL contexts for servers.
    enum ServerContext {
        /// Creates a context from a certificate chain and the server's key, both encoded in DER.
        ///
        /// `chain` begins with the server's own certificate. `keyLog` receives the secrets of every connection.
        static func make(
            chain: [[UInt8]],
            key: [UInt8],
            keyLog: (@Sendable ([UInt8]) -> Void)?
        ) throws(TLSError) -> NIOSSLContext {
            do {
                let sources = try chain.map { bytes in
                    NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: bytes, format: .der))
                }
                let key = try NIOSSLPrivateKey(bytes: key, format: .der)
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: sources,
                    privateKey: .privateKey(key)
                )
                configuration.minimumTLSVersion = .tlsv12
                // Squall supports only HTTP/1.1, so HTTP/2 must not be selected even if a client offers it.
                configuration.applicationProtocols = ["http/1.1"]
                if let keyLog {
                    configuration.keyLogCallback = { keyLog(Array($0.readableBytesView)) }
                }
                return try NIOSSLContext(configuration: configuration)
            } catch {
                throw .invalidInput("BoringSSL does not accept the certificate: \(error)")
            }
        }
    }

    /// Caches BoringSSL contexts for clients, so that the system's root certificates are read only once.
    final class ClientContexts: Sendable {
        static let shared = ClientContexts()

        private struct Kept {
            var system: NIOSSLContext?
            var anyCertificate: NIOSSLContext?
            var byPEM: [[UInt8]: NIOSSLContext] = [:]
        }

        private static let keptContexts = 64
        private let kept = Mutex(Kept())

        func context(_ trust: TLSTrust) throws(TLSError) -> NIOSSLContext {
            switch trust {
            case .authority(let authority): return try context(pem: Array(authority.pem.utf8))
            case .certificates(let pem): return try context(pem: pem)
            case .system:
                if let context = kept.withLock({ $0.system }) { return context }
                let context = try Self.make {
                    #if canImport(Darwin)
                        // The system's verifier reports asynchronously, and a session cannot wait for it. The file of
                        // root certificates is used instead, so certificates in a keychain are not trusted.
                        $0.trustRoots = .file("/etc/ssl/cert.pem")
                    #else
                        $0.trustRoots = .default
                    #endif
                }
                kept.withLock { $0.system = context }
                return context
            case .anyCertificate:
                if let context = kept.withLock({ $0.anyCertificate }) { return context }
                let context = try Self.make {
                    $0.trustRoots = .certificates([])
                    $0.certificateVerification = .none
                }
                kept.withLock { $0.anyCertificate = context }
                return context
            }
        }

        private func context(pem: [UInt8]) throws(TLSError) -> NIOSSLContext {
            if let context = kept.withLock({ $0.byPEM[pem] }) { return context }
            let roots: [NIOSSLCertificate]
            do {
                roots = try NIOSSLCertificate.fromPEMBytes(pem)
            } catch {
                throw .invalidInput("no PEM certificates found")
            }
            let context = try Self.make { $0.trustRoots = .certificates(roots) }
            kept.withLock { kept in
                if kept.byPEM.count >= Self.keptContexts { kept.byPEM.removeAll() }
                kept.byPEM[pem] = context
            }
            return context
        }

        private static func make(_ adjust: (inout TLSConfiguration) -> Void) throws(TLSError) -> NIOSSLContext {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            adjust(&configuration)
            do {
                return try NIOSSLContext(configuration: configuration)
            } catch {
                throw .invalidInput("BoringSSL does not accept the certificates: \(error)")
            }
        }
    }
#endif
