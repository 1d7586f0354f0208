import Adapter
package import ChatWire
import SquallCore
import TemporalLogic
import Trace

extension InvariantName {
    /// The observables and events needed to check this invariant; empty if the traffic on the wire is sufficient.
    var needs: [String] {
        switch self {
        case .acceptedNeverLost: ["client.accepted", "message.status"]
        case .noDuplicateEffect, .oneLiveTransport, .subscriptionsFollowSession, .oldTransportDead, .authBounded,
            .backoffEnvelope, .liveness, .filesStoredOnce:
            []
        case .order: ["client.accepted"]
        case .honestUI, .terminalMeansStop, .livenessNotFooled, .statesWellFormed: ["connection.state"]
        case .noSilentGap: ["conversation.messages"]
        case .convergence: ["connection.state", "conversation.messages"]
        case .processSurvives: []
        case .waitsEnd: []
        case .countsAddUp: ["badge.app", "unread"]
        case .attemptsHaveReason: ["client.attempt.began"]
        case .frugal: []
        case .notificationsKept: ["client.notified"]
        case .cleanEnds: ["connection.state"]
        case .troubleIsTold: ["banner.kind"]
        case .noSecretInAddress: []
        case .surfacesAgree: []
        case .toldToTheServer: ["unread"]
        case .screenKeepsPlace: ["conversation.messages"]
        case .oneAtATime, .serverKeepsPromises: []
        case .readByTheUser: ["view.conversation"]
        }
    }
}

extension RunPlan {
    /// The invariants that cannot be checked for this client, with a reason for each.
    var uncheckableInvariants: [(name: InvariantName, why: String)] {
        guard let foreign = client.foreign else { return [] }
        let observability = Observability(of: foreign, hasOwnServer: upstream == nil)
        return InvariantName.allCases.compactMap { name in
            if let blind = name.needs.first(where: { !observability.sees($0) }) {
                return (name, observability.reasonUnobserved(to: blind))
            }
            guard name == .convergence else { return nil }
            // In real time, the fault-free period (calm) after the script would take minutes.
            if foreign.clock == .wall { return (name, "the client runs at wall time") }
            return foreign.hasCalm ? nil : (name, "--converge was not given")
        }
    }

    /// A skipped result for each invariant that cannot be checked for this client.
    private var skippedInvariants: [ExpectationResult] {
        uncheckableInvariants.map { name, why in
            ExpectationResult(
                location: .init(file: scenario.file, line: 1, column: 1),
                word: "invariant \(name.rawValue)",
                covers: [],
                verdict: .skipped,
                why: why,
                evidence: []
            )
        }
    }

    /// Returns the plan for running the same case with Squall's own client over real sockets. The run takes place in
    /// real time if the scenario has an upstream server.
    package func live() -> RunPlan {
        var plan = self
        guard upstream != nil else {
            plan.clock = .leaping
            plan.tolerance = .live
            return plan
        }
        let fitting = ScenarioFitting(scenario, to: nil, hasOwnServer: false)
        plan.scenario = fitting.scenario
        plan.clock = .wall
        plan.tolerance = .foreign
        plan.skipped = fitting.skipped
        return plan
    }

    /// Returns the plan for running the same case with a foreign client. Only what that client reports is checked. The
    /// run takes place in real time, unless the client's clock follows the run's and the server is Squall's own.
    package func judging(_ foreign: ForeignPlan, speaking wire: WireProfile) -> RunPlan {
        let fitting = ScenarioFitting(scenario, to: foreign, hasOwnServer: upstream == nil)
        var plan = self
        plan.scenario = fitting.scenario
        // A real client uses one set of wire names, so ignore the names for frames and fields in the scenario's own
        // profile. An unknown protocol defines no names.
        var wireNames = scenario.profile.wire.isUnknown ? scenario.profile.wire : wire
        wireNames.version = scenario.profile.wire.version
        wireNames.authVersion = scenario.profile.wire.authVersion
        plan.scenario.profile.wire = wireNames
        var foreign = foreign
        if upstream != nil { foreign.clock = .wall }
        plan.client = .foreign(foreign)
        plan.clock = foreign.clock == .virtual ? .leaping : .wall
        plan.tolerance = foreign.clock == .virtual ? .live : .foreign
        plan.skipped = fitting.skipped
        plan.skipped += plan.skippedInvariants
        return plan
    }
}
