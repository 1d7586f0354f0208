import ConformanceRunner
import Foundation
import Squall
import TLSLink

/// The TLS of `squall conformance client --tls`: how its listener accepts connections, and the certificate to trust.
struct ConformanceSecurity: Sendable {
    let acceptMode: ListenerSecurity
    /// The path of the authority's certificate, in PEM.
    let certificate: String
    /// The path of a certificate file that was made for this run only; nil if a folder keeps it.
    private let scratch: String?

    /// Loads or makes the authority in `folder`, or makes one for this run, whose certificate file ``remove()``
    /// deletes.
    ///
    /// - Throws: ``SquallError`` if this build has no TLS, or the authority cannot be read or made.
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
        let told = WarningLog()
        acceptMode = ListenerSecurity(authority, certificate: certificate) { told.emit("squall: \($0)") }
    }

    /// Deletes the certificate file of this run.
    func remove() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    /// The certificates that `squall conformance server` trusts.
    ///
    /// - Throws: ``SquallError`` if the options do not fit the target, or the file holds no certificates.
    static func trust(_ target: ServerTarget, file: String?, anybody: Bool) throws(SquallError) -> TLSTrust {
        guard target.isSecure else {
            guard file == nil, !anybody else { throw .usage("--ca and --insecure need a wss:// URL, not \(target)") }
            return .system
        }
        guard TLS.isBuilt else { throw .usage("\(target): \(TLSError.notBuilt)") }
        guard !anybody else { return .everybody }
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
