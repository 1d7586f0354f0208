import SquallCore
import Trace

/// `notifications_kept`: a message causes at most one notification, in its conversation's group, and none while that
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
        .killed,
        .otherEvent,
        .screen,
        .allowed,
        .act
    )
    private var record = FindingRecorder(until: "the client showed no notification")
    private var conversations: [String: String] = [:]
    private var notified: [String: Int] = [:]
    private var viewing: String?
    private var shown = LatestValues()
    private let displayDelay: TimeSpan
    private let isOwnClient: Bool
    /// The message of the notification that the user last tapped.
    private var tapped: String?
    private var found: (key: String, time: Instant, event: Int)?
    /// The instant at which the user last replied to a notification.
    private var replied: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        displayDelay = settings.displayDelay
        isOwnClient = settings.isOwnClient
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { found.map { $0.time + displayDelay } }

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
        case .killed, .started:
            if kind == .killed { viewing = nil }
            (tapped, found) = (nil, nil)
        case .screen:
            if event.name == "notifications" || event.name == "highlight.target" { shown.apply(event) }
        case .otherEvent: follow(event)
        case .allowed: if event.name == "user.reply" { replied = event.time }
        // A phone that reboots loses its notifications.
        case .act: if event.name == "device.reboot" { shown = LatestValues() }
        default: break
        }
    }

    private mutating func notify(_ event: TraceEvent, _ circumstances: Circumstances) {
        guard let key = event.key, event.fields?["presentation"]?.arrayValue?.isEmpty == false else { return }
        record.recordCheck()
        defer { notified[key] = event.index }
        // While the client is not running, the device itself shows every push notification; a second one for a message
        // replaces the first.
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

    private mutating func follow(_ event: TraceEvent) {
        guard let key = event.key else { return }
        switch event.name {
        case "client.notification_tapped": tapped = key
        case "client.notification_absent":
            guard replied == event.time, shown.list("notifications").contains(.string(key)) else { return }
            record.violate(
                "the notification of message \(key) was on the phone and could not be answered at \(event.time)",
                events: [event.index]
            )
        case "client.search.ended":
            guard isOwnClient, tapped == key, event.fields?["outcome"] == "found" else { return }
            found = (key, event.time, event.index)
        default: break
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let found else { return }
        self.found = nil
        tapped = nil
        record.recordCheck()
        guard shown.text("highlight.target") != found.key else { return }
        record.violate(
            "message \(found.key) of a tapped notification was found at \(found.time) and not highlighted",
            events: [found.event]
        )
    }
}
