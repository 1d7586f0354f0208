import ConformanceRunner
import Foundation
import Squall
import TLSLink

/// The TLS settings of `squall conformance client --tls`: the listener's mode, and the certificate that clients must
/// trust.
struct ConformanceSecurity: Sendable {
    let acceptMode: ListenerSecurity
    /// The path of the authority's certificate in PEM format.
    let certificate: String
    /// The path of a certificate file that was created only for this run; nil if the certificate is in a permanent
    /// folder.
    private let scratch: String?

    /// Loads or creates the authority in `folder`. If `folder` is nil, creates an authority for this run only;
    /// ``remove()`` deletes its certificate file.
    ///
    /// - Throws: ``SquallError`` if this build has no TLS, or if the authority cannot be read or created.
    init(folder: String?) throws(SquallError) {
        let authority: any TLSAuthority
        do throws(TLSError) {
            if let folder {
                authority = try TLS.authority(in: folder, at: TLS.now)
            } else {
                authority = try TLS.makeAuthority(at: TLS.now)
            }
        } catch {
            guard error != .notBuilt else { throw .usage("--tls: \(error)") }
            throw .failed("\(folder == nil ? "--tls" : "--tls-ca"): \(error)")
        }
        if let folder {
            (certificate, scratch) = ("\(folder)/\(TLS.certificateName)", nil)
        } else {
            let folder = FileManager.default.temporaryDirectory
            let made = folder.appendingPathComponent("squall-ca-\(UUID().uuidString).pem").path
            try WholeFile.write(authority.pem, to: made)
            (certificate, scratch) = (made, made)
        }
        let warnings = WarningLog()
        acceptMode = ListenerSecurity(authority, certificate: certificate) { warnings.emit("squall: \($0)") }
    }

    /// Deletes the certificate file if it was created only for this run.
    func remove() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    /// Returns the certificates that `squall conformance server` trusts: the certificates in `file`, any certificate if
    /// `anybody` is true, or otherwise the certificates that the system trusts.
    ///
    /// - Throws: ``SquallError`` if the options contradict the target, or if the file contains no certificates.
    static func trust(_ target: ServerTarget, file: String?, anybody: Bool) throws(SquallError) -> TLSTrust {
        guard target.isSecure else {
            guard file == nil, !anybody else { throw .usage("--ca and --insecure need a wss:// URL, not \(target)") }
            return .system
        }
        guard TLS.isBuilt else { throw .usage("\(target): \(TLSError.notBuilt)") }
        guard !anybody else { return .anyCertificate }
        guard let file else { return .system }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .usage("--ca: the file '\(file)' cannot be read")
        }
        let trust = TLSTrust.certificates(Array(data))
        do throws(TLSError) {
            _ = try TLS.client(of: target.host, trusting: trust)
        } catch {
            throw .usage("--ca: '\(file)': \(error)")
        }
        return trust
    }
}
