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
    /// Whether it speaks the adapter protocol; otherwise it is judged from the wire alone.
    package var hasAdapter: Bool
    /// Whether Squall starts and ends its process; otherwise a person does.
    package var hasProcess: Bool
    /// What it said that it can show and do when it was asked before the suite.
    package var offer: ClientOffer
    package var limits: AdapterLimits

    package init(
        hasAdapter: Bool,
        hasProcess: Bool = true,
        offer: ClientOffer = .wireOnly,
        limits: AdapterLimits = AdapterLimits()
    ) {
        self.hasAdapter = hasAdapter
        self.hasProcess = hasProcess
        self.offer = offer
        self.limits = limits
    }
}
