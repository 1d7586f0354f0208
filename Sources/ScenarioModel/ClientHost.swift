import ChatWire
import Faults
import Foundations
import ReferenceClient

/// The phone around one client: whether its process runs, sleeps or is gone, and whether there is a network at all.
struct ClientHost {
    enum Process {
        /// Asked for, its store not yet read; what the user does meanwhile waits.
        case starting
        case running(Client)
        /// Frozen until then; what arrives waits.
        case suspended(Client, until: Instant, order: WakeOrder, waiting: [ClientInput])
        /// Gone; comes back then, or when told.
        case down(until: Instant?)
    }

    let id: ClientID
    var process = Process.starting
    var networkReachable = true
    /// Answers of the phone itself that the client has yet to hear, in order.
    var pending: [ClientInput] = []

    /// What was done while the client started.
    var early: [ClientInput] = []

    init(_ id: ClientID) {
        self.id = id
    }

    var isStarting: Bool {
        if case .starting = process { true } else { false }
    }

    /// When this host wants to be woken.
    var nextDeadline: Instant? {
        switch process {
        case .starting: nil
        case .running(let client): client.nextDeadline
        case .suspended(_, let until, _, _): until
        case .down(let until): until
        }
    }
}
