import Adapter
import Live
import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The client that a suite judges.
package enum ClientChoice: Hashable, Sendable {
    /// Squall's own client.
    case reference
    /// A command that speaks the adapter protocol.
    case adapter(String)
    /// A command that gets its addresses from environment variables and is judged by its traffic alone.
    case wireOnly(String)
    /// A client that a person starts by hand.
    case external
    /// An app that polls a control port for its commands.
    case app(AppChoice)
    /// Code within this process.
    case hosted(HostedChoice)

    /// The command-line options that choose this client; empty for the reference client.
    package var options: [String] {
        switch self {
        case .reference, .hosted: []
        case .external: ["--client", "external"]
        case .app(let choice): ["--client", AppChoice.word] + choice.options
        case .adapter(let command): ["--client", command]
        case .wireOnly(let command): ["--client", command, "--wire-only"]
        }
    }

    /// The shell command that starts the client; nil when Squall starts no process.
    package var command: String? {
        switch self {
        case .reference, .external, .app, .hosted: nil
        case .adapter(let command), .wireOnly(let command): command
        }
    }

    /// Whether there is one client at most, so that runs are played one after another.
    package var isSingle: Bool {
        switch self {
        case .external, .app: true
        case .reference, .adapter, .wireOnly, .hosted: false
        }
    }

    /// How the client is started; nil for the reference client. An app's port is open while a suite is played.
    func launchMethod(_ port: AppPort?) -> ForeignLaunch.LaunchMethod? {
        switch self {
        case .reference: nil
        case .external: .byHand
        case .app: port.map { .app($0) }
        case .adapter(let command), .wireOnly(let command): .command(command)
        case .hosted(let choice): .hosted(choice.clients)
        }
    }

    var hosted: HostedChoice? {
        if case .hosted(let choice) = self { choice } else { nil }
    }

    /// How to replay a case with this client, in words; nil when a command can.
    var replay: String? { hosted?.replay }
}

/// What a suite knows about its client before it plays.
enum ClientAnswer {
    case reference
    case foreign(ForeignPlan)
    /// The client could not be asked; every case ends with this failure.
    case broken(AdapterFailure)

    /// Asks a client with an adapter what it can show and do; other clients are known without asking.
    ///
    /// - Throws: ``SquallError`` when the command cannot be run; `CancellationError` when the task is cancelled.
    static func ask(_ choice: ClientChoice, _ port: AppPort? = nil) async throws -> ClientAnswer {
        switch choice {
        case .reference: return .reference
        case .hosted(let choice):
            if let offer = choice.offer, let strange = OfferCheck.unknownName(in: offer) {
                return .broken(AdapterFailure(strange))
            }
            return .foreign(choice.plan)
        case .wireOnly(let command):
            let name = command.split(separator: " ").first.map(String.init) ?? "external"
            return .foreign(ForeignPlan(hasAdapter: false, offer: ClientOffer(name: name)))
        case .external: return .foreign(ForeignPlan(hasAdapter: false, home: .elsewhere))
        case .app:
            guard let port else { return .broken(AdapterFailure(.notStarted(reason: "there is no control port"))) }
            do {
                return checked(try await ForeignProbe.ask(.app(port)), home: .app)
            } catch let failure as AdapterFailure {
                return .broken(failure)
            }
        case .adapter(let command):
            do {
                return checked(try await ForeignProbe.ask(.command(command)), home: .process)
            } catch let failure as AdapterFailure {
                // The shell exits with 127 when the command does not exist and with 126 when it cannot be run.
                guard ![.exited(.status(127)), .exited(.status(126))].contains(failure.kind) else {
                    throw SquallError.usage(
                        "the client cannot be run: \(command): \(failure.lastErrors.last ?? "\(failure.kind)")"
                    )
                }
                return .broken(failure)
            }
        }
    }

    private static func checked(_ offer: ClientOffer, home: ForeignPlan.Home) -> ClientAnswer {
        if let strange = OfferCheck.unknownName(in: offer) { return .broken(AdapterFailure(strange)) }
        return .foreign(ForeignPlan(hasAdapter: true, home: home, offer: offer))
    }
}

extension CaseResult {
    /// The result of a case that could not be played because of its client.
    init(brokenBy failure: AdapterFailure, _ plan: RunPlan) {
        var ending = RunEnding()
        ending.abandoned = "\(failure)"
        var plan = plan
        plan.clock = .wall
        let result = RunResult(unplayed: plan, ending: ending)
        self.init(result, of: plan, world: .live, wall: .zero)
        client = "unknown"
    }
}
