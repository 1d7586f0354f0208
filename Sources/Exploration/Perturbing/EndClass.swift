import SquallCore

/// How the end of a perturbed run may differ from the end of the undisturbed run, by class of observable.
package enum EndClass: String, Hashable, Sendable, CaseIterable {
    /// Values that have no reason to depend on weather that is over.
    case lasting
    /// The state of the screen. A killed process forgets it; after any other perturbation it is the same.
    case screen
    /// The messages that are loaded. A reconnect fetches some that the undisturbed client never asked for, a request
    /// for older ones may fail, and a killed process has loaded the newest alone. `convergence` judges which and in
    /// what order; where some were shown, some are shown.
    case extent
    /// The outcome of a user's action. It may fail when a perturbation is longer than the client's own limits, and may
    /// succeed where the undisturbed one failed. A killed process shows no action that has ended, and allows none on a
    /// message that it has not loaded.
    case outcome
    /// Server facts that the client shows. `convergence` compares them with the server itself; the undisturbed
    /// client may not know them yet.
    case facts
    /// State that the client caches to show it again sooner.
    case cache
    /// How messages arrived: seen or unseen, before or after the user scrolled. A command is sent at most once, so
    /// whether its start was reported depends on the connection at that time.
    case arrival
    /// Notifications on the phone, which depend on whether the app was on the screen and connected, and where they
    /// lead, which depends on what the client has loaded.
    case notifications
    /// The weather itself, and measured figures: a perturbation is weather.
    case weather
    /// Times, and texts that contain them: everything after a perturbation happens later.
    case times
    /// Signs that go away by themselves, and texts that are being written, which only the connection carries on which
    /// they began.
    case passing

    /// How values of the class are compared.
    enum Rule: Hashable {
        case same
        /// A value must be shown if the undisturbed run shows one; the two may differ.
        case some
        /// An action that succeeded must have succeeded.
        case success
        case none
    }

    func rule(after kind: PerturbationKind) -> Rule {
        switch self {
        case .lasting: .same
        case .screen: kind == .kill ? .none : .same
        case .extent: kind == .kill ? .none : .some
        case .outcome: isTimed(by: kind) || kind == .kill ? .none : .success
        case .facts, .cache, .arrival, .notifications, .weather, .times, .passing: .none
        }
    }

    /// Whether later steps may behave differently where a value of the class differs: a notification that did not
    /// arrive cannot be tapped.
    var decides: Bool { self == .outcome || self == .notifications }

    /// Whether a user's action can fail because the perturbation lasts longer than a client waits for an answer.
    func isTimed(by kind: PerturbationKind) -> Bool { self == .outcome && (kind == .suspend || kind == .blackhole) }

    /// The classes that are not ``lasting``, with their observables. A name that ends with a dot means all names below
    /// it.
    package static let table: [(EndClass, [String])] = [
        (.extent, ["conversation.messages", "view.rows"]),
        (.cache, ["image_cache.bytes", "image.width", "image.height"]),
        (
            .facts,
            [
                "unread", "badge.", "list.", "peer.presence", "member.presence", "header.presence", "header.tone",
                "header.subtitle", "header.online", "header.members", "message.text", "sync.last_sequence", "history.",
                "view.partner_status", "view.partner_about", "view.empty_text", "view.suggestions", "message.read",
            ]
        ),
        (
            .outcome,
            [
                "message.status", "outbox.count", "upload.state", "uploads.pending", "image.state",
                "deletions.pending", "commands.unanswered", "push_token.state", "upload.progress", "image.progress",
                "message.deleted", "message.kind", "view.phase",
            ]
        ),
        (.notifications, ["notifications", "notification.", "deep_link."]),
        (.arrival, ["new_marker.", "highlight.target", "scroll.anchor", "commands.started"]),
        (
            .weather,
            [
                "network.", "metrics.", "link.state", "poll.active", "upload.chunk_size",
                "connection.attempt", "connection.last_error", "connection.next_attempt_in", "connection.rtt",
                "connection.quality", "connection.host", "connection.transport", "connection.open_sockets",
            ]
        ),
        (
            .times,
            [
                "message.timestamp", "message.time_text", "message.day", "message.exact_time", "peer.last_seen",
                "view.partner_last_seen", "message.undo_available",
            ]
        ),
        (.passing, ["stream.text", "peer.typing", "header.typing", "toast.text"]),
        (
            .screen,
            [
                "view.", "composer.text", "menu.", "dialog.", "preview.", "alert.", "header.",
            ]
        ),
    ]

    package static func of(_ name: String) -> EndClass {
        table.first { $0.1.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 } }?.0 ?? .lasting
    }

    /// The observables that show the same fact as another, which are compared if that one is equal.
    package static let followers: [(followed: String, names: [String])] = [
        (
            "message.status",
            [
                "message.icon", "message.tone", "message.hint", "message.retry_available", "menu.actions",
                "menu.explanation",
            ]
        ),
        ("outbox.count", ["outbox.header_text"]),
        ("view.rows", ["view.phase"]),
    ]

    static func followed(by name: String) -> String? {
        followers.first { $0.names.contains(name) }?.followed
    }
}

extension EndClass.Rule {
    /// Whether the perturbed run may end with `found` where the undisturbed one ends with `expected`.
    func allows(_ found: JSON?, for expected: JSON) -> Bool {
        // A value that was never reported counts as empty.
        let found = found ?? expected.empty
        switch self {
        case .same: return found == expected
        case .some: return found != expected.empty || expected == expected.empty
        case .success:
            if let number = expected.intValue { return number > 0 || found == expected }
            return Self.failures.contains(expected) || found == expected
        case .none: return true
        }
    }

    private static let failures: Set<JSON> = ["failed", "error", "cancelled", "queued", "sending"]
}

extension JSON {
    /// The value that shows nothing, for an observable with this value.
    fileprivate var empty: JSON {
        switch self {
        case .bool: false
        case .array: []
        case .integer: 0
        default: .null
        }
    }
}
