import SquallCore
import Trace

/// The verdict on one invariant in a run.
package struct InvariantVerdict: Hashable, Sendable {
    package let name: InvariantName
    package let verdict: Verdict
}

/// Checks all standing invariants of all clients as the events of a trace arrive.
struct InvariantSet: Sendable {
    private let settings: InvariantSettings
    private let clients: [ClientID]
    private var watches: [ClientInvariants]

    init(_ settings: InvariantSettings, clients: [ClientID], tolerance: Tolerance = .none) {
        self.settings = settings
        self.clients = clients
        watches = clients.map { ClientInvariants($0, settings, tolerance) }
    }

    /// The kind of an event, and the clients whose invariants read it.
    struct Audience: Sendable {
        fileprivate let kind: InvariantKind
        /// The index of the client whose invariants read the event; nil if the event may be relevant to several
        /// clients.
        fileprivate let place: Int?
    }

    struct AudienceCache: Sendable {
        private let places: [ClientID: Int]
        /// The cache of kinds, indexed by the number assigned to the event name.
        private var kinds: [InvariantKind??] = []

        init(_ clients: [ClientID]) {
            places = Dictionary(clients.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Returns the kind of an event and the client whose invariants read it; nil if no invariant reads the event.
        mutating func concern(of event: TraceEvent, _ route: EventRoute) -> Audience? {
            guard let kind = kind(of: event.name, route.name) else { return nil }
            guard let client = event.client, !kind.concernsAll else { return Audience(kind: kind, place: nil) }
            return places[client].map { Audience(kind: kind, place: $0) }
        }

        private mutating func kind(of name: String, _ number: Int) -> InvariantKind? {
            if number < kinds.count, let known = kinds[number] { return known }
            let kind = InvariantKind(name)
            while kinds.count <= number { kinds.append(nil) }
            kinds[number] = .some(kind)
            return kind
        }
    }

    /// Observes the next event of the trace that an invariant reads.
    mutating func observe(_ event: TraceEvent, _ concern: Audience) {
        if let place = concern.place {
            watches[place].observe(event, concern.kind)
        } else if let named = event.fields?["clients"]?.arrayValue {
            // The event is passed only to the clients that the fault affects.
            for place in watches.indices where named.contains(.string(clients[place].description)) {
                watches[place].observe(event, concern.kind)
            }
        } else {
            for place in watches.indices { watches[place].observe(event, concern.kind) }
        }
    }

    /// Advances the current time to `time` and expires all earlier deadlines.
    mutating func expire(before time: Instant) {
        for place in watches.indices { watches[place].expire(before: time) }
    }

    /// Whether any invariant has been violated, apart from those that the settings waive or hide.
    var isViolated: Bool {
        watches.contains { watch in
            watch.violated.contains { index in
                let name = InvariantName.allCases[index]
                return settings.waived[name] == nil && settings.hidden[name] == nil
            }
        }
    }

    /// Ends the run and returns the verdicts in the order of ``InvariantName/allCases``.
    mutating func finish(at end: Instant) -> [InvariantVerdict] {
        for place in watches.indices { watches[place].finish(at: end) }
        return verdicts
    }

    /// The verdicts so far, in the order of ``InvariantName/allCases``. If several clients violate the same invariant,
    /// the violation by the first of them is reported.
    var verdicts: [InvariantVerdict] {
        InvariantName.allCases.enumerated().map { index, name in
            if let why = settings.waived[name] {
                return InvariantVerdict(name: name, verdict: .skipped("waived: \(why)"))
            }
            if let why = settings.hidden[name] { return InvariantVerdict(name: name, verdict: .skipped(why)) }
            return InvariantVerdict(name: name, verdict: verdict(of: index))
        }
    }

    private func verdict(of index: Int) -> Verdict {
        var isKept = false
        var silence = "there is no client"
        for place in watches.indices {
            switch watches[place].finding(of: index) {
            case .nothing(let why): silence = why
            case .kept: isKept = true
            case .violated(var reason):
                if clients[place] != .only { reason.text = "\(clients[place]): \(reason.text)" }
                return Verdict(.fail, reason)
            }
        }
        return isKept ? Verdict(.pass, Reason("")) : .skipped(silence)
    }
}

/// The invariants of one client, with the circumstances and messages that they read.
private struct ClientInvariants: Sendable {
    private var circumstances: Circumstances
    private var messages: MessageLedger
    private var monitors: InvariantMonitors

    init(_ client: ClientID, _ settings: InvariantSettings, _ tolerance: Tolerance) {
        circumstances = Circumstances(settings)
        messages = MessageLedger(of: nil, for: client)
        monitors = InvariantMonitors(settings, tolerance)
    }

    func finding(of index: Int) -> Finding { monitors.finding(of: index) }

    /// The indices of the invariants that have been violated.
    var violated: [Int] { monitors.violated }

    mutating func expire(before time: Instant) {
        if time > monitors.nextDue { monitors.expire(before: time, circumstances) }
    }

