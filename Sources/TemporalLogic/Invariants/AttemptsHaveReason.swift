import SquallCore
import Trace

/// `attempts_have_reason`: the client makes no connection attempt while it has no network or before the time that the
/// server has requested. It attempts to connect as soon as the device switches to another network.
struct AttemptsHaveReason: StandingInvariant {
    let interest = InvariantKinds(
        .attemptBegan,
        .attemptFailed,
        .disconnected,
        .connectionState,
        .reachable,
        .receivedDraining,
        .asked,
        .resumed,
        .background,
        .suspended,
        .left,
        .signedOut,
        .started,
        .killed,
        .captive,
        .connected,
        .screen,
        .sentPing,
        .receivedPong
    )
    private let limit: TimeSpan
    private let awaitsDrain: Bool
    private var record = FindingRecorder(until: "the client made no attempt")
    /// The index of the event that reported the loss of the network; nil while a network is available.
    private var offline: Int?
    /// A connection attempt that was made without a network. It is checked after all events of its instant, because one
    /// of them may report that the network has returned.
    private var offlineAttempt: (time: Instant, event: Int)?
    /// The time before which the server has asked the client not to connect.
    private var notBefore: (until: Instant, event: Int)?
    /// The last switch to another network; nil once the client has reacted to it.
    private var handoff: (time: Instant, event: Int)?
    /// The index of the event that reported a captive portal; nil while there is none.
    private var portal: Int?
    /// The number of failed attempts and lost connections since the client last connected. A connection does not count
    /// as lost if the server had announced its end.
    private var failures: Int64 = 0
    private var isDraining = false
    private var count: (value: Int64, time: Instant, event: Int)?
    /// Whether the user has asked a suspended client to reconnect; the client does so when it wakes.
    private var reconnectsOnWaking = false
    /// The unanswered pings, oldest first.
    private var pings: [(id: JSON?, time: Instant)] = []
    private let pongLimit: TimeSpan?
    private let displayDelay: TimeSpan

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        awaitsDrain = settings.awaitsDrain
        pongLimit = settings.requiresServerTraffic ? nil : settings.pongLimit
        displayDelay = settings.displayDelay
        limit = settings.closeTimeout + tolerance.of(settings.closeTimeout)
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { (offlineAttempt?.time).or(sooner: handoff.map { $0.time + limit }).or(sooner: countedAt) }

    private var countedAt: Instant? { count.map { $0.time + displayDelay } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .attemptBegan: attempt(event, circumstances)
        case .sentPing: if event.fields?["link"] == nil { pings.append((event.fields?["id"], event.time)) }
        case .receivedPong: answered(event.fields?["id"])
        case .connected: (failures, isDraining, pings) = (0, false, [])
        case .captive:
            guard case .set(let value) = event.observation.change else { return }
            portal = value == true ? event.index : nil
        case .screen:
            guard event.name == "connection.attempt", case .set(let value) = event.observation.change else { return }
            count = value.intValue.map { ($0, event.time, event.index) }
        case .disconnected:
            if !isDraining { failures += 1 }
            checkPongTimeout(event)
            handoff = nil
        case .receivedDraining, .attemptFailed:
            if kind == .attemptFailed { failures += 1 } else { isDraining = true }
            guard awaitsDrain, let span = event.fields?["retry_after"]?.intValue, span > 0 else { return }
            notBefore = (event.time + TimeSpan(nanoseconds: span), event.index)
        case .reachable:
            guard case .set(let value) = event.observation.change else { return }
            offline = value == false ? event.index : nil
            if offline != nil { handoff = nil } else { offlineAttempt = nil }
        case .resumed: reconnectsOnWaking = circumstances.isSuspended
        case .asked:
            guard event.name == "device.handoff", circumstances.state == "connected",
                circumstances.undisturbedSince != nil
            else { return }
            handoff = (event.time, event.index)
        case .connectionState: break
        case .started, .killed:
            offline = nil
            offlineAttempt = nil
            notBefore = nil
            handoff = nil
            (portal, failures, isDraining, count, pings) = (nil, 0, false, nil, [])
        default: handoff = nil
        }
    }

    /// Removes the ping that a pong with this id answers, and all earlier pings. A pong without an id removes the
    /// oldest ping; a pong with an unknown id, such as one that the network has altered, answers no ping.
    private mutating func answered(_ id: JSON?) {
        guard let id, !id.isNull else { return pings = Array(pings.dropFirst()) }
        guard let last = pings.firstIndex(where: { $0.id == id }) else { return }
        pings.removeFirst(last + 1)
    }

    /// Checks that the client waits for the full time limit before it disconnects because of a missing pong.
    private mutating func checkPongTimeout(_ event: TraceEvent) {
        defer { pings = [] }
        guard let pongLimit, event.fields?["failure"] == "pong_timeout" else { return }
        record.recordCheck()
        let oldest = pings.first?.time
        if let oldest, event.time - oldest >= pongLimit { return }
        let since = oldest.map { "the ping at \($0) may be answered for \(pongLimit)" } ?? "every ping was answered"
        record.violate(
            "client.disconnected for a missing pong at \(event.time), although \(since)",
            events: [event.index]
        )
    }

    private mutating func attempt(_ event: TraceEvent, _ circumstances: Circumstances) {
        record.recordCheck()
        handoff = nil
        if offline != nil, offlineAttempt == nil { offlineAttempt = (event.time, event.index) }
        if let portal, circumstances.lastConnectTrigger <= portal {
            record.violate(
                "client.attempt.began at \(event.time), although a captive portal kept the client from the server",
                events: [portal, event.index]
            )
        }
        if let notBefore, event.time < notBefore.until, circumstances.lastConnectTrigger < notBefore.event,
            !reconnectsOnWaking
        {
            record.violate(
                "client.attempt.began at \(event.time), although the server had asked the client to wait until "
                    + "\(notBefore.until)",
                events: [notBefore.event, event.index]
            )
        }
        (notBefore, reconnectsOnWaking) = (nil, false)
    }

    mutating func expire(_ circumstances: Circumstances) {
        if let count, deadline == countedAt {
            self.count = nil
            guard count.value > failures else { return }
            return record.violate(
                "connection.attempt was \(count.value) at \(count.time), after \(failures) failures",
                events: [count.event]
            )
        }
        if let offlineAttempt, handoff.map({ offlineAttempt.time <= $0.time + limit }) ?? true {
            self.offlineAttempt = nil
            return record.violate(
                "client.attempt.began at \(offlineAttempt.time), although the client had no network",
                events: [offline ?? -1, offlineAttempt.event]
            )
        }
        guard let found = handoff else { return }
        handoff = nil
        record.violate(
            "the device changed to another network at \(found.time), and the client stayed on its connection; expected an "
                + "attempt within \(limit)",
            by: found.time + limit,
            events: [found.event]
        )
    }
}
