import Adapter
import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// The phone around one client: whether its process runs, sleeps or is gone, and whether there is a network at all.
struct ClientHost {
    enum Process {
        /// Asked for, its store not yet read; what the user does meanwhile waits.
        case starting
        case running
        /// Frozen until then; what arrives waits.
        case suspended(until: Instant, order: WakeOrder)
        /// Gone; comes back then, or when told.
        case down(until: Instant?)
        /// A process of its own runs, or a person has started it.
        case foreign
        /// It is stopped until then.
        case foreignStopped(until: Instant)
    }

    let id: ClientID
    var process = Process.starting
    /// While the process runs or is suspended; beside it, so that a step changes it in place.
    var client: Client?
    /// What has arrived while it is suspended, in order.
    var waiting: [ClientInput] = []
    var networkReachable = true
    /// False from a reboot until the app starts again: a phone that is off takes no push and no touch.
    var isOn = true
    /// What the app has handed over to the phone; nil until it does.
    var transfers: TransferService?
    /// The phone's notifications; nil until anything was said of them.
    var centre: NotificationCentre?
    /// What the app has told the phone that the partners of conversations are called.
    var partners: [String: String] = [:]
    /// The notification whose tap starts the app.
    var launchedBy: Push?
    /// Answers of the phone itself that the client has yet to hear, in order.
    var pending: [ClientInput] = []

    /// What was done while the client started.
    var early: [ClientInput] = []

    /// The adapter's conversation, for a client that Squall does not drive itself.
    var foreign: ForeignClient?
    /// What the wire shows of it.
    var wire: ClientWire?
    /// What came from it over the network while a send was not answered.
    var heldBack: [RelayInput] = []

    private let isForeign: Bool

    init(_ id: ClientID, _ plan: RunPlan) {
        self.id = id
        isForeign = plan.client.foreign != nil
        guard let client = plan.client.foreign else { return }
        foreign = ForeignClient(id, client)
        wire = ClientWire(
            plan.scenario.profile.wire,
            standingInFor: ClientWire.standIns.filter { !client.offer.shows($0) },
            reportsState: client.offer.shows("connection.state")
        )
    }

    /// Whether a push gets there.
    var isReachable: Bool { networkReachable && isOn }

    var isStarting: Bool {
        if case .starting = process { true } else { false }
    }

    /// When this host wants to be woken; found out where it lies, for a copy of a client costs more than its step.
    var nextDeadline: Instant {
        mutating get {
            let own: Instant? =
                switch process {
                case .starting, .foreign: nil
                case .running: client?.nextDeadline
                case .suspended(let until, _): until
                case .down(let until): until
                case .foreignStopped(let until): until
                }
            guard isForeign || transfers != nil || centre != nil else { return own ?? .never }
            let others = [
                transfers?.nextDeadline, foreign?.session.nextDeadline, wire?.nextDeadline, centre?.nextDeadline,
            ]
            return ([own] + others).compactMap(\.self).min() ?? .never
        }
    }
}
