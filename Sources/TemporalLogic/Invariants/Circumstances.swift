import SquallCore
import Trace

/// The conditions under which a client runs, as the trace reports them: its process, its network, the server and the
/// active faults. The invariants consider these conditions before they report a violation.
struct Circumstances: Sendable {
    private let settings: InvariantSettings
    /// The instant at which the client's process started; nil while it is not running.
    private(set) var runningSince: Instant?
    private(set) var isSuspended = false
    private var hasLeftScreen = false
    private var isLocked = false
    /// The first instant at which the device's disk may have been full; nil if it has never been full.
    private(set) var diskFullSince: Instant?
    /// The last value of `connection.state`; nil if the client has not reported it since its process was started or
    /// killed.
    private(set) var state: String?
    private(set) var stateEvent = -1
    /// The instant at which the client entered one of the states in `liveStates`; nil while it is in another state.
    private(set) var liveSince: Instant?
    /// Whether the trace contains events from the server; false for an external server, which reports none.
    private(set) var seesServer = false
    /// The last value of `link.state`, used for a client that does not report its state.
    private(set) var link: String?
    private(set) var linkEvent = -1
    /// The index of the last event after which the client may make an attempt immediately: a user request, or an
    /// external change such as the return of the network.
    private(set) var lastConnectTrigger = -1
    private var isReachable = true
    private var isCaptive = false
    private var isServerUp = true
    private var faults: [String?] = []
    /// The number of server responses that the script is holding back. `isRuled` is true once a script rule replaces
    /// the server's responses.
    private var held = 0
    private var isRuled = false
    /// The instant of the last event that may have disturbed the client, or the end of the wait that the server has
    /// requested, whichever is later.
    private var lastDisturbance = Instant.zero
    private var hasGivenUp = false
    /// Whether the client must not connect until its user asks for a connection: the user has disconnected, or the
    /// server has closed the connection with code 1000, which forbids reconnecting.
    private var mustNotReconnect = false
    /// Whether the user has disconnected and has not asked for a connection since. A suspended client disconnects only
    /// after it has woken, and may connect before that.
    private var hasUserLeft = false
    /// Whether the user disconnected before the app had started. If so, the client disconnects once it has started.
    private var leavesAfterStart = false
    private var isSignedOut = false
    private var wasKilled = false
    /// The signed-in user according to `app.user`; nil if it has not been reported, null if no user is signed in.
    private(set) var user: JSON?
    /// Whether the network is altering bytes of the client's connections.
    private(set) var isCorrupted = false
    /// Whether the network has altered bytes of the client's connections at any time.
    private(set) var wasCorrupted = false

    static let kinds = InvariantKinds(
        .started,
        .killed,
        .suspended,
        .woke,
        .connectionState,
        .linkState,
        .reachable,
        .captive,
        .serverStarted,
        .serverStopped,
        .serverClosed,
        .serverUpgraded,
        .serverDisturbed,
        .serverHeld,
        .serverReleased,
        .serverRuled,
        .serverOther,
        .networkDisturbed,
        .networkFrames,
        .faultBegan,
        .faultEnded,
        .faultLifted,
        .background,
        .foreground,
        .locked,
        .unlocked,
        .disk,
        .asked,
        .resumed,
        .allowed,
        .signOutAsked,
        .signInAsked,
        .signedIn,
        .user,
        .left,
        .disconnected,
        .attemptFailed,
        .gaveUp
    )

    /// The actions of the `frames` fault that change a message's content.
    private static let alterations: Set = ["corrupt", "rewrite"]

    init(_ settings: InvariantSettings) {
        self.settings = settings
    }

    var isRunning: Bool { runningSince != nil }
    /// Whether the app is in the background or the screen is locked.
    var isInBackground: Bool { hasLeftScreen || isLocked }
    var isTerminal: Bool {
        hasGivenUp || mustNotReconnect || isSignedOut || state.map(settings.terminalStates.contains) ?? false
    }

    /// Returns whether a message or file that the client accepted at `accepted` may be missing from its disk if its
    /// process is killed at `now`.
    func maybeUnwritten(_ accepted: Instant, at now: Instant) -> Bool {
        now - accepted <= settings.writeTime || diskFullSince.map { accepted >= $0 } ?? false
    }

    /// The instant since which nothing has kept the client from connecting and exchanging messages; nil while a fault,
    /// a user action or the app's state prevents it.
    var undisturbedSince: Instant? {
        let isCalm =
            isRunning && !isSuspended && !isInBackground && isReachable && !isCaptive && isServerUp && faults.isEmpty
            && held == 0 && !isRuled && !isTerminal
        return isCalm ? lastDisturbance : nil
    }

    /// The instant since which the client has been connected and undisturbed; nil while it is not.
    var connectedUndisturbedSince: Instant? { undisturbedSince.flatMap { calm in liveSince.map { max(calm, $0) } } }

    /// Whether the network and the server are available and unaffected by any fault or script rule.
    var wasUndisturbed: Bool { isReachable && !isCaptive && isServerUp && faults.isEmpty && held == 0 && !isRuled }

