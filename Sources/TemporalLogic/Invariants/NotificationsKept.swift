import SquallCore
import Trace

/// `notifications_kept`: each message causes one notification, in its conversation's group, and none while that
/// conversation is on the screen.
struct NotificationsKept: StandingInvariant {
    let interest = InvariantKinds(
        .pushArrived,
        .notified,
        .notificationThread,
        .viewing,
        .background,
        .foreground,
        .user,
        .started,
        .killed
    )
    private var record = Record(until: "the client notified nothing")
    private var conversations: [String: String] = [:]
    private var notified: [String: Int] = [:]
    private var viewing: String?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .pushArrived:
            if let key = event.key { conversations[key] = event.fields?["conversation"]?.stringValue }
        case .notified: notify(event, circumstances)
        case .notificationThread:
            guard let key = event.key, case .set(.null) = event.observation.change, notified[key] != nil else { return }
            record.violate(
                "the notification of message \(key) belonged to no conversation at \(event.time)",
                events: [event.index]
            )
        case .viewing:
            if case .set(let value) = event.observation.change { viewing = value.stringValue }
        case .user: notified = [:]
        case .killed: viewing = nil
        default: break
        }
    }

    private mutating func notify(_ event: TraceEvent, _ circumstances: Circumstances) {
        guard let key = event.key, event.fields?["presentation"]?.arrayValue?.isEmpty == false else { return }
        record.keep()
        defer { notified[key] = event.index }
        // A device whose client does not run shows every push; a second one replaces the first.
        guard circumstances.isRunning, !circumstances.isSuspended else { return }
        if let before = notified[key] {
            record.violate("message \(key) was notified a second time at \(event.time)", events: [before, event.index])
        }
        guard let viewing, conversations[key] == viewing, !circumstances.isInBackground else { return }
        record.violate(
            "message \(key) was notified at \(event.time), although its conversation \(viewing) was on the screen",
            events: [event.index]
        )
    }
}
