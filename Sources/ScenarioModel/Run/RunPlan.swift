package import FakeServer
package import ReferenceClient
package import SquallCore
package import TemporalLogic
package import Trace

/// Everything that determines a run: in sim the same plan gives the same trace, byte for byte.
package struct RunPlan: Sendable {
    package var scenario: Scenario
    package var seed: Seed
    package var policy: Policy
    package var serverPolicy: ServerPolicy
    /// The names of the planted defects, for the trace's header.
    package var defects: [String]
    package var clock: TraceHeader.Clock
    /// The tolerance that is added to every bound: zero in sim.
    package var tolerance: Tolerance
    /// The client under test.
    package var client = ClientPlan.reference
    /// Whether a program conducts the run from outside, in addition to the script. Such a run lasts until the program
    /// ends it.
    package var isConducted = false
    /// Whether messages without a role in the profile are recorded with their texts, of a server that is not Squall's.
    package var recordsTexts = false
    /// The event at which the run is held for a reader, once; nil for none.
    package var holdAt: Condition?
    /// Whether the run ends as soon as a standing invariant is violated. Then only these violations are judged.
    package var endsAtViolation = false
    /// Whether the script continues when a `wait` is not met within its bound, as in a perturbed run, whose course
    /// differs from the one that the script was written for.
    package var goesOnAfterWaits = false
    /// The parts that cannot be judged for this client, which are reported as skipped.
    package var skipped: [ExpectationResult] = []
    /// The profile's client without defects: a defect changes the client that plays, not the rules that judge it.
    let soundClient: ClientProfile

    /// The server that replaces Squall's own; nil for none.
    package var upstream: UpstreamAddress? {
        let address = scenario.profile.server.upstream
        return address.isEmpty ? nil : try? UpstreamAddress(parsing: address)
    }

    /// Whether a calm at the end of the run shows that client and server agree.
    ///
    /// It needs Squall's own server, whose store it reads, and a client whose time Squall controls. The time of a
    /// conducted run belongs to the program that conducts it.
    var hasCalm: Bool {
        client.foreign == nil && upstream == nil && !isConducted && invariantSettings.waived[.convergence] == nil
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

    /// Whether a defect belongs to Squall's own client, so that a foreign client cannot have it.
    package static func isOfReferenceClient(defect name: String) -> Bool { Defect.named(name) != nil }

    /// The names of all defects, of Squall's own client and of its server.
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

    /// Plants a defect in the client or the server; returns false if there is none with that name.
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
    /// The tolerance for foreign clients: 250 ms plus 2 % of the bound, as pipes and the scheduler delay every report.
    package static var foreign: Tolerance {
        Tolerance(fixed: .milliseconds(250), share: Ratio(2, of: 100) ?? .never)
    }

    /// The tolerance for Squall's own client in the live world: 50 ms (20 ms in release builds) plus 2 % of the bound.
    package static var live: Tolerance {
        #if DEBUG
            let fixed = TimeSpan.milliseconds(50)
        #else
            let fixed = TimeSpan.milliseconds(20)
        #endif
        return Tolerance(fixed: fixed, share: Ratio(2, of: 100) ?? .never)
    }
}
