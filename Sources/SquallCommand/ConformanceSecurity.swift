import ConformanceRunner
import Foundation
import Squall
import TLSLink

/// What `squall conformance client --tls` shows to clients, and where the certificate is that they have to trust.
struct ConformanceSecurity: Sendable {
    let acceptMode: ListenerSecurity
    /// The authority's, in PEM.
    let certificate: String
    /// Made for this run alone.
    private let scratch: String?

    /// `folder` keeps the authority; nil makes one that is gone with the run, but for its certificate's file, which
    /// ``remove()`` takes away.
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

    func remove() {
        if let scratch { try? FileManager.default.removeItem(atPath: scratch) }
    }

    /// Whom `squall conformance server` believes.
    static func trust(_ target: ServerTarget, file: String?, anybody: Bool) throws(SquallError) -> TLSTrust {
        guard target.isSecure else {
            guard file == nil, !anybody else { throw .usage("--ca and --insecure go with a wss:// URL, not \(target)") }
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
