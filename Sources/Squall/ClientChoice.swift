import Adapter
import Live
import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The client that a suite tests.
package enum ClientChoice: Hashable, Sendable {
    /// Squall's own client.
    case reference
    /// A command that speaks the adapter protocol.
    case adapter(String)
    /// A command that receives the server addresses in environment variables and is judged only by its network traffic.
    case wireOnly(String)
    /// A client that a person starts. If it is attended, Squall prompts that person to carry out the user's steps.
    case external(isAttended: Bool)
    /// An app that requests its commands from a control port.
    case app(AppChoice)
    /// A client whose code runs in this process.
    case hosted(HostedChoice)

    /// The command-line options that select this client; empty for the reference client and for code in this process.
    package var options: [String] {
        switch self {
        case .reference, .hosted: []
        case .external(let isAttended): ["--client", "external"] + (isAttended ? ["--by-hand"] : [])
        case .app(let choice): ["--client", AppChoice.word] + choice.options
        case .adapter(let command): ["--client", command]
        case .wireOnly(let command): ["--client", command, "--wire-only"]
        }
    }

    /// The client's name in reports: the value of `--client`, followed by the options that qualify it.
    var name: String {
        let words = options.dropFirst()
        return words.isEmpty ? "reference" : words.joined(separator: " ")
    }

    /// The shell command that starts the client; nil if Squall starts no process.
    package var command: String? {
        switch self {
        case .reference, .external, .app, .hosted: nil
        case .adapter(let command), .wireOnly(let command): command
        }
    }

    /// Whether only one instance of the client can exist, in which case its runs are executed one after another.
    package var isSingle: Bool {
        switch self {
        case .external, .app: true
        case .reference, .adapter, .wireOnly, .hosted: false
        }
    }

    /// Returns the method by which the client is started; nil for the reference client, and for an app whose control
    /// port is not open.
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

    /// Instructions for replaying a case with this client if no command can start it; otherwise nil.
    var replay: String? { hosted?.replay }
}

/// The capabilities of a suite's client, determined before the suite starts.
enum ClientAnswer {
    case reference
    case foreign(ForeignPlan)
    /// The client failed when asked for its capabilities.
    case broken(AdapterFailure)

    /// Asks a client with an adapter for its capabilities; the capabilities of other clients are known in advance.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    static func ask(_ choice: ClientChoice, _ port: AppPort? = nil) async throws -> ClientAnswer {
        switch choice {
        case .reference: return .reference
        case .hosted(let choice):
            if let offer = choice.offer, let unknown = OfferCheck.unknownName(in: offer) {
                return .broken(AdapterFailure(unknown))
            }
            return .foreign(choice.plan)
        case .wireOnly(let command):
            let name = command.split(separator: " ").first.map(String.init) ?? "external"
            return .foreign(ForeignPlan(hasAdapter: false, offer: AdapterCapabilities(name: name)))
        case .external(let isAttended):
            return .foreign(ForeignPlan(hasAdapter: false, home: isAttended ? .attended : .elsewhere))
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
                return .broken(failure)
            }
        }
    }

    private static func checked(_ offer: AdapterCapabilities, home: ForeignPlan.Home) -> ClientAnswer {
        if let unknown = OfferCheck.unknownName(in: offer) { return .broken(AdapterFailure(unknown)) }
        return .foreign(ForeignPlan(hasAdapter: true, home: home, offer: offer))
    }
}

extension CaseResult {
    /// Creates the result for a case that could not be run because its client is broken.
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
