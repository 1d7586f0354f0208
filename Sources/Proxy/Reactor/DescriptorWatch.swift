import Sockets
import Synchronization

/// How near this process is to the end of its descriptors, whichever of its threads takes them.
///
/// Listeners for connections stop accepting before the last are gone: the rest is for the upstreams of those that have come in,
/// for names, and for the API, which answers also then.
final class DescriptorWatch: Sendable {
    /// Descriptors that no new connection takes.
    private let spare: Int
    private let limit: Int
    private let scarce = Atomic(false)
    /// Connections that have come in and whose upstream may still want a descriptor: dialled later, by another thread perhaps, or
    /// once a client has said what it wants.
    private let reserved = Atomic(0)

    init(limit: Int = ProcessFacts.descriptorLimit) {
        self.limit = limit
        spare = min(16, limit / 4)
    }

    /// Whether listeners for connections had better wait.
    var areScarce: Bool { scarce.load(ordering: .relaxed) }

    /// Notes a connection that has come in, for whose upstream one more is kept until ``release()``.
    ///
    /// The kernel gives the lowest number that is free: a high one says that all below are taken.
    func reserve(for socket: SystemSocket) {
        reserved.add(1, ordering: .relaxed)
        note(socket)
    }

    /// Notes a socket that wants none beside it.
    func note(_ socket: SystemSocket) {
        let last = limit - spare - reserved.load(ordering: .relaxed)
        if Int(socket.descriptor) >= last { scarce.store(true, ordering: .relaxed) }
    }

    /// A connection that has come in has its upstream's descriptor, or will not want it any more.
    func release() { reserved.subtract(1, ordering: .relaxed) }

    /// None could be had; true where that is news.
    @discardableResult
    func noteExhaustion() -> Bool { !scarce.exchange(true, ordering: .relaxed) }

    /// Tries whether there are more again.
    func probe(_ socket: SystemSocket) {
        guard areScarce else { return }
        do {
            let copy = try socket.duplicate()
            let isFree = Int(copy.descriptor) < limit - spare - 2 - reserved.load(ordering: .relaxed)
            copy.close()
            if isFree { scarce.store(false, ordering: .relaxed) }
        } catch {
            // As scarce as before.
        }
    }
}

/// Connections wait in the kernel's queue: this process has no descriptors for them.
struct DescriptorShortage: Error, CustomStringConvertible {
    let description =
        "Too many open files: this process may have \(ProcessFacts.descriptorLimit) descriptors (ulimit -n), and a connection "
        + "takes two; who calls now waits until others end"
}
