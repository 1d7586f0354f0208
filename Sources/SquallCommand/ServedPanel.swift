import Panel
import Reports
import ScenarioLanguage
import ScenarioModel
import Sockets
import Squall
import SquallCore
import TemporalLogic
import Trace

/// The run of `squall serve` as its panel shows and controls it.
struct ServedPanel: PanelBackend {
    private let weather: ConductedRun

    /// Opens the panel of a run.
    ///
    /// - Throws: ``SquallError`` if the address or the port is not available.
    static func start(
        at place: PanelServer.Place,
        for weather: ConductedRun,
        _ scenario: Scenario
    ) async throws -> PanelServer {
        let actions = Registry.actions.filter { ConductedRun.takes($0.actor, $0.verb) }
        var generator = SystemRandomNumberGenerator()
        let page: JSON = [
            "title": "serve",
            "notes": ["key \(scenario.key)", "profile \(scenario.profile.name)"],
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
                catalogue: PanelCatalogue(actions),
                feed: PanelFeed(clients: scenario.clients),
                backend: ServedPanel(weather: weather)
            )
        } catch let error as SocketError {
            throw SquallError.failed("--panel: \(error)")
        }
    }

    func check(_ step: String) throws(PanelRefusal) {
        do throws(SquallError) { try weather.check(step) } catch { throw PanelRefusal(error.message) }
    }

    func perform(_ step: String) async throws(PanelRefusal) -> Int {
        do {
            return try await weather.perform(step)
        } catch let error as SquallError {
            throw PanelRefusal(error.message)
        } catch {
            throw PanelRefusal("the run is over")
        }
    }

    func lights() async -> [PanelLight] {
        guard let found = try? await weather.invariants() else { return [] }
        return found.map { name, verdict in
            PanelLight(
                name: name.rawValue,
                state: weather.isUnseen(name) ? .unseen : PanelLight.State(verdict.outcome),
                why: verdict.reason.text,
                evidence: verdict.reason.events
            )
        }
    }

    func trace() async -> [UInt8]? {
        guard let recording = try? await weather.seen() else { return nil }
        return TraceCodec.encode(recording)
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
