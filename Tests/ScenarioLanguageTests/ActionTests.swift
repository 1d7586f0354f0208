import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioLanguage
import ScenarioModel
import SquallCore
import Testing

/// Tests every actor's verbs with each of their parameters.
@Suite struct ActionTests {
    /// An action with some of its arguments, as written in a scenario file.
    struct Written: Sendable, CustomTestStringConvertible {
        var entry: ActionEntry
        var arguments: [(String, String)]

        var testDescription: String { "\(entry.actor.rawValue).\(entry.verb) \(arguments.map(\.0))" }

        /// A script that creates the labels to which the action may refer, and then performs the action.
        var body: String {
            let parameters = arguments.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
            let value = parameters.isEmpty ? "{}" : "{ \(parameters) }"
            return """
                server: { tls: true }
                script:
                  - user: { open: stukov }
                  - user: { send: hi, as: hello }
                  - network: { stall: {}, as: tunnel }
                  - server: { hold: confirm, as: later }
                  - \(entry.actor.rawValue): { \(entry.verb): \(value) }
                """
        }
    }

    private static func value(_ parameter: Parameter, of entry: ActionEntry) -> [String] {
        switch (entry.verb, parameter.name) {
        case ("binary", "bytes"): return ["00 ff"]
        case ("frames", "type"): return ["confirm"]
        case ("rule", "replies"): return ["[{ text: hi }]"]
        case ("respond", "request"): return ["GET /prices"]
        case ("respond", "headers"): return ["{ ETag: v1 }"]
        case ("release", "label"): return ["later"]
        case ("release", "order"): return ["kept", "reversed", "[2, 0, 1]"]
        case (_, "client"): return ["client"]
        case (_, "clients"): return ["[client]"]
        default: break
        }
        switch parameter.kind {
        case .text: return ["stukov"]
        case .integer(let range): return [String(range.lowerBound)]
        case .duration: return ["1s"]
        case .flag: return ["true", "off"]
        case .word(let words): return words
        case .label: return [entry.actor == .network ? "tunnel" : "hello"]
        case .list(.text): return ["[a, b]"]
        case .list: return ["[]"]
        case .json: return ["{ type: pong }"]
        }
    }

    /// Returns the arguments that an action requires besides the given parameter.
    ///
    /// A rule requires `on` or `match`, and `reply` or `replies`.
    private static func needed(by entry: ActionEntry, beside name: String? = nil) -> [(String, String)] {
        entry.parameters.filter { parameter in
            guard entry.verb == "rule" else { return parameter.required }
            return parameter.name == "on" && name != "match" || parameter.name == "reply" && name != "replies"
        }
        .filter { $0.name != name }.map { ($0.name, value($0, of: entry)[0]) }
    }

    /// Every action with each typical value of each parameter, combined with the action's required arguments.
    static let withEachParameter: [Written] = Registry.actions.flatMap { entry in
        entry.parameters.flatMap { parameter in
            value(parameter, of: entry).map { text in
                var arguments = needed(by: entry, beside: parameter.name)
                arguments.append((parameter.name, text))
                return Written(entry: entry, arguments: arguments)
            }
        }
    }

    static let withAllParameters = Registry.actions.map { entry in
        let parameters = entry.parameters.filter { entry.verb != "rule" || !["match", "replies"].contains($0.name) }
        return Written(entry: entry, arguments: parameters.map { ($0.name, value($0, of: entry)[0]) })
    }

    static let withRequiredParameters = Registry.actions.map { entry in
        let required = entry.parameters.filter(\.required)
        return Written(entry: entry, arguments: required.map { ($0.name, value($0, of: entry)[0]) })
    }

    /// The verbs that require at least one of several parameters. None of these parameters is marked as required on its
    /// own.
    private static let needOneOfSeveral = ["server.say", "server.hold", "server.rule", "server.auth"]

    @Test("An action accepts each of its parameters together with the required ones", arguments: withEachParameter)
    func takesEachParameter(_ written: Written) throws {
        // The argument `client` alone is not enough: `hold` also needs a label or a frame name, and `say` a text or a
        // frame.
        let isHalf =
            written.entry.verb == "hold" && written.arguments.map(\.0) == ["client"]
            || written.entry.verb == "say" && written.arguments.map(\.0) == ["client"]
        guard !isHalf else { return }
        try check(written)
    }

    @Test("An action accepts all of its parameters together", arguments: withAllParameters)
    func takesAllParameters(_ written: Written) throws {
        try check(written)
    }

    @Test("An action needs only its required parameters", arguments: withRequiredParameters)
    func takesTheRequiredOnes(_ written: Written) throws {
        guard !Self.needOneOfSeveral.contains("\(written.entry.actor.rawValue).\(written.entry.verb)") else {
            #expect(complaints(written.body) == ["'\(written.entry.verb)' does not accept these values"])
            return
        }
        try check(written)
    }

    @Test(
        "The main parameter of an action can be written without its name",
        arguments: Registry.actions.filter { $0.main != nil }
    )
    func takesItsMainParameterAlone(_ entry: ActionEntry) throws {
        let main = try #require(entry.parameters.first { $0.name == entry.main })
        guard !entry.parameters.contains(where: { $0.required && $0.name != main.name }) else { return }
        for text in Self.value(main, of: entry) {
            var long = Written(entry: entry, arguments: [(main.name, text)])
            let inFull = try #require(scenarios(long.body).first?.script.last)
            long.arguments = []
            let short = long.body.replacing("{ \(entry.verb): {} }", with: "{ \(entry.verb): \(text) }")
            #expect(scenarios(short).first?.script.last?.stimulus == inFull.stimulus)
        }
    }

    @Test("The label of an action is stored in its step", arguments: Registry.actions.filter(\.takesLabel))
    func takesALabel(_ entry: ActionEntry) throws {
        var written = Written(
            entry: entry,
            arguments: Self.needed(by: entry)
        )
        if entry.verb == "hold" { written.arguments = [("frame", "pong")] }
        if entry.verb == "say" { written.arguments = [("text", "hello")] }
        written.arguments.append(("as", "mine"))
        let step = try #require(scenarios(written.body).first?.script.last)
        #expect(step.stimulus?.label == "mine")
        #expect(entry.labelKind != nil)
    }

    @Test("The step suggested for a word from another tool is valid", arguments: ActionSynonym.steps.keys.sorted())
    func synonyms(_ word: String) throws {
        let step = try #require(ActionSynonym.steps[word])
        #expect(try script("  - \(step)").count == 1)
        #expect(try Explanation.explain(word).contains("    - \(step)"))
    }

    @Test("The hint for a word about packet loss suggests squall packets", arguments: ["packet_loss", "loss", "netem"])
    func packetLoss(_ word: String) {
        #expect(ActionSynonym.help(for: word)?.contains("squall packets --loss") == true)
    }

    private func check(_ written: Written) throws {
        let step = try #require(scenarios(written.body).first?.script.last)
        let stimulus = try #require(step.stimulus)
        #expect(stimulus.actor == written.entry.actor)
        #expect(stimulus.verb == written.entry.verb)
        switch (written.entry.actor, stimulus.operation) {
        case (.user, .client), (.device, .client), (.server, .server): break
        case (.network, .begin(let fault)): #expect(fault.verb == written.entry.verb)
        case (.network, .heal): #expect(written.entry.verb == "heal")
        case (.network, .healAll): #expect(written.entry.verb == "heal_all")
        case (.network, .replayLogin): #expect(written.entry.verb == "replay_login")
        default: Issue.record("\(written.entry.verb) has become \(stimulus.operation)")
        }
    }
}
