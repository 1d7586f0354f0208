import SquallCore
import Trace

/// `auth_bounded`: a client does not send a rejected credential again on its own.
struct AuthBounded: StandingInvariant {
    let interest = InvariantKinds(
        .receivedAuthError,
        .receivedConnected,
        .sentConnect,
        .attemptFailed,
        .attemptBegan,
        .started,
        .screen,
        .done,
        .asked
    )
    private let allowed: Int
    private var record = FindingRecorder(until: "no credential was refused")
    private var refusal: Rejection?
    /// Whether a credential has been rejected since the client's process was started, by any kind of response.
    private var wasRejected = false
    /// Whether the user has set a key since the server last accepted one. The key may be empty; a client that starts
    /// with an empty key may ask the user for one even if the server has not rejected any.
    private var isKeyUntried = false

    /// The first rejection of a credential.
    private struct Rejection {
        let event: Int
        /// Whether the server answered the upgrade with 401. If so, the next attempt counts as sending the credential
        /// again; otherwise the next login does.
        let isOfUpgrade: Bool
        /// The number of times that the credential has been sent since the rejection.
        var offers = 0
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        allowed = settings.authRetries
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        if let refusal, circumstances.lastConnectTrigger > refusal.event { self.refusal = nil }
        switch kind {
        case .screen: ask(event)
        case .done: if event.fields?["status"] == 401 { wasRejected = true }
        // The user may have set an empty key. The client may then ask for a credential even if the server has not
        // rejected one.
        case .asked:
            guard event.name == "user.set_key" else { return }
            wasRejected = true
            isKeyUntried = true
        case .receivedAuthError: refuse(event, isOfUpgrade: false)
        case .attemptFailed:
            // In a protocol without an auth-error frame, the server rejects a credential with the close code 1008.
            if event.fields?["failure"] == "closed_1008" { wasRejected = true }
            // Only clients that report their attempts are checked: any other client may use a library that handles a
            // 401 response in its own way.
            guard event.observation.provenance == .reported, event.fields?["failure"] == "http_401" else { return }
            refuse(event, isOfUpgrade: true)
        case .sentConnect: offer(event, isOfUpgrade: false)
        case .attemptBegan: offer(event, isOfUpgrade: true)
        default:
            refusal = nil
            if kind == .started { wasRejected = isKeyUntried } else { isKeyUntried = false }
        }
    }

    /// Checks that the user is asked for another credential only after the server has rejected one.
    private mutating func ask(_ event: TraceEvent) {
        guard event.name == "auth.requires_reauth", case .set(true) = event.observation.change, !wasRejected else {
            return
        }
        record.violate(
            "auth.requires_reauth was true at \(event.time), although no credential had been refused",
            events: [event.index]
        )
    }

    private mutating func refuse(_ event: TraceEvent, isOfUpgrade: Bool) {
        record.recordCheck()
        wasRejected = true
        if refusal == nil { refusal = Rejection(event: event.index, isOfUpgrade: isOfUpgrade) }
    }

    private mutating func offer(_ event: TraceEvent, isOfUpgrade: Bool) {
        guard var known = refusal, known.isOfUpgrade == isOfUpgrade else { return }
        known.offers += 1
        refusal = known
        guard known.offers > allowed else { return }
        record.violate(
            "the client sent a rejected credential again at \(event.time), attempt \(known.offers) since the rejection",
            events: [known.event, event.index]
        )
    }
}
