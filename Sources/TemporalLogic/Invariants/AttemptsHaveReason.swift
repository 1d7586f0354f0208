import SquallCore
import Trace

/// `attempts_have_reason`: no attempt without a network or before the time that the server has asked for, and one as
/// soon as the device has changed to another network.
struct AttemptsHaveReason: StandingInvariant {
    let interest = InvariantKinds(
        .attemptBegan,
        .attemptFailed,
        .disconnected,
        .connectionState,
        .reachable,
        .receivedDraining,
        .asked,
        .background,
        .suspended,
        .left,
        .signedOut,
        .started,
        .killed
    )
    private let limit: TimeSpan
    private let awaitsDrain: Bool
    private var record = Record(until: "the client made no attempt")
    /// The event that reported the loss of the network; nil while there is one.
    private var offline: Int?
    /// An attempt without a network, and its time; the network's return may be reported after it, at the same instant.
    private var blind: (time: Instant, event: Int)?
    /// The time before which the server has asked the client not to connect.
    private var notBefore: (until: Instant, event: Int)?
    /// The change to another network that the client has not reacted to.
    private var handoff: (time: Instant, event: Int)?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        awaitsDrain = settings.awaitsDrain
        limit = settings.superseding + tolerance.of(settings.superseding)
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { (blind?.time).or(sooner: handoff.map { $0.time + limit }) }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .attemptBegan: attempt(event, circumstances)
        case .receivedDraining, .attemptFailed:
            guard awaitsDrain, let span = event.fields?["retry_after"]?.intValue, span > 0 else { return }
            notBefore = (event.time + TimeSpan(nanoseconds: span), event.index)
        case .reachable:
            guard case .set(let value) = event.observation.change else { return }
            offline = value == false ? event.index : nil
            if offline != nil { handoff = nil } else { blind = nil }
        case .asked:
            guard event.name == "device.handoff", circumstances.state == "connected", circumstances.calmSince != nil
            else { return }
            handoff = (event.time, event.index)
        case .connectionState: break
        case .started, .killed:
            offline = nil
            blind = nil
            notBefore = nil
            handoff = nil
        default: handoff = nil
        }
    }

    private mutating func attempt(_ event: TraceEvent, _ circumstances: Circumstances) {
        record.keep()
        handoff = nil
        if offline != nil, blind == nil { blind = (event.time, event.index) }
        if let notBefore, event.time < notBefore.until, circumstances.lastAsk < notBefore.event {
            record.violate(
                "client.attempt.began at \(event.time), although the server had asked the client not to come back before "
                    + "\(notBefore.until)",
                events: [notBefore.event, event.index]
            )
        }
        notBefore = nil
    }

    mutating func expire(_ circumstances: Circumstances) {
        if let blind, handoff.map({ blind.time <= $0.time + limit }) ?? true {
            self.blind = nil
            return record.violate(
                "client.attempt.began at \(blind.time), although the client knew of no network",
                events: [offline ?? -1, blind.event]
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
