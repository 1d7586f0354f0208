package import Adapter
import ReferenceClient

/// The client that a run tests.
package enum ClientPlan: Hashable, Sendable {
    /// Squall's own client, which runs in Squall's process.
    case reference
    case foreign(ForeignPlan)

    /// The client's name in results and reports.
    package var name: String {
        switch self {
        case .reference: "reference"
        case .foreign(let plan): plan.offer.name
        }
    }

    package var foreign: ForeignPlan? {
        if case .foreign(let plan) = self { plan } else { nil }
    }
}

/// A foreign client: a client under test that is not Squall's own.
package struct ForeignPlan: Hashable, Sendable {
    /// The environment in which the client runs. It determines how Squall can control the client.
    package enum Home: String, Hashable, Sendable {
        /// The client runs in a process that Squall starts, pauses and terminates.
        case process
        /// The client runs on any device, where a person starts it.
        case elsewhere
        /// The client runs on any device. A person starts it and performs user steps when Squall asks for them.
        case attended
        /// The client runs in Squall's own process. Squall can ask it to stop, but cannot pause it.
        case here
        /// The client runs in an app that polls for its commands. Squall can ask it to restart, but cannot pause it.
        case app
    }

    /// A part of a profile that the client claims to follow. Checks that depend on an unclaimed part are not applied.
    package enum Claim: String, Hashable, Sendable, CaseIterable {
        case reconnect, heartbeat
    }

    /// Whether the client implements the adapter protocol. Without an adapter, only its traffic on the wire is checked.
    package var hasAdapter: Bool
    package var home: Home
    /// The observables and commands that the client supports, as it declared them before the suite was run.
    package var offer: AdapterCapabilities
    package var limits: AdapterLimits
    package var claims: Set<Claim> = []
    /// The clock that the client's timers follow in this run.
    package var clock: AdapterClock
    /// Whether a run in virtual time ends with the fault-free period (calm) in which client and server are compared.
    package var hasCalm = false

    package init(
        hasAdapter: Bool,
        home: Home = .process,
        offer: AdapterCapabilities = .wireOnly,
        limits: AdapterLimits = AdapterLimits()
    ) {
        self.hasAdapter = hasAdapter
        self.home = home
        self.offer = offer
        self.limits = limits
        // Squall controls the clock only of a client that runs in a process. Any other client's answer could overtake
        // data that the client sent before it.
        clock = home == .process ? offer.clock : .wall
    }
}

extension ForeignPlan.Claim {
    /// Returns the claims of a client that uses this profile: the parts in which the profile differs from the default
    /// profile, or all parts for the default profile itself.
    package static func all(of profile: Profile) -> Set<Self> {
        let usual = Profile()
        var claims: Set<Self> = []
        if profile.name == usual.name || profile.client.reconnect != usual.client.reconnect {
            claims.insert(.reconnect)
        }
        if profile.name == usual.name || profile.client.heartbeat != usual.client.heartbeat {
            claims.insert(.heartbeat)
        }
        return claims
    }
}
