import SquallCore

// What the user sees of the connection, derived and never set.

extension Connection {
    /// All that what is shown of the connection follows from: while it stays the same, nothing of that changes.
    struct Look: Equatable {
        let state: ConnectionState
        let isBreaking: Bool
        let transport: String
        let host: String?
        let isReachable: Bool
        let isCaptive: Bool
        let failures: Int64
        let lastFailure: Failure?
        let openSockets: Int
        let nextAttemptIn: TimeSpan?
        let roundTrip: TimeSpan?
        let quality: LinkQuality
        let requiresNewKey: Bool
        let newerVersion: Int64?
    }

    mutating func takeLook() -> Look {
        Look(
            state: state,
            isBreaking: isBreaking,
            transport: transport,
            host: host,
            isReachable: isReachable,
            isCaptive: isCaptive,
            failures: backoff.failures,
            lastFailure: lastFailure,
            openSockets: openSockets,
            nextAttemptIn: nextAttemptIn,
            roundTrip: heartbeat.roundTrip,
            quality: quality,
            requiresNewKey: credentials.requiresNew,
            newerVersion: credentials.newerVersion
        )
    }

    var state: ConnectionState {
        switch phase {
        case .idle: .idle
        case .probing: .connecting
        case .opening: openingState
        case .live: .connected
        case .waiting, .breaking: .reconnecting
        case .draining: .draining
        case .polling: .degraded
        case .stopped: .unavailable
        case .offline: .offline
        case .captive: .captivePortal
        case .refused: .authRequired
        case .suspended: .suspended
        }
    }

    private var openingState: ConnectionState {
        switch link?.stage {
        case .awaitingHello where rules.policy.shown.connected == .onceOpened: .connected
        case .authenticating where rules.policy.shown.connected == .onceOpened: .connected
        case .authenticating: .authenticating
        default: isReturning ? .reconnecting : .connecting
        }
    }

    /// One tone a state, so that badge and banner cannot contradict each other.
    ///
    /// Red is for what waits for the user.
    var tone: Tone {
        switch state {
        case .idle, .suspended: .grey
        case .connected: .green
        case .reconnecting where isBreaking: .red
        case .connecting, .authenticating, .reconnecting, .draining: .yellow
        case .degraded: rules.policy.shown.degraded == .asItself ? .amber : .red
        case .captivePortal: .amber
        case .offline, .authRequired, .unavailable: .red
        }
    }

    // Lent, not copied: one is taken of twelve.
    private var labels: ClientTexts.Label { _read { yield rules.profile.text.label } }

    var label: String {
        switch state {
        case .idle: labels.idle
        case .connecting: labels.connecting
        case .authenticating: labels.authenticating
        case .connected: labels.connected
        case .reconnecting: labels.reconnecting
        case .degraded where rules.policy.shown.degraded == .asOffline: labels.offline
        case .degraded: labels.degraded.filling("interval", with: rules.profile.poll.interval.label)
        case .offline: labels.offline
        case .captivePortal: labels.captivePortal
        case .draining: labels.draining
        case .authRequired: labels.authRequired
        case .unavailable: labels.unavailable
        case .suspended: labels.suspended
        }
    }

    var transport: String {
        switch phase {
        case .live: "websocket"
        case .polling: "http"
        default: "none"
        }
    }

    var quality: LinkQuality {
        phase == .live ? heartbeat.quality : lastFailure == .pongTimeout ? .dead : .unknown
    }

    /// Connected, and no ping is overdue: what the server has said is as new as can be.
    var isAnswering: Bool {
        mutating get { phase == .live && !heartbeat.isOverdue }
    }

    /// Behind a portal, as far as the last answer tells.
    var isCaptive: Bool { suspectsPortal && phase != .probing && phase != .offline }

    /// The attempts are spent for now.
    var isBreaking: Bool {
        if case .breaking = phase { true } else { false }
    }

    var openSockets: Int { surplus.count + (link?.isOpen ?? false ? 1 : 0) }

    var hasFailed: Bool { lastFailure != nil }
}
