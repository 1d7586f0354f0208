import SquallCore
import Trace

/// `told_to_the_server`: the client reports to the server which messages it has received and read, and registers and
/// removes its push token.
struct ToldToTheServer: StandingInvariant {
    let interest = InvariantKinds(
        .receivedOther,
        .sentOther,
        .requested,
        .unread,
        .messageStatus,
        .screen,
        .otherEvent,
        .serverTokenSaved,
        .serverToken,
        .serverForgot,
        .user,
        .signedOut,
        .signOutAsked,
        .signInAsked,
        .attemptBegan,
        .disconnected,
        .suspended,
        .foreground,
        .allowed,
        .act,
        .done,
        .pushArrived,
        .faultFreePeriodBegan,
        .started,
        .killed
    )
    private let acknowledges: Bool
    private let reportsReading: Bool
    private let limit: TimeSpan?
    private let displayDelay: TimeSpan
    private let isOwn: Bool
    private var record = FindingRecorder(until: "the client had nothing to report to the server")
    /// The messages received on the current connection that the client has not acknowledged.
    private var unacknowledged: [String: TimedEvent] = [:]
    /// The messages that were received at the current instant and are not on disk yet, with their times of arrival.
    private var arrivals: [String: Instant] = [:]
    private var shown = LatestValues()
    /// The messages that arrived and the conversations that were read at the current instant; checked after all events
    /// of that instant.
    private var fresh: InstantChanges?
    /// The time at which each conversation was last read. `receipts` and `marks` contain the times of the last reports
    /// to the server, keyed by conversation and by URL respectively.
    private var readings: [String: TimedEvent] = [:]
    private var receipts: [String: Instant] = [:]
    private var marks: [String: Instant] = [:]
    /// The signed-in user. `registered` is the user whose account on the server contains this client's push token.
    private var user: String?
    private var hasNoUser = false
    private var registered: (user: String, event: Int)?
    private var tries: Int64?
    private var signOut: SignOut?
    /// The instant of the user's last action.
    private var lastAct: Instant?
    /// The instant at which the server last responded with an unread count.
    private var lastCounted: Instant?
    /// For each conversation, the messages that the client knows only from a push notification. The server does not
    /// have them, so they cannot be reported as read.
    private var onlyPushed: [String: Set<String>] = [:]

    private struct InstantChanges: Sendable {
        let time: Instant
        var arrived: [Arrival] = []
        var read: [String: Int] = [:]
        /// The index of the event at which the client tried to register the push token.
        var tried: Int?
    }

    private struct TimedEvent: Sendable {
        let time: Instant
        let event: Int
        /// The instant from which a read receipt covers this message. It may be long before ``time`` if the message was
        /// in transit. If nil, only a receipt at or after ``time`` counts.
        var coveredSince: Instant?
    }

    private struct Arrival: Sendable {
        let key: String
        let conversation: String
        let storedAt: Instant
        let event: Int
    }

