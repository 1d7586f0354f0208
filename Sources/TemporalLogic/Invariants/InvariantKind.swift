/// The kind of an event. An invariant receives only events of the kinds that it reads. The kind is determined once per
/// event name rather than in each invariant.
enum InvariantKind: UInt8, Sendable, CaseIterable {
    case started, killed, suspended, woke
    case attemptBegan, attemptFailed, connected, disconnected, gaveUp
    case backoffBegan, backoffCancelled
    case accepted, gapDetected, refreshBegan, requested
    case sentConnect, sentPing, sentSync, sentOther
    case receivedHello, receivedConnected, receivedAuthError, receivedPing, receivedPong, receivedReplay
    case receivedDraining, receivedError, receivedUnknown, receivedOther
    case connectionState, linkState, openSockets, syncInFlight, refreshInFlight, lastSequence, reachable, captive
    case messageList, rows, messageStatus
    /// A file was accepted or stored, or its state changed.
    case file
    case imageState
    case serverStarted, serverStopped, serverStored, serverSent, serverClosed, serverUpgraded, serverDisturbed
    case serverHeld, serverReleased, serverRuled, serverRequested, streamBegan
    case serverPrompt, serverTokenSaved, serverToken, serverOther
    case networkDisturbed, faultBegan, faultEnded, faultLifted
    /// The network has dropped, delayed or altered a WebSocket message.
    case networkFrames
    case background, foreground, locked, unlocked
    /// The phone's storage has become full, or has free space again.
    case disk
    /// A change that makes a client try to connect again after it has given up: a new key, another network, or a login
    /// at a captive portal.
    case asked
    /// An action that asks for a connection: a restart of the app, a request to connect, or a sign-in.
    case resumed
    /// A user action that may or may not cause a connection attempt.
    case allowed
    /// The user has disconnected.
    case left
    case signOutAsked, signedOut, signInAsked, signedIn, user
    case crashed
    case unread, badge, viewPhase, viewing, signingOut, streamText, messageText, banner, bannerDismissed
    case notified, notificationThread, pushArrived
    /// `screen` is a change to any other screen observable, `metric` a change to one of the client's counters, and
    /// `otherEvent` any other client event.
    case screen, metric, otherEvent
    /// One of the client's HTTP requests has received its response or failed.
    case done
    /// Any other user or device action.
    case act
    /// The server has passed a notification to the push service. The event may be the first one that refers to the
    /// message by its label.
    case pushed
    /// The server has lost its messages, sessions and files.
    case serverForgot
    /// The run has compared the client with the server after the fault-free period at the end of the run.
    case compared
    /// The script has ended, and the fault-free period at the end of the run has begun.
    case faultFreePeriodBegan

    init?(_ name: String) {
        // No invariant limits text messages, because they belong to an unknown protocol or were written by a script.
        if name == "client.sent.text" { return nil }
        if let exact = Self.exact[name] {
            self = exact
            return
        }
        guard let found = Self.above.first(where: { $0.0.isAbove(name) }) else { return nil }
        self = found.1
    }

    /// The kinds of the events whose names begin with these prefixes. A name in `exact` has the kind given there
    /// instead.
    private static let above: [(String, InvariantKind)] = [
        ("client.sent", .sentOther), ("client.received", .receivedOther), ("client.requested", .requested),
        ("server.sent", .serverSent), ("server.rejected", .serverDisturbed),
        ("server.requested", .serverRequested), ("server.swallowed", .serverDisturbed),
        ("server.prompt", .serverPrompt), ("server.push_token", .serverToken), ("server", .serverOther),
        ("client.answered", .done), ("client.request_failed", .done), ("client.sign_out", .otherEvent),
        ("client.push_token", .otherEvent), ("client.deep_link", .otherEvent), ("client.history", .otherEvent),
        ("client.delete", .otherEvent), ("client.search", .otherEvent), ("user", .act), ("device", .act),
    ]

