import SquallCore
import Trace

/// `surfaces_agree`: two observables that show the same fact must agree, and different facts must not look the same.
///
/// Values that change together are compared once the client has had time to show all of them.
struct SurfacesAgree: StandingInvariant {
    let interest = InvariantKinds(
        .screen,
        .connectionState,
        .captive,
        .unread,
        .banner,
        .messageStatus,
        .rows,
        .messageList,
        .viewPhase,
        .viewing,
        .signedOut,
        .started,
        .killed,
        .suspended,
        .woke,
        .done,
        .otherEvent,
        .pushed
    )
    private let displayDelay: TimeSpan
    private let viewingTimeout: TimeSpan
    private let isOwnClient: Bool
    private var record = FindingRecorder(until: "the client showed no fact in two places")
    private var shown = LatestValues()
    private var due = PendingComparisons()
    /// The messages that are shown as queued for the current user.
    private var queued: Set<String> = []
    /// The conversations in the current user's list that have had a badge.
    private var badged: Set<String> = []
    /// The users who are shown as online, busy or idle.
    private var present: Set<String> = []
    private static let presences: Set<String> = ["online", "busy", "idle"]
    /// Whether the client has received a page of messages since its process was started.
    private var hasPage = false
    /// The time and index of the event after which `app.viewing` still named a conversation although none was open; nil
    /// if `app.viewing` is correct.
    private var leftover: (time: Instant, event: Int)?

    /// The comparisons that are due, and the last change that made one necessary.
    private struct PendingComparisons: Sendable {
        var rules: Set<Int> = []
        var messages: Set<String> = []
        var badges: Set<String> = []
        /// Messages that the user is deleting.
        var deleted: Set<String> = []
        /// Conversations whose lists or messages have changed.
        var lists: Set<String> = []
        /// Users whose presence has changed. After a connection state change, the set contains all users who are shown
        /// as present.
        var users: Set<String> = []
        var last: (time: Instant, event: Int)?
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        displayDelay = settings.displayDelay
        isOwnClient = settings.isOwnClient
        viewingTimeout = settings.viewingTimeout + tolerance.of(settings.viewingTimeout)
    }

    var finding: Finding { record.finding }

