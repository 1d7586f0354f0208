import SquallCore
import Trace

/// `waits_end`: every operation that the client shows as in progress ends within its time limit.
struct WaitsEnd: StandingInvariant {
    let interest = Circumstances.kinds.union(
        InvariantKinds(
            .messageStatus,
            .sentOther,
            .receivedOther,
            .requested,
            .viewPhase,
            .signingOut,
            .streamText,
            .messageText,
            .imageState,
            .receivedError,
            .streamBegan,
            .networkFrames,
            .serverStored,
            .screen,
            .otherEvent,
            .act
        )
    )
    private let sending: TimeSpan?
    private let displayDelay: TimeSpan?
    private let tapTimeout: TimeSpan?
    /// The client's polling interval while it has no WebSocket and learns of complete messages only by polling.
    private let polling: TimeSpan
    /// Whether the client polls.
    private var isPolling = false
    private let isOwnClient: Bool
    /// The time that the client may take to show the server's response to a message.
    private let answering: TimeSpan
    private var record = FindingRecorder(until: "the client showed nothing as under way")
    /// The operations that are shown as in progress, by name and key.
    private var waits: [String: Wait] = [:]
    /// The keys of image messages, which are sent only after their files have been stored, however long that takes.
    private var images: Set<String> = []
    /// The messages that the server is still streaming, at its own pace.
    private var streamed: Set<String> = []
    /// The streamed messages that the client might not have received completely, because the network may have altered
    /// or dropped a frame, or because a script rule has kept the server from sending the complete message.
    private var excused: Set<String> = []
    private var connectedUndisturbedSince: Instant?
    private var phase: String?
    private var isOpen = false

    private struct Wait {
        let since: Instant
        let limit: TimeSpan
        let event: Int
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        sending = settings.sending.map { $0 + tolerance.of($0) }
        displayDelay = settings.liveness.map { $0 + tolerance.of($0) }
        tapTimeout = settings.tapTimeout.map { $0 + tolerance.of($0) } ?? displayDelay
        polling = settings.polling.map { $0 + tolerance.of($0) } ?? .zero
        isOwnClient = settings.isOwnClient
        answering = .milliseconds(500) + settings.displayDelay + tolerance.of(.milliseconds(500))
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { first?.due }

    /// The operation whose time limit ends first; nil if no operation is in progress, or if the client is not connected
    /// and undisturbed.
    private var first: (name: String, wait: Wait, due: Instant)? {
        guard let connectedUndisturbedSince, !waits.isEmpty else { return nil }
        return waits.filter { !streamed.contains($0.key) }
            .map { ($0.key, $0.value, max($0.value.since, connectedUndisturbedSince) + limit(of: $0.key, $0.value)) }
            .min { ($0.2, $0.0) < ($1.2, $1.0) }
    }

    private func limit(of name: String, _ wait: Wait) -> TimeSpan {
        isPolling && name.hasPrefix(Self.streamPrefix) ? wait.limit + polling : wait.limit
    }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        connectedUndisturbedSince = circumstances.connectedUndisturbedSince
        let polls = circumstances.state == "degraded"
        // A client that has stopped polling fetches the complete messages over its new connection.
        if isPolling, !polls {
            for name in waits.keys where name.hasPrefix(Self.streamPrefix) { restart(name, at: event.time) }
        }
        isPolling = polls
        switch kind {
        case .messageStatus where event.key.map(images.contains) ?? false: break
        case .messageStatus:
            // While the disk is full, a message waits to be written; its time limit starts when it is sent.
            let mayWait = circumstances.diskFullSince != nil
            follow(event, isUnderWay: { $0 == "sending" && !mayWait }, sending)
        case .disk: waits = waits.filter { !$0.key.hasPrefix("message.status[") }
        case .receivedError: answered(event)
        case .receivedOther where event.name == "client.received.confirm": answered(event)
        case .receivedOther:
            // A token is a piece of a streamed message. If an earlier token is missing, it might not change the
            // displayed text.
            guard event.name == "client.received.token", let key = event.key else { return }
            restart(Self.stream(key), at: event.time)
        case .streamBegan: if let key = event.key { streamed.insert(Self.stream(key)) }
        case .serverStored: if let key = event.key { endStream(Self.stream(key), at: event.time) }
        // The server did not send the complete message, so the client cannot know that the stream has ended, even if it
        // receives the last token later.
        case .serverDisturbed:
            guard let key = event.key else { return }
            excused.insert(Self.stream(key))
            waits[Self.stream(key)] = nil
        // The altered or dropped frame may have carried the complete message, which the server does not resend.
        case .networkFrames: excuseStreams()
        // The fault may alter the complete message of any stream that is in progress while the fault is active.
        case .faultBegan where event.fields?["fault"] == "corrupt",
            .faultEnded where event.fields?["fault"] == "corrupt":
            excuseStreams()
        case .serverStopped: for name in streamed { endStream(name, at: event.time) }
        case .sentOther, .requested:
            // The time limit for the server's confirmation starts when the message or request is written to the socket.
            for name in [Self.tap, Self.search, "deep_link.pending"] { restart(name, at: event.time) }
            guard let key = event.key else { return }
            let name = "message.status[\(key)]"
            if circumstances.diskFullSince != nil, event.name == "client.sent.send", !images.contains(key), let sending
            {
                waits[name] = Wait(since: event.time, limit: sending, event: event.index)
            } else {
                restart(name, at: event.time)
            }
        case .imageState:
            guard let key = event.key else { return }
            images.insert(key)
            waits["message.status[\(key)]"] = nil
        case .viewPhase: show(event)
        case .screen: screenChanged(event)
        case .otherEvent: followTap(event)
        // The user has navigated elsewhere in the app and no longer waits for these operations.
        case .act where ["user.open", "user.leave", "user.scroll", "user.jump"].contains(event.name),
            .signOutAsked, .signInAsked:
            (waits[Self.tap], waits[Self.search], waits["deep_link.pending"]) = (nil, nil, nil)
        case .signingOut: follow(event, isUnderWay: { $0 == true }, displayDelay)
        // The operations of the previous user ended with that user's session.
        case .signedIn: (waits[Self.tap], waits[Self.search]) = (nil, nil)
        case .streamText where event.key.map { excused.contains(Self.stream($0)) } ?? false: break
        case .streamText: follow(event, isUnderWay: { !$0.isNull }, displayDelay)
        case .messageText:
            // The complete message replaces the text streamed so far.
            if let key = event.key { waits[Self.stream(key)] = nil }
        case .started, .killed: (waits, phase, isOpen) = ([:], nil, false)
        default: break
        }
    }

