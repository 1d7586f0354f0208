import SquallCore
import Trace

/// `frugal`: the client pings at most twice per ping interval, and does not request messages that it already has.
struct Frugal: StandingInvariant {
    let interest = InvariantKinds(
        .sentPing,
        .sentSync,
        .lastSequence,
        .attemptBegan,
        .foreground,
        .unlocked,
        .woke,
        .allowed,
        .started,
        .killed,
        .sentOther,
        .requested,
        .otherEvent,
        .act,
        .screen,
        .file,
        .connected,
        .done,
        .user,
        .signedOut,
        .serverOther
    )
    private let interval: TimeSpan?
    private var record = FindingRecorder(until: "the client sent neither pings nor requests for missed messages")
    /// The last ping on the connection; nil if the client has since had a reason to ping immediately.
    private var ping: (time: Instant, event: Int)?
    private var sequence: (value: Int64, event: Int)?
    /// The URLs of the GET requests that the client made at `time` in response to the event `cause`, each with the
    /// index of the request's event.
    private var asked: (time: Instant, cause: Int?, targets: [String: Int])?
    private var woke: Instant?
    /// For each message key, the index of the event that sent its read receipt on this connection.
    private var receipts: [String: Int] = [:]
    /// The number of commands that the user has run, and the number that the client has sent.
    private var commands = (asked: 0, sent: 0)
    /// Whether the user has requested a page of older messages. A search (`isSearching`) loads such pages as well.
    private var awaitsPage = false
    private var isSearching = false
    /// The instant at which the user last jumped to a message, which ends any earlier search and begins a new one.
    private var jumped: Instant?
    /// The image that is shown in the preview and has not been sent yet.
    private var preview: String?
    private var confirmed: Instant?
    private let smallestChunk: Int64?
    private let shrunkChunk: Int64?
    private let failuresBeforeSmallerChunks: Int64
    /// The current chunk size, and the number of consecutive chunks of that size that have failed.
    private var chunk: (size: Int64, failures: Int64) = (0, 0)
    private let isOwnClient: Bool
    private let offersEveryDeletion: Bool
    /// The URLs of page requests that have not been answered yet, in request order.
    private var pending: [String] = []
    private var loaded: Set<String> = []
    private var connected: (time: Instant, count: Int)?
    private var lastAct: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        isOwnClient = settings.isOwnClient
        offersEveryDeletion = settings.offersEveryDeletion
        (smallestChunk, shrunkChunk) = (settings.smallestChunk, settings.shrunkChunk)
        failuresBeforeSmallerChunks = settings.failuresBeforeSmallerChunks
        // Pings may be as little as half of the ping interval apart, because a timer may fire early or late.
        interval = settings.pingInterval.map { TimeSpan(nanoseconds: $0.nanoseconds / 2) }
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .sentPing where event.fields?["link"] != nil: break
        case .sentPing:
            defer { ping = (event.time, event.index) }
            // When the app resumes, operations that were held up by the suspension may send several pings at once.
            guard let interval, woke != event.time else { return }
            record.recordCheck()
            guard let ping, event.time - ping.time < interval else { return }
            let distance = (event.time - ping.time).milliseconds
            record.violate(
                "client.sent.ping at \(event.time), \(distance) ms after the ping before; expected at least "
                    + "\(interval)",
                events: [ping.event, event.index]
            )
        case .sentSync:
            record.recordCheck()
            guard let sequence, let asked = event.fields?["last_sequence"]?.intValue, asked < sequence.value else {
                return
            }
            record.violate(
                "client.sent.sync at \(event.time) asked for the messages after \(asked), although the client had those "
                    + "up to \(sequence.value)",
                events: [sequence.event, event.index]
            )
        case .lastSequence:
            guard case .set(let value) = event.observation.change else { return }
            sequence = value.intValue.map { ($0, event.index) }
        case .started, .killed:
            woke = event.time
            ping = nil
            sequence = nil
            (asked, receipts, preview, awaitsPage, isSearching) = (nil, [:], nil, false, false)
            (pending, loaded, connected, chunk) = ([], [], nil, (0, 0))
        // Pages that were loaded for one user are not shown to the next.
        case .user, .signedOut: (pending, loaded, connected) = ([], [], nil)
        case .sentOther: sent(event)
        case .requested: request(event)
        case .otherEvent: follow(event)
        case .act:
            lastAct = event.time
            act(event)
        case .screen:
            guard case .set(let value) = event.observation.change else { return }
            if event.name == "preview.file" { preview = value.stringValue }
            if event.name == "upload.chunk_size", let size = value.intValue { cut(to: size, event) }
        case .done: answered(event, circumstances)
        case .serverOther:
            guard event.name == "server.delete_refused", !offersEveryDeletion else { return }
            record.violate(
                "the client asked at \(event.time) to delete message \(event.key ?? ""), which another user had sent",
                events: [event.index]
            )
        case .file: upload(event)
        case .connected:
            receipts = [:]
            connected = (event.time, (connected?.count ?? 0) + 1)
            // A failed search is repeated on the new connection.
            isSearching = true
        // A tap on a notification is handled below, because it also brings the app to the foreground.
        case .allowed where event.name != "user.tap": lastAct = event.time
        case .allowed:
            ping = nil
            isSearching = true
            lastAct = event.time
        default:
            ping = nil
            if kind == .woke { (woke, loaded) = (event.time, []) }
        }
    }

    private mutating func sent(_ event: TraceEvent) {
        switch event.name {
        case "client.sent.read_receipt":
            guard let key = event.key else { return }
            record.recordCheck()
            if let before = receipts[key] {
                record.violate(
                    "client.sent.read_receipt[\(key)] a second time on one connection, at \(event.time)",
                    events: [before, event.index]
                )
            }
            receipts[key] = event.index
        case "client.sent.execute_command":
            commands.sent += 1
            record.recordCheck()
            guard commands.sent > commands.asked else { return }
            record.violate(
                "\(event.name) at \(event.time), the \(commands.sent). command; the user has run \(commands.asked)",
                events: [event.index]
            )
        default: break
        }
    }

    /// Checks that upload chunks become smaller after failures, and that a resource is fetched only once even if it is
    /// needed twice in one step.
    private mutating func request(_ event: TraceEvent) {
        if event.name == "client.requested.upload", let smallestChunk, failuresBeforeSmallerChunks > 0,
            chunk.failures > failuresBeforeSmallerChunks, chunk.size > max(smallestChunk, shrunkChunk ?? 0)
        {
            record.violate(
                "client.requested.upload at \(event.time) in chunks of \(chunk.size), after \(chunk.failures) failures",
                events: [event.index]
            )
        }
        // When the app starts or resumes, it performs all pending user actions at once, so it may request a resource
        // twice.
        guard woke != event.time, event.fields?["method"] == "GET", let target = event.fields?["target"]?.stringValue
        else { return }
        record.recordCheck()
        // The list of conversations may be requested twice: to catch up after a reconnect, and because the user asked
        // for it.
        guard event.name != "client.requested.conversations" else { return }
        if asked?.time != event.time || asked?.cause != event.cause { asked = (event.time, event.cause, [:]) }
        if let before = asked?.targets[target] {
            record.violate("GET \(target) twice at \(event.time)", events: [before, event.index])
        }
        asked?.targets[target] = event.index
        if event.name == "client.requested.messages" { page(target, event) }
    }

    private mutating func act(_ event: TraceEvent) {
        switch event.name {
        case "user.execute": commands.asked += 1
        case "user.load_earlier", "user.scroll": awaitsPage = true
        case "user.jump": (isSearching, jumped) = (true, event.time)
        case "user.confirm_delete": confirmed = event.time
        default: break
        }
    }

    private mutating func follow(_ event: TraceEvent) {
        switch event.name {
        // If a tap on a notification has launched the app, the tap came before the process started, so the search is
        // recorded here.
        case "client.deep_link.opened": isSearching = true
        case "client.search.ended": isSearching = event.fields?["outcome"] == "failed" || jumped == event.time
        case "client.history.began":
            record.recordCheck()
            defer { awaitsPage = false }
            guard !awaitsPage, !isSearching else { return }
            record.violate("\(event.name) at \(event.time), although the user asked for no page", events: [event.index])
        case "client.delete.began":
            record.recordCheck()
            // A client that was suspended handles the user's confirmation when it wakes, so the deletion may begin at
            // that instant.
            guard confirmed != event.time, confirmed == nil || woke != event.time else { return }
            record.violate(
                "\(event.name)[\(event.key ?? "")] at \(event.time), although the user had not confirmed it",
                events: [event.index]
            )
        default: break
        }
    }

    private mutating func cut(to size: Int64, _ event: TraceEvent) {
        if size != chunk.size { chunk = (size, 0) }
        guard let smallestChunk, size < smallestChunk else { return }
        record.violate(
            "upload.chunk_size was \(size) at \(event.time); expected at least \(smallestChunk)",
            events: [event.index]
        )
    }

    private mutating func answered(_ event: TraceEvent, _ circumstances: Circumstances) {
        switch event.name {
        case "client.answered.upload": chunk.failures = 0
        case "client.request_failed.upload": chunk.failures += 1
        case "client.answered.messages", "client.request_failed.messages":
            // If several requests are in flight, the trace does not say which of them received this response. A captive
            // portal's response does not contain the requested page.
            if pending.count == 1, circumstances.wasUndisturbed, event.fields?["status"]?.intValue == 200 {
                loaded.formUnion(pending)
            }
            if !pending.isEmpty { pending.removeFirst() }
        default: break
        }
    }

    /// Checks that the client, on reconnecting, does not request a conversation's newest page again if it has already
    /// loaded that page.
    private mutating func page(_ target: String, _ event: TraceEvent) {
        defer {
            pending.append(target)
            loaded.remove(target)
        }
        guard isOwnClient, lastAct != event.time, let connected, connected.time == event.time, connected.count > 1,
            pending.isEmpty,
            loaded.contains(target), !target.contains("after"), !target.contains("before")
        else { return }
        record.violate(
            "GET \(target) at \(event.time), with the connection, although that page had loaded",
            events: [event.index]
        )
    }

    private mutating func upload(_ event: TraceEvent) {
        guard event.name == "upload.state", let key = event.key, key == preview else { return }
        record.violate(
            "upload.state[\(key)] at \(event.time), although the user had not sent the image in the preview",
            events: [event.index]
        )
    }
}