    mutating func observe(_ event: TraceEvent, _ kind: InvariantKind) {
        expire(before: event.time)
        circumstances.observe(event, kind)
        switch kind {
        case .serverStored, .accepted, .messageList, .messageStatus, .pushed:
            _ = messages.observe(event, isInside: true)
        case .serverForgot: messages.forget()
        case .faultBegan, .faultEnded, .networkFrames: messages.networkAltersBytes(circumstances.isCorrupted)
        default: break
        }
        monitors.observe(event, kind, circumstances, messages)
    }

    mutating func finish(at end: Instant) {
        monitors.finish(at: end, circumstances, messages)
    }
}

/// The invariants of one client. Each invariant receives the events that it reads and is called when its deadline
/// passes.
private struct InvariantMonitors: Sendable {
    /// The invariants, in the order of ``InvariantName/allCases``.
    private var monitors: [any StandingInvariant]
    private let interests: [InvariantKinds]
    /// The deadline of each invariant; `never` if it has none.
    private var deadlines: [Instant]
    private(set) var nextDue = Instant.never
    /// The indices of the invariants that have been violated, in the order of the violations.
    private(set) var violated: [Int] = []

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        let monitors = InvariantName.allCases.map { $0.makeMonitor(settings, tolerance) }
        self.monitors = monitors
        interests = monitors.map(\.interest)
        deadlines = monitors.map { _ in .never }
    }

    func finding(of index: Int) -> Finding { monitors[index].finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        var isMoved = false
        for index in interests.indices where interests[index].contains(kind) {
            let (deadline, isViolated) = monitors[index].take(event, kind, circumstances, messages)
            if isViolated { note(violationOf: index) }
            guard deadline != deadlines[index] else { continue }
            deadlines[index] = deadline
            isMoved = true
        }
        if isMoved { nextDue = deadlines.min() ?? .never }
    }

    /// Expires all deadlines before `time`.
    mutating func expire(before time: Instant, _ circumstances: Circumstances) {
        for index in monitors.indices {
            while deadlines[index] < time {
                monitors[index].expire(circumstances)
                if case .violated = monitors[index].finding { note(violationOf: index) }
                let next = monitors[index].deadline ?? .never
                // An invariant that does not move its deadline when it expires would expire again forever.
                deadlines[index] = next == deadlines[index] ? .never : next
            }
        }
        nextDue = deadlines.min() ?? .never
    }

    private mutating func note(violationOf index: Int) {
        if !violated.contains(index) { violated.append(index) }
    }

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        expire(before: end + TimeSpan(nanoseconds: 1), circumstances)
        for index in monitors.indices { monitors[index].finish(at: end, circumstances, messages) }
    }
}

extension StandingInvariant {
    /// Observes an event and returns the new deadline, and whether the invariant is violated.
    ///
    /// A single mutating call does all of this, because reading a property through an existential would copy the value.
    fileprivate mutating func take(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) -> (deadline: Instant, isViolated: Bool) {
        observe(event, kind, circumstances, messages)
        if case .violated = finding { return (deadline ?? .never, true) }
        return (deadline ?? .never, false)
    }
}

extension InvariantName {
    fileprivate func makeMonitor(_ settings: InvariantSettings, _ tolerance: Tolerance) -> any StandingInvariant {
        switch self {
        case .acceptedNeverLost: AcceptedNeverLost(settings, tolerance)
        case .noDuplicateEffect: NoDuplicateEffect(settings, tolerance)
        case .order: OrderKept(settings, tolerance)
        case .honestUI: HonestUI(settings, tolerance)
        case .oneLiveTransport: OneLiveTransport(settings, tolerance)
        case .liveness: Liveness(settings, tolerance)
        case .terminalMeansStop: TerminalMeansStop(settings, tolerance)
        case .backoffEnvelope: BackoffEnvelope(settings, tolerance)
        case .noSilentGap: NoSilentGap(settings, tolerance)
        case .subscriptionsFollowSession: SubscriptionsFollowSession(settings, tolerance)
        case .oldTransportDead: OldTransportDead(settings, tolerance)
        case .authBounded: AuthBounded(settings, tolerance)
        case .livenessNotFooled: LivenessNotFooled(settings, tolerance)
        case .statesWellFormed: StatesWellFormed(settings, tolerance)
        case .filesStoredOnce: FilesStoredOnce(settings, tolerance)
        case .convergence: Convergence(settings, tolerance)
        case .processSurvives: ProcessSurvives(settings, tolerance)
        case .waitsEnd: WaitsEnd(settings, tolerance)
        case .countsAddUp: CountsAddUp(settings, tolerance)
        case .attemptsHaveReason: AttemptsHaveReason(settings, tolerance)
        case .frugal: Frugal(settings, tolerance)
        case .notificationsKept: NotificationsKept(settings, tolerance)
        case .cleanEnds: CleanEnds(settings, tolerance)
        case .troubleIsTold: TroubleIsTold(settings, tolerance)
        case .surfacesAgree: SurfacesAgree(settings, tolerance)
        case .toldToTheServer: ToldToTheServer(settings, tolerance)
        case .screenKeepsPlace: ScreenKeepsPlace(settings, tolerance)
        case .oneAtATime: OneAtATime(settings, tolerance)
        case .serverKeepsPromises: ServerKeepsPromises(settings, tolerance)
        case .readByTheUser: ReadByTheUser(settings, tolerance)
        case .noSecretInAddress: NoSecretInAddress(settings, tolerance)
        }
    }
}
