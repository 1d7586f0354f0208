import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// One client under test and the device that it runs on.
///
/// The device is the same whatever runs on it: the state of the client's process, the network, the notifications, and
/// the inputs that wait. What differs between Squall's own client and a foreign one is in ``Program``.
struct ClientHost {
    /// The state of the client's process.
    enum Process {
        /// Launched, but not yet ready. Commands wait in ``early``. Next: running; down.
        case starting
        /// Next: suspended; down.
        case running
        /// Frozen until the given time. Inputs wait in ``waiting``. `order` is nil for a foreign process, which decides
        /// for itself what it handles first. Next: running; down.
        case suspended(until: Instant, order: WakeOrder?)
        /// Not running. Launched again at the given time; if nil, when a command or a notification asks for it. Next:
        /// starting.
        case down(until: Instant?)
    }

    let id: ClientID
    /// Whether Squall does not drive this client.
    let isForeign: Bool
    var process = Process.starting
    /// Inputs that arrived while the process was suspended, in order.
    var waiting: [ClientInput] = []
    /// Commands given before the process was ready, in order.
    var early: [ClientInput] = []
    /// Answers of the device that the client has yet to receive, in order.
    var pending: [ClientInput] = []

    var networkReachable = true
    /// Whether the script has the app in the foreground.
    var isInForeground = true
    /// Whether the device's screen is locked.
    var isLocked = false
    /// Whether the app's key cannot be read: from a reboot of a locked device until it is unlocked.
    var areKeysLocked = false
    /// Whether the device refuses what the client writes to its store.
    var isDiskFull = false
    /// Whether the running process has opened its list of conversations.
    var hasList = false
    /// False once a process of the client has ended.
    var isFirstProcess = true
    /// False from a reboot until the client starts again: a device that is off takes no push and no touch.
    var isOn = true
    /// The background transfers that the client has handed over to the device; nil until it does.
    var transfers: TransferService?
    /// The device's notifications; nil until the scenario or the client first uses them.
    var centre: NotificationCentre?
    /// The display names of conversation partners, by conversation, as the client has given them to the device.
    var partners: [String: String] = [:]
    /// The notification whose tap launches the client.
    var launchedBy: Push?

    init(_ id: ClientID, _ plan: RunPlan) {
        self.id = id
        isForeign = plan.client.foreign != nil
        program = plan.client.foreign.map { .foreign(ForeignHost(id, $0, plan)) } ?? .absent
    }

    /// Whether a push reaches the device.
    var isReachable: Bool { networkReachable && isOn }

    var isRunning: Bool {
        if case .running = process { true } else { false }
    }

    var isStarting: Bool {
        if case .starting = process { true } else { false }
    }

    /// When this host has something to do next; ``SquallCore/Instant/never`` for nothing.
    var nextDeadline: Instant {
        var earliest = programDeadline
        switch process {
        case .starting, .running: break
        case .down(let until): earliest = earliest.or(sooner: until)
        // Squall's own client does nothing while it is frozen; a foreign client's adapter may still have to answer.
        case .suspended(let until, let order): earliest = order == nil ? earliest.or(sooner: until) : until
        }
        return earliest.or(sooner: transfers?.nextDeadline).or(sooner: centre?.nextDeadline) ?? .never
    }

    // MARK: - The program

    /// What runs on the device.
    private enum Program {
        /// Squall's own client while it has no process.
        case absent
        case reference(Client)
        /// A client that Squall does not drive: behind an adapter, or judged from the wire alone.
        case foreign(ForeignHost)

        /// Calls `body` with the payload of the matching case.
        ///
        /// A client is large, and copying it costs more than one of its steps. `consume` moves it out of the enum and
        /// back.
        mutating func change<Result>(
            reference: (inout Client) -> Result,
            foreign: (inout ForeignHost) -> Result
        ) -> Result? {
            switch consume self {
            case .absent:
                self = .absent
                return nil
            case .reference(var client):
                let result = reference(&client)
                self = .reference(client)
                return result
            case .foreign(var host):
                let result = foreign(&host)
                self = .foreign(host)
                return result
            }
        }
    }

    /// The result of an input to the program.
    enum Reaction {
        case reference([ClientOutput])
        case foreign([ForeignHost.Effect])
    }

    private var program: Program
    /// When the program has something to do by itself, as of its last step.
    private(set) var programDeadline: Instant?

    /// The foreign client on the device; nil for Squall's own.
    var foreign: ForeignHost? {
        if case .foreign(let host) = program { host } else { nil }
    }

    /// Puts Squall's own client on the device.
    mutating func install(_ client: consuming Client) {
        programDeadline = client.nextDeadline
        program = .reference(client)
    }

    /// Removes Squall's own client, whose process is gone.
    mutating func removeClient() {
        program = .absent
        programDeadline = nil
    }

    /// Lets the program handle an input; returns nil if there is no program.
    mutating func handle(_ input: ClientInput, at now: Instant) -> Reaction? {
        var deadline: Instant?
        defer { programDeadline = deadline }
        return program.change { client in
            let outputs = client.handle(input, at: now)
            deadline = client.nextDeadline
            return .reference(outputs)
        } foreign: { host in
            let effects = host.handle(input, at: now)
            deadline = host.nextDeadline
            return .foreign(effects)
        }
    }

    /// Lets a foreign client take one step; returns nil if the device runs, or ran, Squall's own client.
    mutating func changeForeign<Result>(_ body: (inout ForeignHost) -> Result) -> Result? {
        guard isForeign else { return nil }
        var deadline: Instant?
        defer { programDeadline = deadline }
        let result: Result?? = program.change { _ in
            nil
        } foreign: { host in
            defer { deadline = host.nextDeadline }
            return body(&host)
        }
        return result ?? nil
    }
}
