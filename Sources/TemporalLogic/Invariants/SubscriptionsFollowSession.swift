import SquallCore
import Trace

/// `subscriptions_follow_session`: the client sends its login once on each connection, and no other frame before the
/// login is accepted.
struct SubscriptionsFollowSession: StandingInvariant {
    let interest = InvariantKinds(
        .attemptBegan,
        .attemptFailed,
        .disconnected,
        .connected,
        .receivedConnected,
        .sentConnect,
        .sentSync,
        .sentOther,
        .sentPing,
        .started,
        .killed
    )
    private var record = FindingRecorder(until: "the client never sent a login")
    private var isNew = false
    private var introduction: Int?
    private let isOwnClient: Bool

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        isOwnClient = settings.isOwnClient
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        // During a handover to a new connection, a client may still use the old one.
        if event.fields?["link"] != nil { return }
        switch kind {
        case .attemptBegan:
            isNew = true
            introduction = nil
        case .sentConnect:
            record.recordCheck()
            if let introduction {
                record.violate(
                    "\(event.name) a second time on one connection, at \(event.time)",
                    events: [introduction, event.index]
                )
            }
            introduction = event.index
        case .sentSync, .sentOther, .sentPing:
            // A third-party client's WebSocket library may ping every open connection.
            guard isNew, kind != .sentPing || isOwnClient else { return }
            record.violate("\(event.name) at \(event.time), before the connection was accepted", events: [event.index])
        case .connected, .receivedConnected: isNew = false
        default:
            isNew = false
            introduction = nil
        }
    }
}