    mutating func observe(_ event: TraceEvent, _ kind: InvariantKind) {
        if kind.isServers { seesServer = true }
        // A client that does not report its start counts as running from its first event.
        if event.client != nil, runningSince == nil, !wasKilled, kind != .killed, kind != .act, !kind.isServers {
            runningSince = event.time
        }
        switch kind {
        case .started: start(event)
        case .killed:
            runningSince = nil
            wasKilled = true
            leavesAfterStart = false
            hasLeftScreen = false
            leave(nil, event)
            disturb(event)
        case .suspended: set(\.isSuspended, true, event)
        case .woke: ask(event) { $0.isSuspended = false }
        case .background: set(\.hasLeftScreen, true, event)
        case .foreground: ask(event) { $0.hasLeftScreen = false }
        case .disk: diskFullSince = diskFullSince ?? event.time
        case .locked: set(\.isLocked, true, event)
        case .unlocked: ask(event) { $0.isLocked = false }
        case .asked: ask(event) { $0.hasGivenUp = false }
        case .resumed:
            // Starting an app that is already running has no effect.
            guard event.name != "device.start" || !isRunning else { return }
            if event.name != "device.start" { leavesAfterStart = false }
            ask(event) {
                $0.hasUserLeft = false
                $0.resume()
            }
        case .allowed: lastConnectTrigger = event.index
        case .signOutAsked: isSignedOut = true
        // Both events are handled, because a sign-in that is requested during a sign-out takes effect only after the
        // sign-out.
        case .signInAsked, .signedIn:
            ask(event) {
                $0.isSignedOut = false
                $0.resume()
            }
        case .user: if case .set(let value) = event.observation.change { user = value }
        case .disconnected:
            let failure = event.fields?["failure"]
            if failure == Self.dismissal || failure == "disconnect" && hasUserLeft { mustNotReconnect = true }
        case .reachable: change(\.isReachable, event)
        case .captive: change(\.isCaptive, event)
        case .serverStarted: set(\.isServerUp, true, event)
        case .serverStopped: set(\.isServerUp, false, event)
        case .faultBegan:
            faults.append(event.key)
            if event.fields?["fault"] == "corrupt" { (isCorrupted, wasCorrupted) = (true, true) }
            disturb(event)
        case .networkFrames:
            guard Self.alterations.contains(event.fields?["action"]?.stringValue ?? "") else { return }
            (isCorrupted, wasCorrupted) = (true, true)
        case .faultEnded, .faultLifted:
            if let index = faults.firstIndex(of: event.key) { faults.remove(at: index) }
            if ["corrupt", "frames"].contains(event.fields?["fault"]) { isCorrupted = false }
            disturb(event)
        case .serverHeld: set(\.held, held + 1, event)
        case .serverReleased: set(\.held, max(held - 1, 0), event)
        case .serverRuled: set(\.isRuled, true, event)
        case .serverDisturbed, .networkDisturbed: disturb(event)
        // A close with code 1000 or 1001 is not a disturbance, because it may be the response to the client's own close
        // frame. An event without a code reports the end of an HTTP request.
        case .serverClosed:
            if let code = event.fields?["code"]?.intValue, code > 1001 { disturb(event) }
        case .serverUpgraded:
            if event.fields?["status"]?.intValue != 101 { disturb(event) }
        case .serverOther:
            // Server actions count as disturbances only if the script caused them.
            if event.observation.provenance == .injected { disturb(event) }
        case .gaveUp: hasGivenUp = true
        case .attemptFailed:
            // The server has asked the client to wait, so the client need not make an attempt before that time.
            guard let span = event.fields?["retry_after"]?.intValue, span > 0 else { return }
            let asked = TimeSpan(nanoseconds: span)
            let spread = settings.backoff?.spread.of(asked) ?? .zero
            lastDisturbance = max(lastDisturbance, event.time + asked + spread)
        case .left:
            (mustNotReconnect, hasUserLeft) = (true, true)
            leavesAfterStart = runningSince == nil
        case .linkState:
            if case .set(let value) = event.observation.change { link = value.stringValue }
            linkEvent = event.index
        case .connectionState:
            if case .set(let value) = event.observation.change { leave(value.stringValue, event) }
        default: break
        }
    }

    private mutating func start(_ event: TraceEvent) {
        runningSince = event.time
        isSuspended = false
        resume()
        (mustNotReconnect, leavesAfterStart) = (leavesAfterStart, false)
        leave(nil, event)
        lastConnectTrigger = event.index
        disturb(event)
    }

    /// The value of the `failure` field of `client.disconnected` after the server has closed the connection with code
    /// 1000.
    static let dismissal: JSON = "closed_1000"

    private mutating func resume() {
        hasGivenUp = false
        mustNotReconnect = false
    }

    private mutating func leave(_ new: String?, _ event: TraceEvent) {
        let wasTerminal = isTerminal
        state = new
        stateEvent = event.index
        let isLive = new.map(settings.liveStates.contains) ?? false
        // The client may report `draining` after the user has disconnected, so this state does not prove that the
        // client has resumed.
        if isLive, new != "draining" { resume() }
        if isLive != (liveSince != nil) { liveSince = isLive ? event.time : nil }
        // After giving up, a client counts as undisturbed only from the instant at which it resumes.
        if wasTerminal, !isTerminal { disturb(event) }
    }

    private mutating func set<Value>(_ flag: WritableKeyPath<Circumstances, Value>, _ value: Value, _ event: TraceEvent)
    {
        self[keyPath: flag] = value
        disturb(event)
    }

    private mutating func change(_ flag: WritableKeyPath<Circumstances, Bool>, _ event: TraceEvent) {
        guard case .set(let value) = event.observation.change, let isOn = value.boolValue else { return }
        set(flag, isOn, event)
        lastConnectTrigger = event.index
    }

    private mutating func ask(_ event: TraceEvent, _ body: (inout Circumstances) -> Void) {
        body(&self)
        lastConnectTrigger = event.index
        disturb(event)
    }

    private mutating func disturb(_ event: TraceEvent) {
        lastDisturbance = max(lastDisturbance, event.time)
    }
}
