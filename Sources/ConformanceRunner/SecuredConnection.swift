import NIOCore
import Sockets
import TLSLink

/// Performs a TLS handshake on an open connection.
enum SecuredConnection {
    /// The timeout is long, because the event loop may be busy transferring megabytes on other connections.
    private static let timeout = TimeAmount.seconds(15)

    /// Starts the handshake and calls `emit` once on the event loop: with nil when the handshake is complete, or with
    /// the reason why it failed.
    ///
    /// Until then, the connection must have no other event handler; afterwards it delivers plaintext.
    static func begin(
        _ session: any TLSSession,
        over connection: Connection,
        on loop: any EventLoop,
        _ emit: @escaping (String?) -> Void
    ) {
        var alarm: Scheduled<Void>?
        var isDone = false
        let finish = { (why: String?) -> Void in
            guard !isDone else { return }
            isDone = true
            alarm?.cancel()
            connection.onEvent = { _ in }
            emit(why)
        }
        alarm = loop.assumeIsolated().scheduleTask(in: timeout) {
            finish("no TLS handshake within \(timeout.nanoseconds / 1_000_000_000) seconds")
        }
        connection.onEvent = { event in
            if case .ended = event { finish("the connection was ended during the TLS handshake") }
        }
        connection.secure(session) { failure in finish(failure.map { "TLS: \($0)" }) }
    }
}
