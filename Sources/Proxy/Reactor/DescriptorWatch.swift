import Sockets

/// How near this process is to the end of its descriptors.
///
/// Listeners for connections stop accepting before the last are gone: the rest is for the upstreams of those that have come in,
/// for names, and for the API, which answers also then. Confined to its reactor's thread.
final class DescriptorWatch {
    /// Descriptors that no new connection takes.
    private let spare: Int
    private let limit: Int
    /// Whether listeners for connections had better wait.
    private(set) var areScarce = false

    init(limit: Int = ProcessFacts.descriptorLimit) {
        self.limit = limit
        spare = min(16, limit / 4)
    }

    /// Notes a connection that has come in. The kernel gives the lowest number that is free: a high one says that all below are
    /// taken. `pending` is how many that came in with it may still want one for their upstream.
    func note(_ socket: SystemSocket, pending: Int) {
        if Int(socket.descriptor) >= limit - spare - pending { areScarce = true }
    }

    /// None could be had.
    func noteExhaustion() { areScarce = true }

    /// Tries whether there are more again.
    func probe(_ socket: SystemSocket) {
        guard areScarce else { return }
        do {
            let copy = try socket.duplicate()
            areScarce = Int(copy.descriptor) >= limit - spare - 2
            copy.close()
        } catch {
            areScarce = true
        }
    }
}

/// Connections wait in the kernel's queue: this process has no descriptors for them.
struct DescriptorShortage: Error, CustomStringConvertible {
    let description =
        "Too many open files: this process may have \(ProcessFacts.descriptorLimit) descriptors (ulimit -n), and a connection "
        + "takes two; who calls now waits until others end"
}