    private struct SignOut: Sendable {
        var hasEndedSession: Int?
        var hasLeftToken = false
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        acknowledges = settings.acknowledges
        reportsReading = settings.reportsReading
        limit = settings.liveness.map { $0 + tolerance.of($0) }
        displayDelay = settings.displayDelay
        isOwn = settings.isOwnClient
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { fresh.map { $0.time + displayDelay } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .receivedOther where event.name == "client.received.message":
            // A client ignores messages that arrive before the server has answered its login.
            guard circumstances.state == nil || circumstances.liveSince != nil else { return }
            received(event, messages.fate(of: event.key ?? ""), canStore: circumstances.diskFullSince == nil)
        case .receivedOther where event.name == "client.received.read_receipt":
            // Another device of the user has reported the messages as read. A receipt from the conversation partner
            // concerns the user's own messages and is ignored.
            if let conversation = event.fields?["conversation"]?.stringValue,
                event.fields?["reader"]?.stringValue != conversation
            {
                receipts[conversation] = event.time
            }
        case .sentOther: sent(event)
        case .requested: requested(event)
        case .unread, .messageStatus: show(event)
        case .screen where event.name == "push_token.state": shown.apply(event)
        case .otherEvent: follow(event)
        case .serverTokenSaved:
            if let name = event.fields?["user"]?.stringValue, name == user ?? "" { registered = (name, event.index) }
        case .serverToken: if registered?.user == event.fields?["user"]?.stringValue { registered = nil }
        case .serverForgot: (registered, readings) = (nil, [:])
        case .user:
            guard case .set(let value) = event.observation.change else { return }
            user = value.stringValue
            hasNoUser = value.isNull
        case .signOutAsked, .signInAsked: signOut = SignOut()
        case .signedOut: signedOut(event)
        case .disconnected:
            if circumstances.wasUndisturbed { judgeAcknowledgements(before: event.time - Self.longest) }
            unacknowledged = [:]
        case .attemptBegan, .suspended: unacknowledged = [:]
        case .faultFreePeriodBegan: judge(at: event.time, circumstances)
        case .act, .allowed, .foreground: lastAct = event.time
        case .done:
            let route = event.name.split(separator: ".").last ?? ""
            if ["mark_read", "unread", "conversations"].contains(route) { lastCounted = event.time }
        case .pushArrived:
            guard let key = event.key, let conversation = event.fields?["conversation"]?.stringValue,
                messages.fate(of: key)?.isStored != true
            else { return }
            onlyPushed[conversation, default: []].insert(key)
        case .started, .killed:
            (unacknowledged, fresh, arrivals) = ([:], nil, [:])
            // If Squall's own client was killed, its next process reports the earlier reads once it is connected.
            readings = readings.filter { isOwn && !circumstances.maybeUnwritten($0.value.time, at: event.time) }
            shown = LatestValues()
            signOut = nil
        default: break
        }
    }

    // MARK: - Messages

    /// Handles a received message. `canStore` is false if the disk may be full; the client then need not acknowledge
    /// the message.
    private mutating func received(_ event: TraceEvent, _ fate: MessageFate?, canStore: Bool) {
        guard let key = event.key, event.fields?["link"] == nil else { return }
        if acknowledges, canStore, unacknowledged[key] == nil {
            unacknowledged[key] = TimedEvent(time: event.time, event: event.index)
            record.recordCheck()
        }
        // A message that the client has shown before is already on disk.
        if fate?.shownAt == nil { arrivals[key] = event.time }
        guard let conversation = event.fields?["conversation"]?.stringValue else { return }
        refresh(event.time)
        fresh?.arrived.append(
            Arrival(key: key, conversation: conversation, storedAt: fate?.storedAt ?? event.time, event: event.index)
        )
    }

    private mutating func refresh(_ time: Instant) {
        if fresh?.time != time { fresh = InstantChanges(time: time) }
    }

    private mutating func sent(_ event: TraceEvent) {
        guard let key = event.key else { return }
        switch event.name {
        case "client.sent.message_ack":
            unacknowledged[key] = nil
            checkStored(key, event)
        case "client.sent.read_receipt":
            if let conversation = event.fields?["conversation"]?.stringValue { receipts[conversation] = event.time }
            checkStored(key, event)
        default: break
        }
    }

    /// Checks that a message is not acknowledged at the instant of its arrival: writing it to disk takes time.
    private mutating func checkStored(_ key: String, _ event: TraceEvent) {
        guard isOwn, arrivals[key] == event.time else { return }
        record.violate(
            "\(event.name)[\(key)] at \(event.time), before the message that had just arrived was on disk",
            events: [event.index]
        )
    }

    private mutating func show(_ event: TraceEvent) {
        let before = event.key.flatMap { shown["unread", $0]?.intValue }
        shown.apply(event)
        guard event.name == "unread", let key = event.key, let before, shown["unread", key] == 0,
            before > onlyPushed[key]?.count ?? 0, lastAct == event.time, lastCounted != event.time
        else { return }
        refresh(event.time)
        fresh?.read[key] = event.index
    }

