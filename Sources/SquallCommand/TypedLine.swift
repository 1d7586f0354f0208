import Faults
import ScenarioModel
import Squall
import SquallCore

/// A parsed line that the user typed while the server is running.
enum TypedLine: Hashable {
    case nothing
    case quit
    case help
    case status
    /// Pauses (holds) the run or lets it continue.
    case order(HoldOrder)
    /// Selects which events are printed: all events if true; otherwise all except routine events.
    case verbose(Bool)
    /// Writes the session up to now as a scenario to the given file; nil if the user specified no file.
    case record(String?)
    /// Performs a step, which is written in the syntax of scenarios.
    case step(String)
    /// A verb that several actors have, with the steps that the user can choose from.
    case ambiguous([String])
    /// Explains a word, such as an action, an observable or an event.
    case explain(String)
    /// A single word that is neither a command nor an action that can be typed.
    case unknown(String)

    /// Parses a line. A verb that only one actor has, such as `drop`, is accepted without the actor.
    init(_ line: String) {
        var text = line.trimmingPrefix(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        switch text {
        case "": self = .nothing
        case "quit", "exit": self = .quit
        case "help", "?": self = .help
        case "status": self = .status
        case "hold", "release", "step": self = .order(HoldOrder(rawValue: String(text)) ?? .hold)
        case "verbose": self = .verbose(true)
        case "quiet": self = .verbose(false)
        case "record": self = .record(nil)
        default:
            if text.hasPrefix("explain ") {
                self = .explain(text.dropFirst("explain ".count).drop(while: \.isWhitespace).description)
                return
            }
            if text.hasPrefix("record ") {
                let file = text.dropFirst("record ".count).drop(while: \.isWhitespace)
                self = .record(file.isEmpty ? nil : Self.unquoted(file))
                return
            }
            let steps = Self.actors.filter { Registry.action(of: $0, String(text)) != nil }
                .map { "\($0.rawValue): \(text)" }
            switch steps.count {
            case 0: self = Self.isWord(text) ? .unknown(String(text)) : .step(String(text))
            case 1: self = .step(steps[0])
            default: self = .ambiguous(steps)
            }
        }
    }

    private static func isWord(_ text: Substring) -> Bool {
        text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// Returns the response to an unknown word: a user action must be performed in the app itself; for any other word,
    /// the most similar word that can be typed is suggested.
    static func answer(toUnknown word: String) -> String {
        if Registry.action(of: .user, word) != nil { return "the client is your app: do '\(word)' there" }
        let known = orders.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 } + bareActions
        let near = Suggestion.help(for: word, among: known)
        return "there is no '\(word)'; \(near ?? "type a step, such as network: drop, or 'help'")"
    }

    /// Returns a file name without surrounding quotes.
    private static func unquoted(_ name: Substring) -> String {
        var name = name
        for quote in ["'", "\""] where name.count > 1 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            name = name.dropFirst().dropLast()
        }
        return String(name)
    }

    /// The actors whose actions the user can type.
    static let actors: [Actor] = [.network, .server, .device]

    /// The actions that can be typed as a bare word: they have no required parameter, and no other actor has an action
    /// with the same verb.
    static let bareActions: [String] = {
        let chosen = actions.filter { action in
            // An action may need one of several parameters, none of which is required on its own.
            (try? Stimulus.make(action, Arguments([]), clients: [])) != nil
                && actions.count { $0.verb == action.verb } == 1
        }
        return chosen.map(\.verb).sorted()
    }()

    /// The actions that can be performed on a running app and its network. A fault of the TLS handshake is none of them:
    /// the links of a served run carry no TLS, because TLS ends before them.
    static let actions = Registry.actions.filter { action in
        ConductedRun.takes(action.actor, action.verb) && !FaultCatalogue.isAboutHandshakes(action.verb)
    }

    /// Squall's own commands, which are not steps.
    static let orders = [
        "explain ", "help", "hold", "quiet", "quit", "record ", "release", "status", "step", "verbose",
    ]

    /// The answer to `help`, at most 80 columns wide.
    static let helpText = """
        Each line is a step of a script, for the server, the network or the phone's
        network.
          network: drop                        ends every connection; so does 'drop'
          network: { stall: { for: 10s } }     lets nothing pass for ten seconds
          { network: blackhole, as: tunnel }   until: network: { heal: tunnel }
          server: { post: stukov }             sends a message from another user
          server: { restart: { down: 5s } }
          server: { swallow: confirm }
          device: handoff                      changes the network without notice
          hold                                 freezes everything; then 'step' goes to
                                               the next event, 'release' for good
        'explain network', 'server' and 'device' list all steps, 'explain stall' what
        one does. 'status' shows the active faults, the clients and the broken
        invariants. 'verbose' prints every event, 'quiet' the notable ones. 'record
        tunnel.yaml' writes what was done so far as a scenario. 'quit' ends the run and
        judges it. At a prompt, the tab key completes a step, and the arrow keys bring
        earlier ones back.
        """
}
