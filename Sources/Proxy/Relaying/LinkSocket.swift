import Faults
import Sockets
import TLSLink

/// The proxy's socket to one side of a connection, client or server, with its readiness, backlog and TLS session.
///
/// It is a class instead of a struct to avoid the cost of exclusivity checks, because many functions modify it during
/// each read.
final class LinkSocket {
    /// The socket; nil before it exists and after it is closed.
    var socket: SystemSocket?
    var token: UInt64 = 0
    /// Whether a read could succeed. The poller's edge-triggered events set this flag, and it is cleared when the next
    /// read would block.
    var isReadable = false
    var isWritable = false
    /// Whether the poller has reported that the peer closed or reset the connection; earlier bytes may still be unread.
    var hasHungUp = false
    /// Whether a write has failed. Bytes that have already arrived can still be read; after them the stream ends as if
    /// it were reset.
    var hasWriteFailed = false
    /// Whether the connection to the upstream is being established.
    var isConnecting = false
    var readMode = ReadMode.none
    /// Whether the end of the stream, FIN or reset, has been read.
    var hasReadEnd = false
    /// Whether the proxy has sent FIN.
    var hasSentFIN = false
    /// Whether the last read returned at least ``ProxyConnection/largeRead`` bytes, so that the next is likely to be
    /// large as well.
    var readsInBulk = false
    var backlog = Backlog()
    /// The write job that is writing the front of the backlog on another thread.
    ///
    /// Until it reports that it is done or stuck, only this job may write to the socket.
    var job: WriteJob?
    /// How the sending direction ends (FIN or RST) once the backlog is written; nil if it stays open.
    var pendingEnd: LinkEnd?
    /// The number of bytes read from the socket, and the number written to it.
    var received: UInt64 = 0
    var sent: UInt64 = 0

    /// Whether the socket carries TLS that the proxy terminates or originates, so that its bytes are ciphertext.
    var isSecured = false
    /// The TLS session; nil if there is no TLS, or until the client's ClientHello is complete.
    var tls: (any TLSSession)?

    /// Whether queued bytes must be written before any new ones.
    var hasPendingWrites: Bool { !backlog.isEmpty || job != nil }

    /// Appends bytes to the backlog, and to the running write job if it accepts more.
    func queue(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        backlog.append(bytes)
        job?.add(bytes)
    }

    /// Drops all queued bytes. Bytes that a write job is currently writing may still be sent.
    func discardBacklog() {
        backlog.removeAll()
        job?.dropPending()
        job = nil
    }

    var isOpen: Bool { socket != nil && !isConnecting }
}
