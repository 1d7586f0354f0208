import Faults
import Sockets
import TLSLink

/// The proxy's socket to one side of a connection, client or server, with its readiness, backlog and TLS session.
///
/// A class, because many paths of a read change it, and exclusive access to a struct would be taken and given back each
/// time.
final class LinkSocket {
    /// Nil before the socket exists and after it is closed.
    var socket: SystemSocket?
    var token: UInt64 = 0
    /// Set by the poller's edge-triggered events and cleared when a call would block.
    var isReadable = false
    var isWritable = false
    /// The poller reported that the peer has closed or reset; bytes before that may still be unread.
    var hasHungUp = false
    /// A write has failed. Unread bytes may still be read; after them the stream ends as if reset.
    var isBroken = false
    /// The connection to the upstream is being established.
    var isConnecting = false
    var readMode = ReadMode.none
    /// The end of the stream was read: FIN or reset.
    var hasReadEnd = false
    /// The proxy has sent FIN.
    var hasSentFIN = false
    /// The last read was at least ``ProxyConnection/largeRead`` bytes, so the next is likely to be large, too.
    var readsInBulk = false
    var backlog = Backlog()
    /// The write job that is writing the front of the backlog on another thread.
    ///
    /// Until it reports its end, only it writes.
    var job: WriteJob?
    /// How to end the sending direction once the backlog is written.
    var pendingEnd: LinkEnd?
    /// Bytes read from, and written to, the socket.
    var received: UInt64 = 0
    var sent: UInt64 = 0

    /// The proxy terminates TLS on this socket: its bytes are ciphertext.
    var isSecured = false
    /// The TLS session; nil until the client's ClientHello is complete.
    var tls: (any TLSSession)?

    /// Whether queued bytes must be written before any others.
    var hasPendingWrites: Bool { !backlog.isEmpty || job != nil }

    /// Queues bytes behind all others, and also adds them to the running write job if it still accepts any.
    func queue(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        backlog.append(bytes)
        job?.add(bytes)
    }

    /// Drops all queued bytes. A piece that a write job is writing at this moment may still go out.
    func dropBacklog() {
        backlog.removeAll()
        job?.recall()
        job = nil
    }

    /// Whether the socket is connected.
    var isOpen: Bool { socket != nil && !isConnecting }
}
