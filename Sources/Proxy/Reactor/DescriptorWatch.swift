import Sockets
import Synchronization

/// Tracks how close the process is to its file descriptor limit, across all of its threads.
///
/// Proxy listeners stop accepting while descriptors are scarce. The remaining descriptors are reserved for the upstream
/// sockets of accepted connections, for name lookups, and for the control API, which must respond even then.
final class DescriptorWatch: Sendable {
    /// The number of descriptors just below the limit that are reserved and not used for new connections.
    private let spare: Int
    private let limit: Int
    private let scarce = Atomic(false)
    /// The number of accepted connections whose upstream socket does not exist yet.
    ///
    /// A worker thread creates that socket later, perhaps only after the client's first request.
    private let reserved = Atomic(0)

    init(limit: Int = ProcessFacts.descriptorLimit) {
        self.limit = limit
        spare = min(16, limit / 4)
    }

    /// Whether proxy listeners should pause accepting.
    var areScarce: Bool { scarce.load(ordering: .relaxed) }

    /// Records an accepted connection and reserves a descriptor for its upstream socket until ``release()``.
    ///
    /// The kernel assigns the lowest free number (POSIX `open`), so a high number means that nearly all are in use.
    func reserve(for socket: SystemSocket) {
        reserved.add(1, ordering: .relaxed)
        note(socket)
    }

    /// Marks descriptors as scarce if the number of a new socket is too high, without reserving another descriptor.
    func note(_ socket: SystemSocket) {
        let last = limit - spare - reserved.load(ordering: .relaxed)
        if Int(socket.descriptor) >= last { scarce.store(true, ordering: .relaxed) }
    }

    /// Releases a reservation: the connection has its upstream socket, or will never need one.
    func release() { reserved.subtract(1, ordering: .relaxed) }

    /// Records that no descriptor was available. Returns false if descriptors were already known to be scarce.
    @discardableResult
    func noteExhaustion() -> Bool { !scarce.exchange(true, ordering: .relaxed) }

    /// Duplicates `socket` to find the descriptor number that the kernel assigns now, and clears ``areScarce`` if that
    /// number is low enough.
    func probe(_ socket: SystemSocket) {
        guard areScarce else { return }
        do {
            let copy = try socket.duplicate()
            let isFree = Int(copy.descriptor) < limit - spare - 2 - reserved.load(ordering: .relaxed)
            copy.close()
            if isFree { scarce.store(false, ordering: .relaxed) }
        } catch {
            // Not even one descriptor could be opened, so the shortage continues.
        }
    }
}

/// The error that a listener reports when it stops accepting for lack of file descriptors.
///
/// New connections then wait in the kernel's accept queue.
struct DescriptorShortage: Error, CustomStringConvertible {
    let description =
        """
        Too many open files: this process may have \(ProcessFacts.descriptorLimit) descriptors (ulimit -n), and a \
        connection takes two; new connections wait until others close
        """
}
