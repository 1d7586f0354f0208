import Adapter
package import FakeServer
package import ReferenceClient
package import SquallCore
package import TemporalLogic
package import Trace

/// All parameters of a run. In simulation, the same plan always produces the same trace, byte for byte.
package struct RunPlan: Sendable {
    package var scenario: Scenario
    package var seed: Seed
    package var policy: Policy
    package var serverPolicy: ServerPolicy
    /// The names of the planted defects (deliberate bugs), for the trace header.
    package var defects: [String]
    package var clock: TraceHeader.Clock
    /// The tolerance that is added to every time limit; zero in simulation.
    package var tolerance: Tolerance
    /// The client under test.
    package var client = ClientPlan.reference
    /// Whether an external program controls the run, in addition to the script. Such a run continues until that program
    /// ends it.
    package var isConducted = false
    /// Whether the run records the content of messages that the profile does not define. This is needed only for an
    /// upstream server.
    package var recordsTexts = false
    /// The event at which to hold (freeze) the run, once; nil if the run is not to be held.
    package var holdAt: Condition?
    /// Whether the run ends as soon as an invariant is violated. In that case, only violations of invariants are
    /// reported.
    package var endsAtViolation = false
    /// Whether the script continues after a `wait` times out. True for perturbed runs, in which a wait may never be
    /// satisfied.
    package var continuesAfterWaitTimeout = false
    /// The steps and expectations that cannot be run or checked for this client. They are reported as skipped.
    package var skipped: [ExpectationResult] = []
    /// The profile's client settings without planted defects. A defect changes the client's behaviour, but not the
    /// rules that the client is checked against.
    let clientWithoutDefects: ClientProfile

    /// The address of the user's own server, which replaces the fake server; nil if the run uses the fake server.
    package var upstream: UpstreamAddress? {
        let address = scenario.profile.server.upstream
        return address.isEmpty ? nil : try? UpstreamAddress(parsing: address)
    }

    /// Whether the run ends with a fault-free (calm) period, after which clients and server must agree.
    ///
    /// This requires the fake server, whose stored state is compared, and a client whose clock Squall controls. If an
    /// external program controls the run, that program also controls the time, so there is no such period.
    var hasCalm: Bool {
        guard upstream == nil, !isConducted, invariantSettings.waived[.convergence] == nil else { return false }
        guard let foreign = client.foreign else { return true }
        return foreign.hasCalm && foreign.clock == .virtual
            && InvariantName.convergence.needs.allSatisfy(foreign.offer.shows)
    }

    package init(_ scenario: Scenario, seed: Seed = Seed(1), clock: TraceHeader.Clock = .sim) {
        self.scenario = scenario
        clientWithoutDefects = scenario.profile.client
        self.seed = seed
        policy = Policy.reference
        serverPolicy = ServerPolicy()
        defects = []
        self.clock = clock
        tolerance = clock == .sim ? .none : .live
    }

    /// Returns whether a defect belongs to Squall's own client. Such a defect cannot be planted in a foreign client.
    package static func isOfReferenceClient(defect name: String) -> Bool { Defect.named(name) != nil }

    /// The names of all defects of Squall's own client and of the fake server.
    package static var defectNames: [String] { Defect.all.map(\.name) + ServerDefect.all.map(\.name) }

    /// The header of the run's trace.
    var header: TraceHeader {
        TraceHeader(
            language: 1,
            tool: SquallVersion.current,
            scenario: scenario.file,
            variant: scenario.variant,
            profile: scenario.profile.name,
            seed: seed,
            clock: clock,
            defects: defects,
            client: client.foreign?.json
        )
    }

    /// Plants a defect in the client or the server; returns `false` if no defect has that name.
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
    /// The tolerance for foreign clients: 250 ms plus 2 % of the time limit, because pipes and the scheduler delay
    /// every report.
    package static var foreign: Tolerance {
        Tolerance(fixed: .milliseconds(250), share: Ratio(2, of: 100) ?? .never)
    }

    /// The tolerance for Squall's own client with real sockets: 50 ms (20 ms in release builds) plus 2 % of the time
    /// limit.
    package static var live: Tolerance {
        #if DEBUG
            let fixed = TimeSpan.milliseconds(50)
        #else
            let fixed = TimeSpan.milliseconds(20)
        #endif
        return Tolerance(fixed: fixed, share: Ratio(2, of: 100) ?? .never)
    }
}
