import SquallCore

// Derives the connection's observables from its phase.

extension Connection {
    /// The values from which the connection's observables are derived; if they have not changed, nothing is reported.
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
        case .probing: isReturning ? .reconnecting : .connecting
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
        default: isPolling ? .degraded : isReturning ? .reconnecting : .connecting
        }
    }

    /// The colour of the badge and the banner; computed in one place, so that the two cannot contradict each other.
    ///
    /// Red marks states in which the user must act.
    var tone: Tone {
        switch state {
        case .idle, .suspended: .grey
        case .connected: .green
        case .reconnecting where isBreaking: .red
        case .connecting, .authenticating, .reconnecting, .draining:
            rules.policy.shown.badge == .followsTheState ? .yellow : .green
        case .degraded: rules.policy.shown.degraded == .asItself ? .amber : .red
        case .captivePortal: .amber
        case .offline where isCalm: .grey
        case .offline, .authRequired, .unavailable: .red
        }
    }

    /// Whether the loss of the network is displayed in a neutral colour instead of a warning colour.
    private var isCalm: Bool {
        rules.profile.banner.style == .calm && rules.policy.shown.offline == .inItsStyle
    }

    // Yields the strings instead of returning them: a getter would copy all twelve even though only one is used.
    private var labels: ClientTexts.Label { _read { yield rules.profile.text.label } }

    var label: String {
        switch state {
        case _ where rules.policy.shown.label == .staysConnected: labels.connected
        case .idle where !isReachable && rules.policy.shown.disconnected == .asOffline: labels.offline
        case .idle: labels.idle
        case .connecting: labels.connecting
        case .authenticating: labels.authenticating
        case .connected: labels.connected
        case .reconnecting: labels.reconnecting
        case .degraded where rules.policy.shown.degraded == .asOffline: labels.offline
        case .degraded where rules.policy.shown.interval == .isFixed: labels.degraded.filling("interval", with: "30S")
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
        phase == .live ? "websocket" : isPolling ? "http" : "none"
    }

    var quality: LinkQuality {
        phase == .live ? heartbeat.quality : lastFailure == .pongTimeout ? .dead : .unknown
    }

    /// Whether the connection is live and no pong is overdue, so that the state pushed by the server is up to date.
    var isAnswering: Bool {
        mutating get { phase == .live && !heartbeat.isOverdue }
    }

    /// Whether a captive portal is known to respond instead of the server. This is not known while the client probes
    /// for the portal or the phone is offline.
    var isCaptive: Bool { suspectsPortal && phase != .probing && phase != .offline }

    /// Whether the client has used up its attempts and is waiting out a long pause before making a single further
    /// attempt.
    var isBreaking: Bool {
        if case .breaking = phase { true } else { false }
    }

    var openSockets: Int { surplus.count + (link?.isOpen ?? false ? 1 : 0) }

    var hasFailed: Bool { lastFailure != nil }
}
