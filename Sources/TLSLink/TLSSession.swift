/// One end of a TLS connection without any I/O: bytes of the network in, bytes for the network and plaintext out.
///
/// Confined to the thread that made it. What it gives is to be done in order.
package protocol TLSSession: AnyObject {
    /// The handshake is done, and nothing has gone wrong since.
    var isSecured: Bool { get }
    /// The peer has said that it will send no more, or the session has failed: what still comes is not looked at.
    var isInputOver: Bool { get }

    /// Begins the handshake: a client speaks first.
    func start() -> [TLSOutput]
    func receive(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// The connection beneath has ended. Without the peer's close_notify before it, something may be missing.
    func inputEnded() -> [TLSOutput]
    /// Plaintext to be sent; what is written before the handshake is done goes out after it.
    func write(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput]
    /// Says by close_notify that nothing more will be sent (RFC 8446 section 6.1); the peer may still send. Once.
    func endOutput() -> [TLSOutput]
}

package enum TLSOutput: Hashable, Sendable {
    /// For the network.
    case wire([UInt8])
    case secured
    case plaintext([UInt8])
    /// The peer's close_notify, behind all that it sent.
    case ended
    /// Nothing will pass any more. An alert for the peer, where it is owed one, was given before.
    case failed(TLSFailure)
}

/// Why a secured channel could not be made, or broke.
package struct TLSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A few words joined by underscores: `certificate_verify_failed`, `alert_unknown_ca`, `end_of_stream`.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    /// The connection ended without close_notify.
    package static let endOfStream = TLSFailure(reason: "end_of_stream")
    package static let notTLS = TLSFailure(reason: "not_tls")

    package var description: String { reason.split(separator: "_").joined(separator: " ") }
}

/// What Squall itself could not have: never anything that a peer did.
package enum TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This build has no TLS.
    case notBuilt
    /// A file or folder: what was wanted of it, and why it could not be.
    case file(path: String, reason: String)
    /// A certificate, a key or a name that will not do.
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

/// Whom a client believes.
package enum TLSTrust: Sendable {
    case authority(any TLSAuthority)
    /// Certificates in PEM.
    case certificates([UInt8])
    /// Whom this machine's system believes.
    case system
    /// Anybody at all.
    case everybody
}
