package import Adapter
import ReferenceClient

/// The client that a run judges.
package enum ClientPlan: Hashable, Sendable {
    /// Squall's own client, in process.
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

/// A client under test that is not Squall's own.
package struct ForeignPlan: Hashable, Sendable {
    /// Where the client runs.
    package enum Home: String, Hashable, Sendable {
        /// In a process that Squall starts, pauses and ends.
        case process
        /// Anywhere: a person starts it.
        case elsewhere
        /// In the process that Squall runs in: it can be asked to end, but it cannot be paused.
        case here
        /// In an app that polls for its commands: it can be asked to restart, but it cannot be paused.
        case app
    }

    /// A part of a profile that the client claims to follow. It is not judged by parts that it does not claim.
    package enum Claim: String, Hashable, Sendable, CaseIterable {
        case reconnect, heartbeat
    }

    /// Whether the client speaks the adapter protocol. Otherwise it is judged from the wire alone.
    package var hasAdapter: Bool
    package var home: Home
    /// What the client can show and do, as it answered before the suite.
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
    /// What a client that uses this profile claims: the parts that differ from the default profile, and for
    /// the default profile itself, everything.
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
