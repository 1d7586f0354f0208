import ChatWire
import FakeServer
import ReferenceClient
import SquallCore
package import TemporalLogic

extension Scenario {
    /// What the standing invariants go by in this scenario: the profile's numbers, and what the file waives.
    package var invariantSettings: InvariantSettings {
        let client = profile.client
        // A client that has given up for a while may be in the middle of its pause when the weather clears.
        let breakerPause = client.reconnect.onExhausted == .breaker ? client.reconnect.breakerPause : .zero
        var settings = InvariantSettings(
            backoff: BackoffBounds(
                base: client.reconnect.base,
                cap: client.reconnect.cap,
                floor: client.reconnect.floor,
                jitter: Ratio(UInt32(clamping: client.reconnect.jitterPercent), of: 100) ?? .never
            ),
            liveness: client.reconnect.cap + client.reconnect.cap + client.connect.timeout + breakerPause,
            refetch: client.sync.timeout,
            storing: .milliseconds(50),
            transitions: Client.transitions.map { StateTransition($0.from, $0.to) }
        )
        let canAsk = profile.wire.has(.ping, by: .client) && profile.wire.has(.pong, by: .server)
        if client.heartbeat.interval > .zero, canAsk {
            settings.pongLimit = client.heartbeat.pongLimit
            // What the server's hello asks for goes before what the client would do by itself.
            let asked = profile.server.heartbeat.asked
            settings.deadTime = (asked > .zero ? asked : client.heartbeat.interval) + client.heartbeat.pongLimit
        } else if client.heartbeat.interval > .zero, profile.wire.has(.ping, by: .server),
            profile.server.heartbeat.interval > .zero
        {
            // It listens for the server's pings instead.
            settings.deadTime = profile.server.heartbeat.interval + client.heartbeat.pongLimit
        }
        for waiver in waivers {
            if let name = InvariantName(rawValue: waiver.invariant) { settings.waived[name] = waiver.reason }
        }
        return settings
    }
}

extension RunPlan {
    /// What the standing invariants go by in this run.
    package var invariantSettings: InvariantSettings {
        var meant = scenario
        meant.profile.client = soundClient
        var settings = meant.invariantSettings
        // Which of its states may follow which is a client's own affair.
        if client.foreign != nil { settings.transitions = [] }
        return settings
    }
}
