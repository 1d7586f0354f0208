import SquallCore

/// Classifies observables (reported values) by how their final values may differ between a perturbed run, in which a
/// short fault is injected, and the unperturbed run.
package enum EndClass: String, Hashable, Sendable, CaseIterable {
    /// Values that must be the same as in the unperturbed run, because a fault that has ended must not affect them.
    case lasting
    /// Values that describe the state of the screen, and the permission that the user grants in a prompt. Killing the
    /// process loses them; after any other perturbation, they must be the same as in the unperturbed run.
    case screen
    /// Values that depend on which messages are loaded. A reconnecting client fetches messages that the unperturbed
    /// client never requested, a request for older messages may fail, and a restarted process has loaded only the
    /// newest ones. The invariant `convergence` checks which messages are shown and in what order. This class only
    /// requires a list to be non-empty if it is in the unperturbed run.
    case extent
    /// Values that show the outcome of a user action. The action may fail if a perturbation lasts longer than the
    /// client's own timeouts, or may succeed although it failed in the unperturbed run. After a restart, the client no
    /// longer shows actions that have ended, and allows no actions on messages that it has not loaded.
    case outcome
    /// Server data that the client shows. It is not compared with the unperturbed run, where the client may not have
    /// received it yet. Instead, the invariant `convergence` compares it with the data on the server.
    case facts
    /// Cached data, which affects only how quickly something is shown again.
    case cache
    /// Values that depend on the circumstances in which messages arrived, such as whether the conversation was on
    /// screen and whether the user had already scrolled.
    ///
    /// They also include whether a command was reported as started: it is sent at most once, so that depends on the
    /// connection.
    case arrival
    /// Notifications on the phone, and the targets of their links. Notifications depend on whether the app was
    /// connected in the foreground; link targets depend on which messages the client has loaded.
    case notifications
    /// Measured values, and values that describe the state of the network, which a perturbation changes.
    case weather
    /// Times, and texts that contain times. They may differ, because a perturbation delays every later event.
    case times
    /// Indicators that disappear by themselves, and messages that are still being streamed: both end with the
    /// connection on which they began.
    case passing

    /// A rule for comparing the two values of an observable.
    package enum Rule: Hashable {
        case same
        /// The perturbed run must show a value if the unperturbed run shows one; the two values may differ.
        case some
        /// The action must succeed in the perturbed run if it succeeded in the unperturbed run.
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

    /// Whether a difference in this class may change the effect of later steps; for example, a notification that did
    /// not arrive cannot be tapped.
    var decides: Bool { self == .outcome || self == .notifications }

    /// Returns whether a user's action can fail because the perturbation lasts longer than the client waits for a
    /// response.
    func isTimed(by kind: PerturbationKind) -> Bool { self == .outcome && (kind == .suspend || kind == .blackhole) }

    /// The observables of each class except ``lasting``. A name that ends with a dot is a prefix.
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
                "view.", "composer.text", "menu.", "dialog.", "preview.", "alert.", "header.", "permission.",
            ]
        ),
    ]

    package static func of(_ name: String) -> EndClass {
        table.first { $0.1.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 } }?.0 ?? .lasting
    }

    /// Observables derived from another observable (`followed`). They are compared only if both runs have the same
    /// values of `followed`.
    package static let followers: [(followed: String, names: [String])] = [
        (
            "message.status",
            [
                "message.icon", "message.icon_pulses", "message.tone", "message.hint", "message.retry_available",
                "menu.actions", "menu.explanation",
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
    /// Returns whether the perturbed run may end with `found` if the unperturbed run ends with `expected`.
    func allows(_ found: JSON?, for expected: JSON) -> Bool {
        // A value that was never reported is treated as empty.
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
    /// The empty value of the same type: `false`, `[]` or `0`; null for any other type.
    fileprivate var empty: JSON {
        switch self {
        case .bool: false
        case .array: []
        case .integer: 0
        default: .null
        }
    }
}
