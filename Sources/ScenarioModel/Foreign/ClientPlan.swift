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
    /// The kind of place where the client runs.
    package enum Home: String, Hashable, Sendable {
        /// The client runs in a process that Squall starts, pauses and ends.
        case process
        /// The client runs anywhere; a person starts it.
        case elsewhere
        /// The client runs in the same process as Squall: it can be asked to end, but it cannot be paused.
        case here
        /// The client runs in an app that polls for its commands: it can be asked to restart, but it cannot be paused.
        case app
    }

    /// A part of a profile that the client claims to follow. The client is not judged by parts that it does not claim.
    package enum Claim: String, Hashable, Sendable, CaseIterable {
        case reconnect, heartbeat
    }

    /// Whether the client implements the adapter protocol. Otherwise it is judged only by what is observed on the wire.
    package var hasAdapter: Bool
    package var home: Home
    /// The observables and commands that the client supports, as it stated before the suite.
    package var offer: ClientOffer
    package var limits: AdapterLimits
    package var claims: Set<Claim> = []

    package init(
        hasAdapter: Bool,
        home: Home = .process,
        offer: ClientOffer = .wireOnly,
        limits: AdapterLimits = AdapterLimits()
    ) {
        self.hasAdapter = hasAdapter
        self.home = home
        self.offer = offer
        self.limits = limits
    }
}

extension ForeignPlan.Claim {
    /// Returns the claims of a client that uses this profile: the parts that differ from the default profile, or all
    /// parts if it is the default profile itself.
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
