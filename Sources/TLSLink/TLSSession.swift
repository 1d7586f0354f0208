/// One end of a TLS connection without any I/O: bytes of the network in, bytes for the network and plaintext out.
///
/// Confined to the thread that made it. The outputs of a call must be performed in order.
package protocol TLSSession: AnyObject {
    /// Whether the handshake is done and the session has not failed since.
    var isSecured: Bool { get }
    /// Whether the peer has sent close_notify or the session has failed; further bytes from the network are ignored.
    var isInputOver: Bool { get }

    /// Begins the handshake; a client's end returns its ClientHello.
    func start() -> [TLSOutput]
    /// Takes bytes from the network.
    func receive(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// Notes the end of the connection below; without the peer's close_notify before it, data may be missing.
    func inputEnded() -> [TLSOutput]
    /// Encrypts plaintext; plaintext written before the handshake is done is sent after it.
    func write(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// Ends this direction by close_notify (RFC 8446 section 6.1), the first time it is called; the peer may still
    /// send.
    func endOutput() -> [TLSOutput]
}

package enum TLSOutput: Hashable, Sendable {
    /// Bytes for the network.
    case wire([UInt8])
    /// The handshake is done.
    case secured
    /// Decrypted bytes from the peer.
    case plaintext([UInt8])
    /// The peer has sent close_notify; all of its plaintext came before.
    case ended
    /// The session has failed and passes no more data; any alert for the peer was output before this.
    case failed(TLSFailure)
}

/// The reason why a TLS handshake failed or an established session broke.
package struct TLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in words joined by underscores: `certificate_verify_failed`, `alert_unknown_ca`, `end_of_stream`.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    /// The connection ended without close_notify.
    package static let endOfStream = TLSFailure(reason: "end_of_stream")
    package static let notTLS = TLSFailure(reason: "not_tls")

    package var description: String { reason.split(separator: "_").joined(separator: " ") }
}

/// A failure of Squall's own TLS set-up; never something that a peer did.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This build has no TLS.
    case notBuilt
    /// A file or folder that could not be read or written.
    case file(path: String, reason: String)
    /// A certificate, a key or a name that cannot be used.
    case unfit(String)

    package var description: String {
        switch self {
        case .notBuilt:
            "this squall was built without TLS; build it with the trait: swift build --traits TLS (make dist does)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .unfit(let reason): reason
        }
    }
}

/// The certificates that a client accepts.
package enum TLSTrust: Sendable {
    /// Those signed by this authority.
    case authority(any TLSAuthority)
    /// Those signed by one of these authorities, whose certificates are given in PEM.
    case certificates([UInt8])
    /// Those that this machine's system trusts.
    case system
    /// All, without verification.
    case everybody
}
