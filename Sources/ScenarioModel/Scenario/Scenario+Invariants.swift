import ChatWire
import FakeServer
import ReferenceClient
import SquallCore
package import TemporalLogic

extension Scenario {
    /// The settings of the invariants that are checked in every run: the profile's numbers and the file's waivers.
    package var invariantSettings: InvariantSettings {
        let client = profile.client
        // When the last fault ends, the client's circuit breaker may have just opened, so allow for its pause.
        let breakerPause = client.reconnect.onExhausted == .breaker ? client.reconnect.breakerPause : .zero
        var settings = InvariantSettings(
            backoff: BackoffBounds(
                base: client.reconnect.base,
                cap: client.reconnect.cap,
                floor: client.reconnect.floor,
                jitter: Ratio(UInt32(clamping: client.reconnect.jitterPercent), of: 100) ?? .never,
                spread: Ratio(UInt32(clamping: client.drain.jitterPercent), of: 100) ?? .never
            ),
            liveness: client.reconnect.cap + client.reconnect.cap + client.connect.timeout + breakerPause,
            refetch: client.sync.timeout,
            writeTime: .milliseconds(50),
            sending: client.send.pendingLimit,
            banner: max(client.banner.grace, client.banner.reappear),
            transitions: Client.transitions.map { StateTransition($0.from, $0.to) }
        )
        settings.isOwnClient = true
        settings.polling = client.poll.interval
        settings.sockets = client.connect.sockets
        settings.viewingTimeout = client.screen.transition + .seconds(1)
        settings.acknowledges = profile.wire.has(.messageAck, by: .client)
        settings.reportsReading = profile.wire.has(.readReceipt, by: .client)
        settings.tapTimeout = client.http.timeout + .seconds(2)
        let attempts = client.reconnect.maxAttempts
        settings.maximumAttempts = attempts > 0 ? max(attempts, client.drain.maxAttempts) : nil
        settings.offersEveryDeletion = client.delete.offered == .any
        settings.smallestChunk = min(client.upload.chunkMin, client.upload.chunk)
        settings.shrunkChunk = client.upload.chunkMin
        settings.failuresBeforeSmallerChunks = client.upload.lowerAfter
        settings.requiresServerTraffic = client.heartbeat.serverLimit > .zero
        settings.readsOnOpening = client.unread.clearOn == .open
        if client.reconnect.onExhausted == .poll, client.reconnect.pollingPause > .zero {
            let pause = client.reconnect.pollingPause
            let jitter = Ratio(UInt32(clamping: client.reconnect.jitterPercent), of: 100) ?? .never
            settings.pauseAfterGivingUp = pause - jitter.of(pause)
        }
        let canAsk = profile.wire.has(.ping, by: .client) && profile.wire.has(.pong, by: .server)
        if client.heartbeat.interval > .zero, canAsk {
            // An interval in the server's `hello` frame overrides the client's own interval.
            let isAsked = profile.wire.hasField(.heartbeatInterval, in: .hello, by: .server)
            // The `hello` frame states the interval in whole milliseconds.
            let asked = isAsked ? profile.server.heartbeat.asked.roundedUp(to: .milliseconds(1)) : .zero
            settings.pingInterval = asked > .zero ? asked : client.heartbeat.interval
            let longest = max(client.heartbeat.pongLimit, client.heartbeat.pongLimitCap)
            settings.pongLimit = client.heartbeat.pongLimit
            settings.longestPongLimit = longest
            settings.deadTime = (asked > .zero ? asked : client.heartbeat.interval) + longest
        } else if client.heartbeat.interval > .zero, profile.wire.has(.ping, by: .server),
            profile.server.heartbeat.interval > .zero
        {
            // A client that sends no pings relies on the server's pings. If no frame states the interval of those
            // pings, the client uses the interval in its profile. The connect timeout is added because frames outside
            // the chat protocol, which are not in the trace, may restart the client's time limit after it has
            // connected.
            let known = profile.wire.has(.hello, by: .server) ? .zero : client.heartbeat.interval
            settings.deadTime =
                max(profile.server.heartbeat.interval, known) + client.heartbeat.pongLimit + client.connect.timeout
        }
        if profile.wire.isUnknown {
            // Without a login, a connection attempt is complete when the WebSocket is open.
            settings.transitions += settings.transitions.filter { $0.to == "authenticating" }
                .map { StateTransition($0.from, "connected") }
        }
        for waiver in waivers {
            if let name = InvariantName(rawValue: waiver.invariant) { settings.waived[name] = waiver.reason }
        }
        return settings
    }
}

extension RunPlan {
    /// The settings of the invariants in this run. Planted defects (deliberate bugs) do not change them.
    package var invariantSettings: InvariantSettings {
        var meant = scenario
        meant.profile.client = clientWithoutDefects
        var settings = meant.invariantSettings
        if let foreign = client.foreign {
            settings.fit(foreign.claims)
            for (name, why) in uncheckableInvariants { settings.hidden[name] = why }
        }
        return settings
    }
}

extension InvariantSettings {
    /// Removes or relaxes the settings that apply only to Squall's own client, and the profile settings that a foreign
    /// client does not claim to meet.
    fileprivate mutating func fit(_ claims: Set<ForeignPlan.Claim>) {
        // Only Squall's own client has these state transitions.
        transitions = []
        awaitsDrain = false
        isOwnClient = false
        displayDelay = .seconds(1)
        viewingTimeout = max(viewingTimeout, .seconds(10))
        acknowledges = false
        readsOnOpening = false
        tapTimeout = nil
        maximumAttempts = nil
        smallestChunk = nil
        hidden[.oldTransportDead] = "the wire shows what arrives, and not whether it has an effect"
        if !claims.contains(.reconnect) { backoff = nil }
        if !claims.contains(.heartbeat) {
            pingInterval = nil
            pongLimit = nil
            deadTime = deadTime.map { max($0, Self.longestSilence) }
        }
    }

    /// The maximum time without received data after which any client, with or without heartbeats, must have detected
    /// that its connection is dead.
    private static let longestSilence = TimeSpan.seconds(120)
}
