import Faults
import Sockets
import TLSLink

/// The proxy's socket towards one side of a link, and what is known of it.
///
/// One of its conduit's two, whose ways to it are many for each read: an object, since a value would be lent and given back each time.
final class LinkSocket {
    /// Nil before it is there and after it is closed.
    var socket: SystemSocket?
    var token: UInt64 = 0
    /// As the poller told, until a call would have blocked.
    var isReadable = false
    var isWritable = false
    /// The peer has ended; reading goes on until that is read.
    var hasHungUp = false
    /// A write failed: after what can still be read, the end is a reset, whatever it looks like.
    var isBroken = false
    var isConnecting = false
    var readMode = ReadMode.none
    /// Its end was read.
    var hasReadEnd = false
    /// A FIN was sent.
    var hasSentFIN = false
    /// Its last read was a large one.
    var readsInBulk = false
    var backlog = Backlog()
    /// What of the backlog is with the courier, its head; until word of it is back nobody else writes.
    var job: WriteJob?
    /// How it ends once the backlog is written.
    var pendingEnd: LinkEnd?
    var received: UInt64 = 0
    var sent: UInt64 = 0

    /// What passes over it is not plaintext: TLS ends here.
    var isSecured = false
    /// Nil also before the client has said hello.
    var tls: (any TLSSession)?

    /// Whether something must be written before anything else is.
    var hasPendingWrites: Bool { !backlog.isEmpty || job != nil }

    /// To be written behind all that waits: counted here, and by the courier if that is not done yet.
    func queue(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        backlog.append(bytes)
        job?.add(bytes)
    }

    /// Nothing of it is to be written any more; a piece that the courier is at may still arrive.
    func dropBacklog() {
        backlog.removeAll()
        job?.recall()
        job = nil
    }

    var isOpen: Bool { socket != nil && !isConnecting }
}
