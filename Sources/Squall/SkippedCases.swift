import Adapter
import ScenarioModel
import SquallCore
import TLSLink
import TemporalLogic
import Trace

extension CaseResult {
    /// Creates the result for a case that is skipped because the profile's protocol lacks frames that the scenario
    /// needs. Returns nil if the case can be run.
    init?(unsupported plan: RunPlan, world: World) {
        let unsupportedFrames = plan.scenario.unsupportedFrames
        guard !unsupportedFrames.isEmpty else { return nil }
        let reasons = unsupportedFrames.map { (location: $0.location, word: "profile", why: $0.message) }
        self.init(skipping: plan, world: world, reasons)
    }

    /// Creates the result for a case that is skipped because its links need TLS, which this build or the client does
    /// not support. Returns nil if the case can be run.
    init?(unsecured plan: RunPlan, _ client: ClientAnswer) {
        let security = LinkSecurity(plan.scenario.profile.server)
        guard security.isAny else { return nil }
        let start = SourceLocation(file: plan.scenario.file, line: 1, column: 1)
        var why: String?
        if !TLS.isBuilt {
            why = "\(TLSError.notBuilt)"
        } else if security.ofClients, case .foreign(let foreign) = client, foreign.hasAdapter,
            !foreign.offer.supportsTLS
        {
            why = "the client does not connect by TLS: its init_ok lacks \"tls\": true"
        }
        guard let why else { return nil }
        self.init(skipping: plan, world: .live, [(location: start, word: "tls", why: why)])
    }

    /// Creates the result for a case that is skipped because it has several clients but there is only one app. Returns
    /// nil if the case can be run.
    init?(crowded plan: RunPlan, _ client: ClientAnswer) {
        let count = plan.scenario.clients.count
        guard count > 1, case .foreign(let foreign) = client, foreign.home == .app else { return nil }
        let start = SourceLocation(file: plan.scenario.file, line: 1, column: 1)
        let why = "the scenario has \(count) clients, and one app plays one"
        self.init(skipping: plan, world: .live, [(location: start, word: "clients", why: why)])
    }

    /// Creates the result for a case that is skipped because it allows none of the selected worlds (sim or live), with
    /// the reason from its file. Returns nil if the case allows one of them.
    init?(elsewhere plan: RunPlan, than worlds: [World]) {
        guard let world = worlds.first, !worlds.contains(where: plan.scenario.allows) else { return nil }
        let why: String
        switch plan.scenario.worlds {
        case .simOnly(let reason): why = "for sim only: \(reason)"
        case .liveOnly(let reason): why = "for live only: \(reason)"
        case .both: return nil
        }
        let start = SourceLocation(file: plan.scenario.file, line: 1, column: 1)
        self.init(skipping: plan, world: world, [(location: start, word: "worlds", why: why)])
    }

    private init(
        skipping plan: RunPlan,
        world: World,
        _ reasons: [(location: SourceLocation, word: String, why: String)]
    ) {
        let result = RunResult(unplayed: plan)
        var plan = plan
        plan.skipped = reasons.map { reason in
            ExpectationResult(
                location: reason.location,
                word: reason.word,
                covers: [],
                verdict: .skipped,
                why: reason.why,
                evidence: []
            )
        }
        self.init(result, of: plan, world: world, wall: .zero)
    }
}
