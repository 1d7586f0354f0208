import SquallCore
import Trace

/// `honest_ui`: the client shows its connection state, its message statuses and its progress indicators correctly.
struct HonestUI: StandingInvariant {
    let interest: InvariantKinds
    private let isOwnClient: Bool
    private let deadTime: TimeSpan?
    private let displayDelay: TimeSpan?
    private var record = FindingRecorder(until: "the client showed no status to check")
    /// The last frame that the client received while it showed `connected` in the foreground; nil in any other state.
    private var lastFrame: (time: Instant, event: Int)?
    private var syncing: (since: Instant, event: Int)?
    private var refreshing: (since: Instant, event: Int)?
    private var undisturbedSince: Instant?
    /// Whether a ping has been answered on this connection.
    private var hasPong = false
    private var showsRoundTrip = false
    private var roundTrip: (time: Instant, event: Int)?
    private let showing: TimeSpan

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        deadTime = settings.deadTime.map { $0 + tolerance.of($0) }
        displayDelay = settings.liveness.map { $0 + tolerance.of($0) }
        showing = settings.displayDelay
        isOwnClient = settings.isOwnClient
        let kinds = Circumstances.kinds.union(.received).union(
            InvariantKinds(.messageStatus, .syncInFlight, .refreshInFlight, .disconnected, .screen, .connected)
        )
        interest = isOwnClient ? kinds : kinds.union(InvariantKinds(.serverSent))
    }

    var finding: Finding { record.finding }

    private var deadAt: Instant? { deadTime.flatMap { limit in lastFrame.map { $0.time + limit } } }

    private func stuckAt(_ work: (since: Instant, event: Int)?) -> Instant? {
        guard let work, let displayDelay, let undisturbedSince else { return nil }
        return max(work.since, undisturbedSince) + displayDelay
    }

    var deadline: Instant? {
        deadAt.or(sooner: stuckAt(syncing)).or(sooner: stuckAt(refreshing)).or(sooner: roundTripAt)
    }

    private var roundTripAt: Instant? { roundTrip.map { $0.time + showing } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        undisturbedSince = circumstances.connectedUndisturbedSince
        if kind == .connected {
            hasPong = false
            if showsRoundTrip { roundTrip = (event.time, event.index) }
        }
        if kind == .receivedPong { hasPong = true }
        switch kind {
        case .screen:
            guard event.name == "connection.rtt", case .set(let value) = event.observation.change else { return }
            showsRoundTrip = !value.isNull
            roundTrip = value.isNull || hasPong ? nil : (event.time, event.index)
        case .messageStatus: judgeStatus(event, circumstances, messages)
        case .syncInFlight: syncing = follow(event, syncing)
        case .refreshInFlight: refreshing = follow(event, refreshing)
        case .disconnected, .killed, .started:
            lastFrame = nil
            roundTrip = nil
            if kind != .disconnected {
                showsRoundTrip = false
                syncing = nil
                refreshing = nil
            }
        case .suspended, .background: lastFrame = nil
        default:
            guard circumstances.state == "connected", circumstances.isRunning, !circumstances.isSuspended,
                !circumstances.isInBackground
            else { return lastFrame = nil }
            // A suspended client cannot check its connection, so the time limit for a silent connection (`deadTime`)
            // restarts when the client wakes.
            let isHeard = kind.isReceived || kind == .serverSent && isPolling(circumstances)
            guard isHeard || lastFrame == nil || kind == .woke || kind == .foreground else { return }
            lastFrame = (event.time, event.index)
            if deadTime != nil { record.recordCheck() }
        }
    }

    /// Returns whether a third-party client may be polling over HTTP. The trace does not show what such a client
    /// receives, so everything that the server sends counts as received.
    private func isPolling(_ circumstances: Circumstances) -> Bool {
        !isOwnClient && ["none", nil].contains(circumstances.link)
    }

    private mutating func judgeStatus(_ event: TraceEvent, _ circumstances: Circumstances, _ messages: MessageLedger) {
        guard case .set(let status) = event.observation.change, status == "delivered", circumstances.seesServer,
            let key = event.key, let fate = messages.fate(of: key), fate.isAccepted
        else { return }
        record.recordCheck()
        guard !fate.isStored, !circumstances.wasCorrupted else { return }
        record.violate(
            "message.status[\(key)] delivered at \(event.time), although the server had not stored it",
            events: [event.index]
        )
    }

    private mutating func follow(_ event: TraceEvent, _ work: (since: Instant, event: Int)?) -> (
        since: Instant, event: Int
    )? {
        guard case .set(let value) = event.observation.change else { return work }
        guard value == true else { return nil }
        record.recordCheck()
        return work ?? (event.time, event.index)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let latest = deadline else { return }
        if let found = roundTrip, roundTripAt == latest {
            roundTrip = nil
            guard circumstances.state == "connected", !hasPong else { return }
            record.violate(
                "connection.rtt was shown at \(found.time), before a ping was answered on this connection",
                events: [found.event]
            )
        } else if deadAt == latest, let lastFrame, let deadTime {
            self.lastFrame = nil
            record.violate(
                "connection.state was connected at \(latest), although the server had sent nothing since "
                    + "\(lastFrame.time); expected another state within \(deadTime)",
                by: latest,
                events: [lastFrame.event]
            )
        } else {
            let isSync = stuckAt(syncing) == latest
            guard let work = isSync ? syncing : refreshing, let displayDelay else { return }
            if isSync { syncing = nil } else { refreshing = nil }
            record.violate(
                "\(isSync ? "sync" : "refresh").in_flight since \(work.since), and still at \(latest); expected an end "
                    + "within \(displayDelay)",
                by: latest,
                events: [work.event]
            )
        }
    }
}