    private static let exact: [String: InvariantKind] = [
        "client.started": .started, "client.killed": .killed, "client.suspended": .suspended, "client.woke": .woke,
        "client.attempt.began": .attemptBegan, "client.attempt.failed": .attemptFailed,
        "client.connected": .connected, "client.disconnected": .disconnected, "client.gave_up": .gaveUp,
        "client.backoff.began": .backoffBegan, "client.backoff.cancelled": .backoffCancelled,
        "client.accepted": .accepted, "client.gap_detected": .gapDetected, "client.refresh.began": .refreshBegan,
        "client.sent.connect": .sentConnect, "client.sent.ping": .sentPing, "client.sent.sync": .sentSync,
        "client.received.hello": .receivedHello, "client.received.connected": .receivedConnected,
        "client.received.auth_error": .receivedAuthError, "client.received.ping": .receivedPing,
        "client.received.pong": .receivedPong, "client.received.replay": .receivedReplay,
        "client.received.draining": .receivedDraining, "client.received.error": .receivedError,
        // A frame that the client does not understand still shows that the server is alive.
        "client.received.text": .receivedUnknown, "client.unknown_frame": .receivedUnknown,
        "client.malformed_frame": .receivedUnknown,
        "connection.state": .connectionState, "link.state": .linkState, "connection.open_sockets": .openSockets,
        "sync.in_flight": .syncInFlight, "refresh.in_flight": .refreshInFlight, "sync.last_sequence": .lastSequence,
        "network.reachable": .reachable, "network.captive": .captive,
        "conversation.messages": .messageList, "view.rows": .rows, "message.status": .messageStatus,
        "client.shared": .file, "upload.state": .file, "image.state": .imageState, "server.uploaded": .file,
        "server.started": .serverStarted, "server.stopped": .serverStopped, "server.stored": .serverStored,
        "server.closed": .serverClosed, "server.answered.ws": .serverUpgraded,
        "server.session_forgotten": .serverDisturbed, "server.host.refused": .serverDisturbed,
        "server.host.stopped": .serverDisturbed,
        "server.protocol_error": .serverDisturbed,
        "server.stream_began": .streamBegan,
        "server.hold": .serverHeld, "server.release": .serverReleased, "server.delay": .serverRuled,
        "server.rule": .serverRuled, "server.respond": .serverRuled,
        "network.answered": .networkDisturbed, "network.dropped": .networkDisturbed,
        "network.upgrade.refused": .networkDisturbed,
        "fault.began": .faultBegan, "fault.ended": .faultEnded, "fault.lifted": .faultLifted,
        "device.background": .background, "device.foreground": .foreground,
        "device.lock": .locked, "device.unlock": .unlocked, "device.disk": .disk, "user.disconnect": .left,
        "user.reconnect": .resumed, "device.start": .resumed,
        "user.set_key": .asked, "user.portal_login": .asked, "device.handoff": .asked,
        "user.refresh": .allowed, "user.retry": .allowed, "user.retry_all": .allowed, "user.tap": .allowed,
        "user.reply": .allowed,
        "user.sign_out": .signOutAsked, "client.signed_out": .signedOut, "user.sign_in": .signInAsked,
        "client.signed_in": .signedIn, "app.user": .user,
        "client.crashed": .crashed, "server.pushed": .pushed, "server.state_lost": .serverForgot,
        "server.push_token.saved": .serverTokenSaved,
        "server.remove_conversation": .serverForgot,
        "network.frames": .networkFrames,
        "unread": .unread, "badge.app": .badge, "view.phase": .viewPhase, "app.viewing": .viewing,
        "app.signing_out": .signingOut, "stream.text": .streamText, "message.text": .messageText,
        "banner.kind": .banner,
        "user.dismiss_banner": .bannerDismissed, "client.notified": .notified,
        "notification.thread": .notificationThread, "client.push_arrived": .pushArrived,
        "run.compared": .compared, "run.calm_began": .faultFreePeriodBegan,
        "client.scrolled": .otherEvent, "client.transition": .otherEvent, "client.refresh.ended": .otherEvent,
        "client.notification_tapped": .otherEvent, "client.notification_absent": .otherEvent,
    ].merging(screenObservables.map { ($0, .screen) }) { first, _ in first }
        .merging(["metrics.attempts", "metrics.connections"].map { ($0, .metric) }) { first, _ in first }

    /// The screen observables that map to ``screen`` because they have no kind of their own.
    private static let screenObservables = [
        "connection.tone", "connection.attempt", "connection.rtt", "auth.requires_reauth", "banner.action",
        "alert.title",
        "outbox.header_text", "message.icon", "message.hint", "message.retry_available", "message.day",
        "view.conversation",
        "view.active", "view.header_name", "view.stale", "scroll.anchor", "header.typing", "header.presence",
        "peer.typing", "peer.presence",
        "badge.text", "permission.state", "permission.banner_text", "push_token.state", "deep_link.pending",
        "deep_link.error", "highlight.target", "notifications", "preview.file", "message.deleted", "message.timestamp",
        "upload.chunk_size",
    ]

    /// Whether an event of this kind is passed to the invariants of all clients even if it names a client: most of
    /// these events are about the server's store.
    var concernsAll: Bool {
        switch self {
        case .serverStored, .serverStarted, .serverStopped, .serverForgot, .pushed, .streamBegan, .serverPrompt,
            .serverToken:
            true
        default: false
        }
    }

    var isReceived: Bool { (Self.receivedHello.rawValue...Self.receivedOther.rawValue).contains(rawValue) }
    var isServers: Bool { (Self.serverStarted.rawValue...Self.serverOther.rawValue).contains(rawValue) }
}

/// A set of event kinds, with one bit per kind.
struct InvariantKinds: OptionSet, Sendable {
    let rawValue: UInt128

    init(rawValue: UInt128) {
        self.rawValue = rawValue
    }

    init(_ kinds: InvariantKind...) {
        self.init(kinds)
    }

    init(_ kinds: [InvariantKind]) {
        rawValue = kinds.reduce(0) { $0 | 1 << $1.rawValue }
    }

    func contains(_ kind: InvariantKind) -> Bool { rawValue & (1 << kind.rawValue) != 0 }

    static let received = InvariantKinds(InvariantKind.allCases.filter(\.isReceived))
    static let servers = InvariantKinds(InvariantKind.allCases.filter(\.isServers))
}
