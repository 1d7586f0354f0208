import Exploration
import Panel
import Reports
import ScenarioLanguage
import ScenarioModel
import Sockets
import Squall
import SquallCore
import TemporalLogic
import Trace

/// Connects the web panel of `squall serve` to the run.
struct ServedPanel: PanelBackend {
    private let weather: ConductedRun
    private let actions: StepActions
    /// The profile and the clients of a recorded scenario, without its script.
    private let head: Draft
    private let origin: RecordingOrigin

    /// Starts the web panel of a run.
    ///
    /// - Throws: ``SquallError`` if the address or the port is not available.
    static func start(
        at place: PanelServer.Place,
        for weather: ConductedRun,
        _ scenario: Scenario,
        _ actions: TypableActions,
        _ origin: RecordingOrigin,
        head: Draft
    ) async throws -> PanelServer {
        let actions = StepActions(actions.actions, sharingKeysWith: TypableActions.secured.actions)
        var generator = SystemRandomNumberGenerator()
        let page: JSON = [
            "title": .string(origin.rawValue), "language": "step", "holds": true, "records": true,
            "heal": ["action": "network.heal", "field": "label"], "heal_all": "network.heal_all",
            "notes": .array((origin == .serve ? ["key \(scenario.key)"] : []) + ["profile \(scenario.profile.name)"]),
            "clients": .array(scenario.clients.map { ["name": .string($0.name)] }),
            "invariants": .array(
                InvariantName.allCases.map { ["name": .string($0.rawValue), "meaning": .string($0.meaning)] }
            ),
        ]
        do {
            return try await PanelServer.start(
                at: place,
                token: PanelAccess.randomToken(using: &generator),
                page: page,
                catalogue: actions.catalogue,
                feed: PanelFeed(clients: scenario.clients),
                backend: ServedPanel(weather: weather, actions: actions, head: head, origin: origin)
            )
        } catch let error as SocketError {
            throw SquallError.failed("--panel: \(error)")
        }
    }

    func line(of form: PanelForm) -> String { actions.step(of: form) }

    func check(_ form: PanelForm) throws(PanelError) {
        do throws(SquallError) { try weather.check(line(of: form)) } catch { throw PanelError(error.message) }
    }

    func perform(_ form: PanelForm) async throws(PanelError) {
        try await refusing { _ = try await weather.perform(line(of: form)) }
    }

    func perform(_ order: String) async throws(PanelError) {
        guard let order = HoldOrder(rawValue: order) else { throw PanelError("there is no order '\(order)'") }
        try await refusing { try await weather.perform(order) }
    }

    private func refusing(_ body: () async throws -> Void) async throws(PanelError) {
        do {
            try await body()
        } catch let error as SquallError {
            throw PanelError(error.message)
        } catch {
            throw PanelError("the run is over")
        }
    }

    func present() async -> PanelState {
        guard let found = try? await weather.invariants() else { return PanelState() }
        return PanelState(
            lights: found.map { name, verdict in
                PanelLight(
                    name: name.rawValue,
                    state: weather.isUnseen(name) ? .unseen : PanelLight.State(verdict.outcome),
                    why: verdict.reason.text,
                    evidence: verdict.reason.events
                )
            },
            changes: weather.lastingChanges.map(PanelChange.init)
        )
    }

    func record() async -> PanelRecording? {
        guard let recording = try? await weather.seen() else { return nil }
        return PanelRecording(name: "trace.jsonl", TraceCodec.encode(recording))
    }

    func scenario() async throws(PanelError) -> String {
        do {
            guard let recording = try await weather.seen() else { throw PanelError("the run is over") }
            let file = "recorded.yaml"
            return try await RecordedFile.scenario(of: recording, head: head, origin: origin.text, file: file).text
        } catch let error as SquallError {
            throw PanelError(error.message)
        } catch let refusal as PanelError {
            throw refusal
        } catch {
            throw PanelError("the run is over")
        }
    }
}

extension PanelChange {
    fileprivate init(_ change: LastingChanges.Change) {
        self.init(
            step: change.step.line,
            action: change.undo.name ?? "",
            fields: change.undo.fields,
            client: change.undo.clients.first?.name
        )
    }
}

extension PanelLight.State {
    fileprivate init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .pass: .holds
            case .fail: .broken
            case .inconclusive, .skipped: .waiting
            }
    }
}
