import SquallCore
import Trace

/// `auth_bounded`: a client does not send a refused credential again on its own.
struct AuthBounded: StandingInvariant {
    let interest = InvariantKinds(.receivedAuthError, .receivedConnected, .sentConnect, .started)
    private let allowed: Int
    private var record = Record(until: "no credential was refused")
    /// The first refusal, and the number of times the credential was sent since.
    private var refusal: (event: Int, offers: Int)?

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
        if let refusal, circumstances.lastAsk > refusal.event { self.refusal = nil }
        switch kind {
        case .receivedAuthError:
            record.keep()
            if refusal == nil { refusal = (event.index, 0) }
        case .sentConnect:
            guard var known = refusal else { return }
            known.offers += 1
            refusal = known
            guard known.offers > allowed else { return }
            record.violate(
                """
                the client sent a refused credential again at \(event.time), attempt \(known.offers) since the \
                refusal
                """,
                events: [known.event, event.index]
            )
        default: refusal = nil
        }
    }
}
