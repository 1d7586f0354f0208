#if TLS
    import Crypto

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A folder that stores a certificate authority, so that phones have to trust the authority only once.
    struct AuthorityFolder {
        static let keyName = "squall-ca-key.pem"

        private let path: String

        init(_ path: String) {
            self.path = path
        }

        private var certificatePath: String { "\(path)/\(TLS.certificateName)" }
        private var keyPath: String { "\(path)/\(Self.keyName)" }

        /// Loads the authority, or creates and stores a new one if the folder has none.
        ///
        /// - Throws: ``TLSError/file(path:reason:)`` if only one of the key and certificate files exists, if they do
        ///   not belong together, or if they cannot be read or written.
        func authority(at now: Int64) throws(TLSError) -> any TLSAuthority {
            let (certificate, key) = (try read(certificatePath), try read(keyPath))
            switch (certificate, key) {
            case (nil, nil): return try make(at: now)
            case (let certificate?, let key?): return try load(certificate, key)
            case (nil, _): throw .file(path: certificatePath, reason: missing(keyPath))
            case (_, nil): throw .file(path: keyPath, reason: missing(certificatePath))
            }
        }

        private func missing(_ other: String) -> String {
            "missing, although \(other) exists; restore it, or also remove that file for a new authority"
        }

        private func load(_ certificate: String, _ key: String) throws(TLSError) -> any TLSAuthority {
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: key) else {
                let reason = "not a key that Squall created; remove both files for a new authority"
                throw .file(path: keyPath, reason: reason)
            }
            guard let bytes = PEM.decode(certificate, "CERTIFICATE"), Authority.isOwn(bytes, of: key) else {
                let reason = "does not belong to \(keyPath); remove both files for a new authority"
                throw .file(path: certificatePath, reason: reason)
            }
            return Authority(key, certificate: bytes)
        }

        private func make(at now: Int64) throws(TLSError) -> any TLSAuthority {
            let made = try Authority(at: now)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
            // The key is written first, because the certificate is useless without it. Only the owner may read it.
            try write(made.key.pemRepresentation + "\n", to: keyPath, mode: 0o600)
            try write(made.pem, to: certificatePath, mode: 0o644)
            return made
        }

        // MARK: - Files

        private func failure(_ path: String) -> TLSError {
            .file(path: path, reason: String(cString: strerror(errno)))
        }

        /// Returns the contents of a text file; nil if the file does not exist.
        private func read(_ path: String) throws(TLSError) -> String? {
            if let bytes = TextFile.contents(of: path) { return String(decoding: bytes, as: UTF8.self) }
            guard errno == ENOENT else { throw failure(path) }
            return nil
        }

        /// Creates a file with its final permissions from the start, so that other users can never read the key.
        private func write(_ text: String, to path: String, mode: mode_t) throws(TLSError) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw failure(path) }
            defer { close(descriptor) }
            let bytes = Array(text.utf8)
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { bytes in
                    #if canImport(Darwin)
                        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
                    #elseif canImport(Glibc)
                        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                    #else
                        Musl.write(descriptor, bytes.baseAddress, bytes.count)
                    #endif
                }
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    let reason = failure(path)
                    unlink(path)
                    throw reason
                }
                written += count
            }
        }
    }
#endif