    var deadline: Instant? {
        (due.last.map { $0.time + displayDelay }).or(sooner: leftover.map { $0.time + viewingTimeout })
    }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .started, .killed, .signedOut:
            (queued, due, leftover, hasPage, present, badged) = ([], PendingComparisons(), nil, false, [], [])
            if kind != .signedOut { shown = LatestValues() }
            return
        case .otherEvent:
            guard let key = event.key else { return }
            if event.name == "client.delete.undone" { due.deleted.remove(key) }
            guard event.name == "client.delete.began" else { return }
            due.deleted.insert(key)
            due.last = (event.time, event.index)
            return
        case .pushed:
            // From now on, the client reports the message under the notification's label.
            guard let key = event.key, let message = event.fields?["message_id"]?.stringValue, key != message else {
                return
            }
            return shown.rename(message, to: key)
        case .suspended: return leftover = nil
        case .woke: return followScreen(event)
        case .done:
            if event.name == "client.answered.messages", event.fields?["status"]?.intValue == 200 { hasPage = true }
            return
        default: break
        }
        shown.apply(event)
        note(event)
        if kind == .messageStatus, let key = event.key { follow(key) }
        if kind == .viewing || event.name == "view.conversation" { followScreen(event) }
    }

    private mutating func note(_ event: TraceEvent) {
        if let readers = Self.readers[event.name] {
            due.rules.formUnion(readers)
            due.last = (event.time, event.index)
        }
        if event.name == "connection.state" { due.users.formUnion(present) }
        guard let key = event.key else { return }
        if event.name == "conversation.messages" { due.lists.insert(key) }
        if event.name == "peer.presence" {
            let isPresent = Self.presences.contains(shown.text("peer.presence", key) ?? "")
            if isPresent { present.insert(key) } else { present.remove(key) }
            due.users.insert(key)
        }
        if event.name == "badge.text", shown.text("badge.text", key) != nil { badged.insert(key) }
        if event.name == "unread" || event.name == "badge.text" {
            due.badges.insert(key)
            due.last = (event.time, event.index)
        } else if Self.messageNames.contains(event.name) {
            due.messages.insert(key)
            due.last = (event.time, event.index)
        }
    }

    private mutating func follow(_ key: String) {
        if shown.text("message.status", key) == "queued" { queued.insert(key) } else { queued.remove(key) }
        due.rules.insert(Self.headerRule)
    }

    private mutating func followScreen(_ event: TraceEvent) {
        let isOver = shown.isNull("view.conversation") && shown.text("app.viewing") != nil
        leftover = isOver ? leftover ?? (event.time, event.index) : nil
    }

    mutating func expire(_ circumstances: Circumstances) {
        if let last = due.last, deadline == last.time + displayDelay {
            let due = self.due
            self.due = PendingComparisons()
            guard circumstances.isRunning, !circumstances.isSuspended else { return }
            record.recordCheck()
            for why in contradictions(due) { record.violate("\(why) at \(last.time)", events: [last.event]) }
        } else if let found = leftover {
            leftover = nil
            let viewed = shown.text("app.viewing") ?? ""
            record.violate(
                "app.viewing was still \(viewed) \(viewingTimeout) after the last conversation was left at \(found.time)",
                events: [found.event]
            )
        }
    }

    private func contradictions(_ due: PendingComparisons) -> [String] {
        due.rules.sorted().compactMap { rule in
            rule == Self.headerRule ? queue : rule == Self.emptyRule ? empty : Self.rules[rule].find(shown)
        } + due.messages.sorted().compactMap(message) + due.badges.sorted().compactMap(badge)
            + due.lists.sorted().compactMap(order) + others(due)
    }

    /// Returns the contradictions that count as violations only for Squall's own client, which shows its changes
    /// immediately.
    private func others(_ due: PendingComparisons) -> [String] {
        guard isOwnClient else { return [] }
        let kept = due.deleted.sorted().filter { shown["message.deleted", $0] != true }
            .map { "message.deleted[\($0)] was not true, although the user had deleted the message," }
        guard let state = shown.text("connection.state"), Self.brokenStates.contains(state) else { return kept }
        return kept
            + due.users.intersection(present).sorted().map { user in
                "peer.presence[\(user)] was \(shown.text("peer.presence", user) ?? "") and connection.state \(state)"
            }
    }

    /// Describes a message that is out of chronological order among the newest messages of a conversation; returns nil
    /// if there is none.
    private func order(_ conversation: String) -> String? {
        var last: Int64 = .min
        for key in shown.list("conversation.messages", conversation).suffix(20).compactMap(\.stringValue) {
            // Until the server confirms a message, its timestamp comes from the phone's clock.
            let status = shown.text("message.status", key)
            guard status == nil || status == "delivered", let time = shown["message.timestamp", key]?.intValue else {
                continue
            }
            if time < last {
                return "conversation.messages[\(conversation)] had \(key) behind a message with a later time"
            }
            last = time
        }
        return nil
    }

    private var queue: String? {
        // Messages of a user who has signed out have no icon.
        let waiting = queued.filter { shown["message.icon", $0] != .null }
        guard let message = waiting.min(), shown.isNull("outbox.header_text") else { return nil }
        return "message.status[\(message)] was queued and outbox.header_text null"
    }

    private var empty: String? {
        guard shown.text("view.phase") == "empty", let open = shown.text("view.conversation"), !hasPage else {
            return nil
        }
        return "view.phase was empty, although no page of \(open) had arrived,"
    }

    // MARK: - Rows

    private static let messageNames: Set<String> = [
        "message.status", "message.icon", "message.retry_available", "message.hint",
    ]

    /// Describes how a message's appearance contradicts its status; returns nil if they agree.
    private func message(_ key: String) -> String? {
        guard let status = shown.text("message.status", key) else { return nil }
        if status == "delivered", let icon = shown.text("message.icon", key) {
            return "message.icon[\(key)] was \(icon) and message.status[\(key)] delivered"
        }
        if status != "failed", shown["message.retry_available", key] == true {
            return "message.retry_available[\(key)] was true and message.status[\(key)] \(status)"
        }
        // Messages of a user who has signed out have neither icon nor hint.
        if status == "failed", shown["message.hint", key] == .null, shown["message.icon", key] != .null {
            return "message.hint[\(key)] was null and message.status[\(key)] failed"
        }
        return nil
    }

    /// Describes how a conversation's badge contradicts its unread count; returns nil if they agree.
    private func badge(_ key: String) -> String? {
        guard badged.contains(key), let text = shown["badge.text", key], let count = shown["unread", key]?.intValue,
            text.isNull != (count <= 0)
        else { return nil }
        return "badge.text[\(key)] was \(text.readable) and unread[\(key)] \(count)"
    }

    // MARK: - Rules

    private struct Rule: Sendable {
        let reads: [String]
        let find: @Sendable (LatestValues) -> String?
    }

    /// The numbers of two rules missing from `rules` because they depend on more than the displayed values.
    private static let (headerRule, emptyRule) = (-1, -2)

    private static let readers: [String: [Int]] = {
        var readers = ["outbox.header_text": [headerRule], "view.phase": [emptyRule], "view.conversation": [emptyRule]]
        for (index, rule) in rules.enumerated() {
            for name in rule.reads { readers[name, default: []].append(index) }
        }
        return readers
    }()

    /// The connection states in which each kind of banner is correct.
    private static let bannerStates: [String: Set<String>] = [
        "offline": ["offline"], "polling": ["degraded"], "captive_portal": ["captive_portal"],
        "reconnecting": ["connecting", "authenticating", "reconnecting", "draining"],
        "unavailable": ["unavailable", "reconnecting"],
    ]
    private static let brokenStates: Set<String> = ["reconnecting", "offline", "unavailable", "auth_required"]

    private static let rules: [Rule] = [
        Rule(reads: ["banner.kind", "connection.state"]) { shown in
            guard let kind = shown.text("banner.kind"), let state = shown.text("connection.state"),
                let states = bannerStates[kind], !states.contains(state)
            else { return nil }
            return "banner.kind was \(kind) and connection.state \(state)"
        },
        Rule(reads: ["connection.tone", "connection.state"]) { shown in
            guard let state = shown.text("connection.state"), brokenStates.contains(state),
                shown.text("connection.tone") == "green"
            else { return nil }
            return "connection.tone was green and connection.state \(state)"
        },
        Rule(reads: ["banner.kind", "banner.action"]) { shown in
            guard let kind = shown.text("banner.kind"), kind == "error" || kind == "version",
                let action = shown["banner.action"], action.isNull || kind == "version" && action == "wait"
            else { return nil }
            return "banner.kind was \(kind) and banner.action \(action.readable), which tells the user nothing to do,"
        },
        Rule(reads: ["header.typing", "peer.typing", "view.conversation"]) { shown in
            guard shown["header.typing"] == true, let open = shown.text("view.conversation"),
                shown.hasKeys("peer.typing"), shown.list("peer.typing", open).isEmpty
            else { return nil }
            return "header.typing was true and peer.typing[\(open)] empty"
        },
        Rule(reads: ["header.presence", "peer.presence", "view.conversation", "view.header_name"]) { shown in
            let presence = HeaderPresence { name, key in key.map { shown.text(name, $0) } ?? shown.text(name) }
            guard let presence, presence.isContradiction else { return nil }
            return "header.presence was \(presence.inHeader) and peer.presence[\(presence.user)] \(presence.ofUser)"
        },
        Rule(reads: ["view.rows", "view.stale", "view.conversation", "conversation.messages"]) { shown in
            guard shown["view.stale"] != true, let rows = shown["view.rows"]?.arrayValue,
                let open = shown.text("view.conversation"), shown.hasKeys("conversation.messages")
            else { return nil }
            let messages = shown.list("conversation.messages", open)
            guard rows != messages else { return nil }
            let difference = zip(rows, messages).first { $0 != $1 }.map { ", first \($0) and \($1)" } ?? ""
            return "view.rows had \(rows.count) rows and conversation.messages[\(open)] \(messages.count)\(difference),"
        },
        Rule(reads: ["view.phase", "view.rows"]) { shown in
            guard let phase = shown.text("view.phase"), let rows = shown["view.rows"]?.arrayValue,
                phase == "rows" && rows.isEmpty || phase == "empty" && !rows.isEmpty
            else { return nil }
            return "view.phase was \(phase) and view.rows had \(rows.count) rows"
        },
        Rule(reads: ["permission.state", "permission.banner_text"]) { shown in
            guard let state = shown.text("permission.state"), let text = shown["permission.banner_text"],
                (state == "denied") == text.isNull
            else { return nil }
            return "permission.state was \(state) and permission.banner_text \(text.readable)"
        },
        Rule(reads: ["network.captive", "alert.title", "connection.state"]) { shown in
            if shown["network.captive"] == true, shown.isNull("alert.title") {
                return "network.captive was true, and no alert asked the user to log in,"
            }
            guard shown.text("connection.state") == "connected", let title = shown.text("alert.title") else {
                return nil
            }
            return "alert.title was \(title) and connection.state connected"
        },
        Rule(reads: ["app.viewing", "view.conversation", "view.active"]) { shown in
            guard let viewing = shown["app.viewing"], let open = shown.text("view.conversation"),
                viewing.stringValue != open, shown["view.active", open] != false
            else { return nil }
            return "app.viewing was \(viewing.readable) and view.conversation \(open)"
        },
        Rule(reads: ["message.day", "view.rows"]) { shown in
            guard shown.hasKeys("message.day") else { return nil }
            var previous: String?
            for key in shown.list("view.rows").compactMap(\.stringValue) {
                guard let day = shown.text("message.day", key) else { continue }
                if day == previous { return "message.day[\(key)] repeated the heading \(day)" }
                previous = day
            }
            return nil
        },
    ]
}
