/// The kind of an event for the invariants, found once per name instead of in each of the invariants.
///
/// There are at most 64 kinds, since each has one bit in ``InvariantKinds``.
enum InvariantKind: UInt64, Sendable, CaseIterable {
    case started, killed, suspended, woke
    case attemptBegan, attemptFailed, connected, disconnected, gaveUp
    case backoffBegan, backoffCancelled
    case accepted, gapDetected, refreshBegan, requested
    case sentConnect, sentPing, sentSync, sentOther
    case receivedHello, receivedConnected, receivedAuthError, receivedPing, receivedPong, receivedReplay
    case receivedDraining, receivedError, receivedUnknown, receivedOther
    case connectionState, linkState, openSockets, syncInFlight, refreshInFlight, lastSequence, reachable, captive
    case messageList, rows, messageStatus
    /// A file is accepted, stored, or changes its state.
    case file
    case serverStarted, serverStopped, serverStored, serverSent, serverClosed, serverUpgraded, serverDisturbed
    case serverHeld, serverReleased, serverRuled, serverOther
    case networkDisturbed, faultBegan, faultEnded, faultLifted
    case background, foreground, asked
    /// The user disconnects.
    case left
    /// The run compares a client with the server after its calm.
    case compared

    init?(_ name: String) {
        if let exact = Self.exact[name] {
            self = exact
            return
        }
        guard let found = Self.above.first(where: { $0.0.isAbove(name) }) else { return nil }
        self = found.1
    }

    /// The kinds of all other names below these.
    private static let above: [(String, InvariantKind)] = [
        ("client.sent", .sentOther), ("client.received", .receivedOther), ("client.requested", .requested),
        ("server.sent", .serverSent), ("server.rejected", .serverDisturbed),
        ("server.swallowed", .serverDisturbed), ("server", .serverOther), ("user", .asked), ("device", .asked),
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
        "client.unknown_frame": .receivedUnknown, "client.malformed_frame": .receivedUnknown,
        "connection.state": .connectionState, "link.state": .linkState, "connection.open_sockets": .openSockets,
        "sync.in_flight": .syncInFlight, "refresh.in_flight": .refreshInFlight, "sync.last_sequence": .lastSequence,
        "network.reachable": .reachable, "network.captive": .captive,
        "conversation.messages": .messageList, "view.rows": .rows, "message.status": .messageStatus,
        "client.shared": .file, "upload.state": .file, "server.uploaded": .file,
        "server.started": .serverStarted, "server.stopped": .serverStopped, "server.stored": .serverStored,
        "server.closed": .serverClosed, "server.answered.ws": .serverUpgraded,
        "server.session_forgotten": .serverDisturbed, "server.protocol_error": .serverDisturbed,
        "server.hold": .serverHeld, "server.release": .serverReleased, "server.delay": .serverRuled,
        "server.rule": .serverRuled,
        "network.refused": .networkDisturbed,
        "network.answered": .networkDisturbed, "network.dropped": .networkDisturbed,
        "network.upgrade.refused": .networkDisturbed,
        "fault.began": .faultBegan, "fault.ended": .faultEnded, "fault.lifted": .faultLifted,
        "device.background": .background, "device.foreground": .foreground, "user.disconnect": .left,
        "run.compared": .compared,
    ]

    /// Whether an event that names a client matters to all clients, as an event about the server's store does.
    var concernsAll: Bool { self == .serverStored || self == .serverStarted || self == .serverStopped }

    var isReceived: Bool { (Self.receivedHello.rawValue...Self.receivedOther.rawValue).contains(rawValue) }
    var isServers: Bool { (Self.serverStarted.rawValue...Self.serverOther.rawValue).contains(rawValue) }
}

/// A set of kinds, one bit each.
struct InvariantKinds: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) {
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
