/// One end of a TLS connection without any I/O: its methods accept network bytes or plaintext, and return outputs.
///
/// A session must be used only on the thread that created it. The outputs of a call must be performed in order.
package protocol TLSSession: AnyObject {
    /// Whether the handshake is complete and the session has not failed since.
    var isSecured: Bool { get }
    /// Whether the peer has sent close_notify or the session has failed. Further bytes from the network are then
    /// ignored.
    var isInputOver: Bool { get }

    /// Begins the handshake. At the client's end, the outputs contain the ClientHello.
    func start() -> [TLSOutput]
    /// Handles bytes from the network and returns the resulting outputs.
    func receive(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// Handles the end of the underlying connection. If the peer has not sent close_notify, data may be missing.
    func inputEnded() -> [TLSOutput]
    /// Encrypts plaintext. Plaintext written before the handshake is complete is sent once it completes.
    func write(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// Ends this direction with close_notify (RFC 8446 section 6.1); does nothing if called again. The peer may still
    /// send.
    func endOutput() -> [TLSOutput]
}

package enum TLSOutput: Hashable, Sendable {
    /// Bytes to be sent over the network.
    case wire([UInt8])
    /// The handshake has completed, and application data can be exchanged.
    case secured
    /// Decrypted bytes from the peer.
    case plaintext([UInt8])
    /// The peer has sent close_notify. All of its plaintext has already been output.
    case ended
    /// The session has failed and passes no more data. Any alert for the peer has already been output.
    case failed(TLSFailure)
}

/// The reason that a TLS handshake or an established session failed.
package struct TLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, in words joined by underscores, such as `certificate_verify_failed`, `alert_unknown_ca` or
    /// `end_of_stream`.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    /// The connection ended without close_notify.
    package static let endOfStream = TLSFailure(reason: "end_of_stream")
    package static let notTLS = TLSFailure(reason: "not_tls")

    package var description: String { reason.split(separator: "_").joined(separator: " ") }
}

/// An error in Squall's own TLS configuration. Peers never cause such an error.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This build does not include TLS.
    case notBuilt
    /// A file or folder could not be read or written.
    case file(path: String, reason: String)
    /// A certificate, a key or a name cannot be used; the text states the reason.
    case invalidInput(String)

    package var description: String {
        switch self {
        case .notBuilt:
            "this squall was built without TLS; build it with the trait: swift build --traits TLS (make dist does)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .invalidInput(let reason): reason
        }
    }
}

/// The certificates that a client accepts.
package enum TLSTrust: Sendable {
    /// The certificates signed by this authority.
    case authority(any TLSAuthority)
    /// The certificates signed by any of the given authorities, whose own certificates are in PEM format.
    case certificates([UInt8])
    /// The certificates that the operating system trusts.
    case system
    /// All certificates. Nothing is verified.
    case anyCertificate
}