    private mutating func requested(_ event: TraceEvent) {
        let target = event.fields?["target"]?.stringValue ?? ""
        if event.name == "client.requested.mark_read" { marks[target] = event.time }
        guard event.name == "client.requested.push_token", let session = signOut?.hasEndedSession else { return }
        record.violate(
            "client.requested.push_token at \(event.time), after the session of its user had ended",
            events: [session, event.index]
        )
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let fresh else { return }
        self.fresh = nil
        arrivals = [:]
        // The server may have counted a message as read because it arrived during a request to mark all as read.
        for arrival in fresh.arrived where lastCounted != fresh.time {
            // A message has a status only if it is the user's own, and an unread count only if it is another user's and
            // was not seen.
            guard shown.text("message.status", arrival.key) == nil, shown["unread", arrival.conversation] == 0 else {
                continue
            }
            record.recordCheck()
            readings[arrival.conversation] = TimedEvent(
                time: fresh.time,
                event: arrival.event,
                coveredSince: arrival.storedAt
            )
        }
        if let tried = fresh.tried, hasNoUser {
            record.violate(
                "client.push_token.tried at \(fresh.time), although no user was signed in",
                events: [tried]
            )
        }
        for (conversation, event) in fresh.read {
            record.recordCheck()
            readings[conversation] = TimedEvent(time: fresh.time, event: event)
        }
    }

    private func isReported(_ conversation: String, since time: Instant) -> Bool {
        receipts[conversation].map { $0 >= time } ?? false
            || marks.contains { $0.value >= time && $0.key.contains("/\(conversation)/") }
    }

    // MARK: - Push token

    private mutating func follow(_ event: TraceEvent) {
        switch event.name {
        case "client.push_token.tried":
            tries = event.fields?["of"]?.intValue
            refresh(event.time)
            fresh?.tried = event.index
        case "client.push_token.given_up":
            record.recordCheck()
            guard let tries, let made = event.fields?["attempts"]?.intValue, made < tries else { return }
            record.violate(
                "the client gave up registering its push token at \(event.time), after \(made) of \(tries) attempts",
                events: [event.index]
            )
        case "client.sign_out.session": signOut?.hasEndedSession = event.index
        case "client.sign_out.token_left": signOut?.hasLeftToken = true
        default: break
        }
    }

    private mutating func signedOut(_ event: TraceEvent) {
        defer {
            signOut = nil
            registered = nil
            (readings, fresh) = ([:], nil)
            shown = LatestValues()
        }
        guard let registered, let signOut else { return }
        record.recordCheck()
        guard !signOut.hasLeftToken else { return }
        record.violate(
            "\(registered.user) signed out at \(event.time), and the server still had the user's push token",
            events: [registered.event, event.index]
        )
    }

    /// The longest time that the client may take to acknowledge a message. It has to wait only for its disk.
    private static let longest = TimeSpan.seconds(5)

    private mutating func judgeAcknowledgements(before time: Instant, since: Instant = .zero) {
        let late = unacknowledged.filter { max($0.value.time, since) <= time }
        guard let (key, moment) = late.min(by: { $0.key < $1.key }) else { return }
        record.violate("message \(key) arrived at \(moment.time), and was not acknowledged", events: [moment.event])
    }

    // MARK: - End of the run

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        judge(at: end, circumstances)
    }

    private mutating func judge(at end: Instant, _ circumstances: Circumstances) {
        guard let limit, let since = circumstances.connectedUndisturbedSince, circumstances.state == "connected" else {
            return
        }
        func isOverdue(_ moment: TimedEvent) -> Bool { end - max(moment.time, since) >= limit }
        judgeAcknowledgements(before: end - limit, since: since)
        let unreported = readings.filter { conversation, moment in
            reportsReading && isOverdue(moment) && !isReported(conversation, since: moment.coveredSince ?? moment.time)
        }
        if let (conversation, moment) = unreported.min(by: { $0.key < $1.key }) {
            record.violate(
                "unread[\(conversation)] was 0 at \(moment.time), and the client had not reported this by the end",
                events: [moment.event]
            )
        }
        if shown.text("push_token.state") == "unowned", user != nil, end - since >= limit {
            record.violate("push_token.state was unowned at the end, although a user was signed in", events: [])
        }
    }
}