    private mutating func excuseStreams() {
        excused.formUnion(streamed)
        excused.formUnion(waits.keys.filter { $0.hasPrefix(Self.streamPrefix) })
        waits = waits.filter { !excused.contains($0.key) }
    }

    private static let tap = "the way to the conversation of a tapped notification"
    private static let search = "the search for the message of a tapped notification"

    /// Tracks the loading of an open conversation. If none is open, the screen may wait for the user to choose one.
    private mutating func show(_ event: TraceEvent) {
        guard case .set(let value) = event.observation.change, let displayDelay else { return }
        if event.name == "view.phase" { phase = value.stringValue } else { isOpen = !value.isNull }
        let isLoading = phase == "loading" || phase == "skeleton" && isOpen
        guard isLoading else { return waits["view.phase"] = nil }
        record.recordCheck()
        waits["view.phase"] = Wait(since: event.time, limit: displayDelay, event: event.index)
    }

    private mutating func screenChanged(_ event: TraceEvent) {
        switch event.name {
        case "view.conversation": show(event)
        case "deep_link.pending": follow(event, isUnderWay: { !$0.isNull }, tapTimeout)
        // The operation also ends when the client shows an error.
        case "deep_link.error":
            if case .set(let value) = event.observation.change, !value.isNull { waits["deep_link.pending"] = nil }
        default: break
        }
    }

    private mutating func followTap(_ event: TraceEvent) {
        guard let tapTimeout else { return }
        switch event.name {
        case "client.notification_tapped":
            record.recordCheck()
            waits[Self.tap] = Wait(since: event.time, limit: tapTimeout, event: event.index)
        case "client.deep_link.opened":
            waits[Self.tap] = nil
            guard isOwnClient else { return }
            waits[Self.search] = Wait(since: event.time, limit: tapTimeout, event: event.index)
        case "client.deep_link.failed": waits[Self.tap] = nil
        case "client.search.ended": waits[Self.search] = nil
        default: break
        }
    }

    /// Restarts a message's time limit when the server responds to it: the client must show the response soon.
    private mutating func answered(_ event: TraceEvent) {
        guard let key = event.key, let wait = waits["message.status[\(key)]"] else { return }
        waits["message.status[\(key)]"] = Wait(since: event.time, limit: answering, event: wait.event)
    }

    private static let streamPrefix = "stream.text["

    private static func stream(_ key: String) -> String { "\(streamPrefix)\(key)]" }

    private mutating func endStream(_ name: String, at time: Instant) {
        if streamed.remove(name) != nil { restart(name, at: time) }
    }

    private mutating func restart(_ name: String, at time: Instant) {
        guard let wait = waits[name] else { return }
        waits[name] = Wait(since: time, limit: wait.limit, event: wait.event)
    }

    private mutating func follow(_ event: TraceEvent, isUnderWay: (JSON) -> Bool, _ limit: TimeSpan?) {
        guard let limit, case .set(let value) = event.observation.change else { return }
        let name = event.key.map { "\(event.name)[\($0)]" } ?? event.name
        guard isUnderWay(value) else {
            waits[name] = nil
            return
        }
        record.recordCheck()
        waits[name] = Wait(since: event.time, limit: limit, event: event.index)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let (name, wait, due) = first else { return }
        waits[name] = nil
        record.violate(
            "\(name) had not changed from \(wait.since) to \(due); expected an end within \(limit(of: name, wait))",
            by: due,
            events: [wait.event]
        )
    }
}
