package import FakeServer
package import ReferenceClient
package import SquallCore
package import TemporalLogic
package import Trace

/// All that decides how a run goes: same plan, same run in sim, byte for byte.
package struct RunPlan: Sendable {
    package var scenario: Scenario
    package var seed: Seed
    package var policy: Policy
    package var serverPolicy: ServerPolicy
    /// The names of the defects that policy and profile hold, for the trace's header.
    package var defects: [String]
    package var clock: TraceHeader.Clock
    /// What is added to every bound: zero in sim.
    package var tolerance: Tolerance
    /// Who is judged.
    package var client = ClientPlan.reference
    /// Whether somebody outside conducts it, beside its script; it goes on until they end it.
    package var isConducted = false
    /// What could not be judged of this client, told beside what could.
    package var skipped: [ExpectationResult] = []
    /// The profile's client as it is meant: a defect breaks the client that is played, not what it is judged by.
    let soundClient: ClientProfile

    /// Somebody else's server, in the place of Squall's own; nil for none.
    package var upstream: UpstreamAddress? {
        let address = scenario.profile.server.upstream
        return address.isEmpty ? nil : try? UpstreamAddress(parsing: address)
    }

    package init(_ scenario: Scenario, seed: Seed = Seed(1), clock: TraceHeader.Clock = .sim) {
        self.scenario = scenario
        soundClient = scenario.profile.client
        self.seed = seed
        policy = Policy.reference
        serverPolicy = ServerPolicy()
        defects = []
        self.clock = clock
        tolerance = clock == .sim ? .none : .live
    }

    /// Whether a defect is one of Squall's own client, which another client cannot have.
    package static func isOfReferenceClient(defect name: String) -> Bool { Defect.named(name) != nil }

    /// Breaks client or server in a known way; false where no defect has that name.
    package mutating func add(defect name: String) -> Bool {
        if let defect = Defect.named(name) {
            defect.apply(to: &policy, &scenario.profile.client)
        } else if let defect = ServerDefect.all.first(where: { $0.name == name }) {
            defect.change(&serverPolicy)
        } else {
            return false
        }
        defects.append(name)
        return true
    }
}

extension Tolerance {
    /// For a process of its own, whose every word goes through pipes and a scheduler: 250 ms, plus 2 % of the bound.
    package static var foreign: Tolerance {
        Tolerance(fixed: .milliseconds(250), share: Ratio(2, of: 100) ?? .never)
    }

    /// 50 ms in debug, 20 ms in release, plus 2 % of the bound.
    package static var live: Tolerance {
        #if DEBUG
            let fixed = TimeSpan.milliseconds(50)
        #else
            let fixed = TimeSpan.milliseconds(20)
        #endif
        return Tolerance(fixed: fixed, share: Ratio(2, of: 100) ?? .never)
    }
}
