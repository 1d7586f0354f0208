import SquallCore
import Trace

/// `read_by_the_user`: a message is reported as read only after it has been on the screen, and messages on the screen
/// do not count as unread.
struct ReadByTheUser: StandingInvariant {
    let interest = InvariantKinds(
        .receivedOther,
        .sentOther,
        .screen,
        .unread,
        .accepted,
        .background,
        .foreground,
        .locked,
        .unlocked,
        .allowed,
        .resumed,
        .otherEvent,
        .done,
        .user,
        .signedIn,
        .started,
        .killed,
        .woke
    )
    private let displayDelay: TimeSpan
    private let readsOnOpening: Bool
    private var record = FindingRecorder(until: "the client reported no message as read")
    private var shown = LatestValues()
    private var isInForeground = true
    private var isLocked = false
    /// The name of the event that started the process; `user.reply` starts the app in the background.
    private var starter: String?
    /// The conversation on the screen. `left` contains, for every other conversation, the instant at which the user
    /// last left it.
    private var watched: String?
    private var left: [String: Instant] = [:]
    private var arrivals: [String: Instant] = [:]
    /// Whether the app has left the foreground or returned to it while the client was suspended. The client learns of
    /// this only when it wakes.
    private var hasChangedUnnoticed = false
    /// The last instant at which the client woke without knowing that the app had left the foreground or returned to
    /// it. Messages that it receives at that instant may have arrived before the change.
    private var wokeUnaware: Instant?
    /// The user that the process last reported; nil until the first report, which does not count as a change of user.
    private var user: String?
    /// The messages that the signed-in user has sent.
    private var own: Set<String> = []
    /// The current instant, and the first event at that instant that changed the screen or an unread count; nil if
    /// there was no such event. `before` is the conversation that was on the screen before the change.
    private var now: (time: Instant, event: Int, before: String?)?
    private var counts: [String: Int64] = [:]
    private var changed: [String: Int64] = [:]
    /// Whether the server has rejected a request to mark messages as read since the unread counts were last checked.
    private var isRefused = false

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        displayDelay = settings.displayDelay
        readsOnOpening = settings.readsOnOpening
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { now.map { $0.time + displayDelay } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .started, .killed:
            if kind == .killed { starter = nil }
            (shown, watched, left, arrivals, now) = (LatestValues(), nil, [:], [:], nil)
            (counts, changed, isRefused, user) = ([:], [:], false, nil)
            (hasChangedUnnoticed, wokeUnaware) = (false, nil)
            // A reply to a notification starts the app in the background.
            isInForeground = starter != "user.reply"
        case .user:
            guard case .set(let value) = event.observation.change else { return }
            defer { user = value.stringValue }
            if let user, user != value.stringValue { forgetUser() }
        case .signedIn: forgetUser()
        case .locked, .unlocked:
            isLocked = kind == .locked
            hasChangedUnnoticed = hasChangedUnnoticed || circumstances.isSuspended
            screenChanged(event)
        case .background, .foreground:
            isInForeground = kind == .foreground
            hasChangedUnnoticed = hasChangedUnnoticed || circumstances.isSuspended
            screenChanged(event)
        case .woke:
            if hasChangedUnnoticed { wokeUnaware = event.time }
            hasChangedUnnoticed = false
        case .otherEvent where event.name == "client.notification_tapped":
            isInForeground = true
            screenChanged(event)
        case .otherEvent where event.name == "client.notification_absent": starter = nil
        // `user.tap` is not among these actions, because there may be no notification to tap.
        case .allowed where event.name == "user.reply", .resumed where event.name == "device.start":
            starter = starter ?? event.name
        case .done:
            if event.name == "client.answered.mark_read", event.fields?["status"]?.intValue ?? 0 >= 400 {
                isRefused = true
            }
        case .receivedOther:
            guard event.name == "client.received.message", let key = event.key else { return }
            if let wokeUnaware, event.time - wokeUnaware <= displayDelay { return }
            arrivals[key] = event.time
        case .sentOther: if event.name == "client.sent.read_receipt" { report(event) }
        case .unread: count(event)
        case .accepted: if let key = event.key { own.insert(key) }
        case .screen where ["view.conversation", "view.active", "scroll.anchor"].contains(event.name):
            shown.apply(event)
            screenChanged(event)
        case .screen where ["deep_link.pending", "deep_link.error"].contains(event.name): shown.apply(event)
        default: break
        }
    }

    /// From now on, the previous user's messages count as another user's messages.
    private mutating func forgetUser() { (arrivals, counts, changed, own) = ([:], [:], [:], []) }

    private mutating func screenChanged(_ event: TraceEvent) {
        begin(event)
        let open = shown.text("view.conversation").flatMap { shown["view.active", $0] == false ? nil : $0 }
        let next = isInForeground && !isLocked ? open : nil
        guard next != watched else { return }
        if let watched { left[watched] = event.time }
        watched = next
    }

    /// Whether the client is about to show the conversation of a tapped notification in place of the one that is open.
    private var isFollowingTap: Bool {
        shown.text("deep_link.pending") != nil && shown.text("deep_link.error") == nil
    }

    private mutating func begin(_ event: TraceEvent) {
        if now?.time != event.time { now = (event.time, event.index, watched) }
    }

    private mutating func report(_ event: TraceEvent) {
        guard let key = event.key, let conversation = event.fields?["conversation"]?.stringValue else { return }
        record.recordCheck()
        if own.contains(key) {
            record.violate(
                "client.sent.read_receipt[\(key)] at \(event.time) is for a message that the user had sent",
                events: [event.index]
            )
        }
        guard let arrival = arrivals[key], watched != conversation, left[conversation] ?? .zero < arrival else {
            return
        }
        record.violate(
            "client.sent.read_receipt[\(key)] at \(event.time), although \(conversation) was not on the screen since the "
                + "message arrived at \(arrival)",
            events: [event.index]
        )
    }

    private mutating func count(_ event: TraceEvent) {
        guard let key = event.key, case .set(let value) = event.observation.change, let count = value.intValue else {
            return
        }
        begin(event)
        if changed[key] == nil { changed[key] = counts[key] ?? 0 }
        counts[key] = count
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let now else { return }
        defer { (self.now, changed, isRefused) = (nil, [:], false) }
        guard let watched, !isRefused, circumstances.isRunning, !circumstances.isSuspended else { return }
        let count = counts[watched] ?? 0
        if now.before == watched, changed[watched] == 0, count > 0, shown["scroll.anchor"]?.stringValue == nil {
            record.violate(
                "unread[\(watched)] rose to \(count) at \(now.time), while the conversation was on the screen",
                events: [now.event]
            )
        } else if now.before != watched, readsOnOpening, !isFollowingTap {
            record.recordCheck()
            guard count > 0 else { return }
            record.violate(
                "unread[\(watched)] was \(count) at \(now.time), when the conversation came onto the screen",
                events: [now.event]
            )
        }
    }
}
