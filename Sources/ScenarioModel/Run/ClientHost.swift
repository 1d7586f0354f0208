import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// One client under test, and the device that it runs on.
///
/// The device's state has the same form for every client: the client's process, the network, the notifications, and the
/// queued inputs. The differences between Squall's own client and a foreign client are in ``Program``.
struct ClientHost {
    /// The state of the client's process.
    enum Process {
        /// The process was launched, but is not ready yet. Commands are queued in ``early``. The next state is
        /// `running` or `down`.
        case starting
        /// The process is running. The next state is `suspended` or `down`.
        case running
        /// The process is frozen until the given time. Inputs are queued in ``waiting``. `order` is nil for a foreign
        /// client, whose process decides what to handle first when it wakes up. The next state is `running` or `down`.
        case suspended(until: Instant, order: WakeOrder?)
        /// There is no process. It is launched at the given time, or, if the time is nil, when a command or
        /// notification requires it. The next state is `starting`.
        case down(until: Instant?)
    }

    let id: ClientID
    /// Whether the client is foreign, that is, not Squall's own.
    let isForeign: Bool
    var process = Process.starting
    /// The inputs that arrived while the process was suspended, in order.
    var waiting: [ClientInput] = []
    /// The commands issued before the process was ready, in order.
    var early: [ClientInput] = []
    /// The device's responses that have not been delivered to the client yet, in order.
    var pending: [ClientInput] = []

    var networkReachable = true
    /// Whether the app is in the foreground.
    var isInForeground = true
    /// Whether the device's screen is locked.
    var isLocked = false
    /// Whether the device's key storage is locked: from a reboot of a locked device until the device is unlocked.
    var areKeysLocked = false
    /// Whether the device rejects the client's writes to its store, because the disk is full.
    var isDiskFull = false
    /// The keys of the writes that failed because the disk was full, and that the running process has not retried yet.
    var refusedKeys: Set<String> = []
    /// The keys whose latest values were not on disk when a process was killed, because the disk was full.
    var lostKeys: Set<String> = []
    /// Describes stale values, that is, values that the client still showed after its state had changed. Recorded the
    /// first time any are found.
    var outdated: [String] = []
    /// Whether the running process has opened its list of conversations.
    var hasList = false
    /// True until the client's first process ends.
    var isFirstProcess = true
    /// Whether the device is on. A reboot turns it off until the client starts again. A device that is off receives
    /// neither pushes nor taps.
    var isOn = true
    /// The background transfers that the client has handed over to the device; nil until the first one.
    var transfers: TransferService?
    /// The running processes of the share extension, and the messages that they have left for the client.
    var sharing = SharedContainer()
    /// The device's notifications; nil until the scenario or the client first uses them.
    var centre: NotificationCentre?
    /// The conversation partners' display names that the client has passed to the device, keyed by conversation.
    var partners: [String: String] = [:]
    /// The tapped notification that launches the client; nil for any other launch.
    var launchedBy: Push?

    init(_ id: ClientID, _ plan: RunPlan) {
        self.id = id
        isForeign = plan.client.foreign != nil
        program = plan.client.foreign.map { .foreign(ForeignHost(id, $0, plan)) } ?? .absent
    }

    /// Whether pushes can reach the device.
    var isReachable: Bool { networkReachable && isOn }

    var isRunning: Bool {
        if case .running = process { true } else { false }
    }

    var isStarting: Bool {
        if case .starting = process { true } else { false }
    }

    /// The next deadline of this host; ``SquallCore/Instant/never`` if none is pending.
    var nextDeadline: Instant {
        var earliest = programDeadline
        switch process {
        case .starting, .running: break
        case .down(let until): earliest = earliest.or(sooner: until)
        // Squall's own client does nothing while it is frozen. A foreign client's adapter may still have a deadline for
        // a response.
        case .suspended(let until, let order): earliest = order == nil ? earliest.or(sooner: until) : until
        }
        return earliest.or(sooner: transfers?.nextDeadline).or(sooner: centre?.nextDeadline)
            .or(sooner: sharing.nextDeadline) ?? .never
    }

    // MARK: - The program

    /// The program that runs on the device.
    private enum Program {
        /// Squall's own client, while it has no process.
        case absent
        case reference(Client)
        /// A client that is not Squall's own. It either has an adapter or is observed only on the wire.
        case foreign(ForeignHost)

        /// Calls the closure for the current case with its payload; returns nil if there is no program.
        ///
        /// `consume` moves the client out of the enum and back, because copying a client costs more than letting it
        /// handle an input.
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

    /// The result of passing an input to the program.
    enum Reaction {
        case reference([ClientOutput])
        case foreign([ForeignHost.Effect])
    }

    private var program: Program
    /// The program's next deadline, as reported after its last input.
    private(set) var programDeadline: Instant?

    /// The foreign client on the device; nil for Squall's own client.
    var foreign: ForeignHost? {
        if case .foreign(let host) = program { host } else { nil }
    }

    /// Installs Squall's own client on the device.
    mutating func install(_ client: consuming Client) {
        programDeadline = client.nextDeadline
        program = .reference(client)
    }

    /// Removes Squall's own client, whose process has ended.
    mutating func removeClient() {
        if case .reference(let client) = program { lostKeys.formUnion(refusedKeys.union(client.refusedKeys)) }
        refusedKeys = []
        program = .absent
        programDeadline = nil
    }

    /// Passes an input to the program; returns nil if there is no program.
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

    /// Compares what Squall's own client shows with its state, unless an input is due or an earlier comparison has
    /// already found a difference.
    mutating func findOutdatedValues(at now: Instant) {
        guard isRunning, outdated.isEmpty, programDeadline.map({ $0 > now }) ?? true else { return }
        let found = program.change { client in
            client.outdatedValues(at: now)
        } foreign: { _ in
            []
        }
        outdated = (found ?? []).map { "at \(now), \($0)" }
    }

    /// Applies `body` to the foreign client; returns nil if the client is Squall's own.
    mutating func withForeign<Result>(_ body: (inout ForeignHost) -> Result) -> Result? {
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
