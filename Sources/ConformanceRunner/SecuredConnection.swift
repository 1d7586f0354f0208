import NIOCore
import Sockets
import TLSLink

/// TLS on a connection that stands already.
enum SecuredConnection {
    /// Long, as it is this loop that may be busy with others' megabytes.
    private static let patience = TimeAmount.seconds(15)

    /// Tells once, on the loop, why the handshake has come to nothing, nil where it is done.
    ///
    /// Until then nobody else may hear the connection; what it brings from then on is plaintext.
    static func begin(
        _ session: any TLSSession,
        over connection: Connection,
        on loop: any EventLoop,
        _ emit: @escaping (String?) -> Void
    ) {
        var alarm: Scheduled<Void>?
        var isTold = false
        let finish = { (why: String?) -> Void in
            guard !isTold else { return }
            isTold = true
            alarm?.cancel()
            connection.onEvent = { _ in }
            emit(why)
        }
        alarm = loop.assumeIsolated().scheduleTask(in: patience) {
            finish("no TLS handshake within \(patience.nanoseconds / 1_000_000_000) seconds")
        }
        connection.onEvent = { event in
            if case .ended = event { finish("the connection was ended within the TLS handshake") }
        }
        connection.secure(session) { failure in finish(failure.map { "TLS: \($0)" }) }
    }
}
