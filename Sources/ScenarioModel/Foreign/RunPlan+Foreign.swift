package import ChatWire
import SquallCore
import TemporalLogic
import Trace

extension InvariantName {
    /// The observables and events without which it says nothing; empty where the wire suffices.
    var needs: [String] {
        switch self {
        case .acceptedNeverLost: ["client.accepted", "message.status"]
        case .noDuplicateEffect, .oneLiveTransport, .subscriptionsFollowSession, .oldTransportDead, .authBounded,
            .backoffEnvelope, .liveness, .filesStoredOnce:
            []
        case .order: ["client.accepted"]
        case .honestUI, .terminalMeansStop, .livenessNotFooled, .statesWellFormed: ["connection.state"]
        case .noSilentGap: ["conversation.messages"]
        }
    }
}

extension RunPlan {
    /// The invariants that say nothing of this client, whatever happens.
    var unseenInvariants: [ExpectationResult] {
        guard let foreign = client.foreign else { return [] }
        let sight = Observability(of: foreign, hasOwnServer: upstream == nil)
        return InvariantName.allCases.compactMap { name in
            guard let blind = name.needs.first(where: { !sight.sees($0) }) else { return nil }
            return ExpectationResult(
                location: .init(file: scenario.file, line: 1, column: 1),
                word: "invariant \(name.rawValue)",
                covers: [],
                verdict: .skipped,
                why: sight.blindness(to: blind),
                evidence: []
            )
        }
    }

    /// The same run of Squall's own client as its world and its server have it: at wall time where that is somebody else's.
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

    /// The same run with a client that Squall does not drive: at wall time, of what that client can show.
    package func judging(_ foreign: ForeignPlan, speaking wire: WireProfile) -> RunPlan {
        let fitting = ScenarioFitting(scenario, to: foreign, hasOwnServer: upstream == nil)
        var plan = self
        plan.scenario = fitting.scenario
        // A client speaks one dialect, whatever names the scenario's own profile gives frames and fields.
        var spoken = wire
        spoken.version = scenario.profile.wire.version
        spoken.authVersion = scenario.profile.wire.authVersion
        plan.scenario.profile.wire = spoken
        plan.client = .foreign(foreign)
        plan.clock = .wall
        plan.tolerance = .foreign
        plan.skipped = fitting.skipped
        plan.skipped += plan.unseenInvariants
        return plan
    }
}
