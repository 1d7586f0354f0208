package import Adapter

/// Who is judged.
package enum ClientPlan: Hashable, Sendable {
    /// Squall's own client, in process.
    case reference
    case foreign(ForeignPlan)

    /// As results and reports name it.
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

/// A client that Squall does not drive itself.
package struct ForeignPlan: Hashable, Sendable {
    /// Where it lives.
    package enum Home: String, Hashable, Sendable {
        /// A process that Squall starts, stops and ends.
        case process
        /// Somewhere; a person starts it.
        case elsewhere
        /// The process that Squall itself runs in: it can be asked to go, and nobody can stop it.
        case here
    }

    /// Whether it speaks the adapter protocol; otherwise it is judged from the wire alone.
    package var hasAdapter: Bool
    package var home: Home
    /// What it said that it can show and do when it was asked before the suite.
    package var offer: ClientOffer
    package var limits: AdapterLimits

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
