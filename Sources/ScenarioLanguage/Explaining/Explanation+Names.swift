import ScenarioModel
import SquallCore
import TemporalLogic

/// Explanations of observables, events, faults and actions.
extension Explanation {
    static func entries(_ name: String) -> [String] {
        let found = Registry.entries.filter { $0.name == name && $0.kind != .fault }
        guard found.isEmpty else { return found.map(paragraph) }
        let below = Registry.entries.filter { $0.kind != .fault && $0.name.hasPrefix("\(name).") }
        if below.isEmpty {
            // After a client's name, `client.` may be omitted: `connected` means `client.connected`.
            let short = Registry.events.filter { $0.name == "client.\(name)" }
            if !short.isEmpty { return short.map(paragraph) }
            let holding = Registry.events.filter { $0.name.split(separator: ".").contains(Substring(name)) }
            return holding.isEmpty
                ? []
                : [
                    """
                    \(name): a part of the names of these \
                    events\n\(table(holding.map { ($0.shown, $0.meaning.asSentence) }))
                    """
                ]
        }
        let events = below.allSatisfy { $0.kind == .event }
        let title = events ? "\(name): any of these events" : "\(name): names that begin with it"
        return ["\(title)\n\(table(below.map { ($0.shown, $0.meaning.asSentence) }))"]
    }

    private static func paragraph(_ entry: RegistryEntry) -> String {
        var lines = [
            "\(entry.shown): \(entry.kind.inWords), \(entry.provenance.inWords)", "  \(entry.meaning.asSentence)",
        ]
        switch entry.value {
        case .word(let words): lines.append("  Its value is one of: \(words.joined(separator: ", ")).")
        case .fields(let fields, let measured):
            let known = fields.map { field in
                guard case .word(let words) = field.kind else { return "\(field.name) (\(field.kind.inWords))" }
                return "\(field.name) (\(words.joined(separator: " | ")))"
            }
            if !known.isEmpty { lines.append("  Its fields: \(known.joined(separator: ", ")).") }
            if !measured.isEmpty {
                lines.append("  Measured, so never compared: \(measured.joined(separator: ", ")).")
            }
        case .flag, .integer, .text, .duration, .instant, .list: lines.append("  Its value is \(entry.value.inWords).")
        }
        lines.append("  Between sim and live, \(entry.parity.inWords). A client needs \(entry.level.inWords).")
        lines.append("  In a scenario:")
        lines += examples(entry).map { "    \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func examples(_ entry: RegistryEntry) -> [String] {
        let name = entry.key == nil ? entry.name : "\"\(entry.name)[\(entry.exampleKey)]\""
        guard entry.kind == .observable else {
            return [
                "- wait: { next: \(name) }", "- leads_to: { when: \(name), then: { connection.state: connected } }",
            ]
        }
        let value = entry.exampleValue
        return ["- wait: { \(name): \(value) }", "- eventually: { \(name): \(value), within: 20s }"]
    }

    // MARK: - Actions

    /// Returns explanations of the actions that `name` denotes: a verb, such as `restart`, or an actor and a verb, such
    /// as `server.restart`.
    static func actions(_ name: String) -> [String] {
        Registry.actions.filter { $0.verb == name || "\($0.actor.rawValue).\($0.verb)" == name }.map(paragraph)
    }

    private static func paragraph(_ action: ActionEntry) -> String {
        let kind = action.labelKind == .fault ? "a fault" : "an action of the \(action.actor.rawValue)"
        var lines = ["\(action.actor.rawValue): \(action.verb): \(kind)", "  \(action.meaning.asSentence)"]
        if !action.parameters.isEmpty {
            lines.append("  Parameters:")
            for parameter in action.parameters {
                var notes = [parameter.kind.inWords]
                if parameter.required { notes.append("required") }
                if parameter.name == action.main { notes.append("may follow the verb without its name") }
                lines.append("    \(parameter.name): \(parameter.meaning.asPhrase) (\(notes.joined(separator: ", ")))")
            }
        }
        if let kind = action.labelKind { lines.append("  'as:' labels \(kind.inWords).") }
        lines.append("  In a scenario:")
        lines.append("    \(example(action))")
        return lines.joined(separator: "\n")
    }

    static func example(_ action: ActionEntry) -> String {
        let needed = action.parameters.filter(\.required)
        let actor = action.actor.rawValue
        if needed.count <= 1, let main = action.parameters.first(where: { $0.name == action.main }),
            needed.allSatisfy({ $0.name == main.name })
        {
            let value = main.kind == .label && action.actor == .network ? "tunnel" : main.exampleValue
            return "- \(actor): { \(action.verb): \(value) }"
        }
        if needed.isEmpty, action.parameters.isEmpty { return "- \(actor): \(action.verb)" }
        let shown = needed.isEmpty ? Array(action.parameters.prefix(1)) : needed
        let parameters = shown.map { "\($0.name): \($0.exampleValue)" }.joined(separator: ", ")
        return "- \(actor): { \(action.verb): { \(parameters) } }"
    }
}

extension RegistryEntry {
    /// The name, followed by the kind of its key in brackets.
    var shown: String { key.map { "\(name)[\($0)]" } ?? name }

    fileprivate var exampleKey: String {
        switch key {
        case "message": "hello"
        case "upload": "photo"
        case "label": "tunnel"
        case "rule": "greeting"
        default: "stukov"
        }
    }

    fileprivate var exampleValue: String {
        switch value {
        case .flag: "true"
        case .integer: "1"
        case .text: "{ set: true }"
        case .duration, .instant: "{ at_most: 1s }"
        case .list: "{ length: { at_least: 1 } }"
        case .word(let words): words.first ?? "{ set: true }"
        case .fields: "{}"
        }
    }
}

extension RegistryEntry.Kind {
    fileprivate var inWords: String {
        switch self {
        case .observable: "an observable"
        case .event: "an event"
        case .fault: "a fault"
        }
    }
}

extension Provenance {
    fileprivate var inWords: String {
        switch self {
        case .observed: "observed on the wire"
        case .reported: "reported by the client"
        case .injected: "made by Squall"
        }
    }
}

extension ParityClass {
    fileprivate var inWords: String {
        switch self {
        case .exact: "its values are compared one by one"
        case .log: "its occurrences are compared one by one"
        case .unordered: "its occurrences are compared in any order"
        case .measured: "it is never compared"
        }
    }
}

extension AdapterLevel {
    fileprivate var inWords: String {
        switch self {
        case .wire: "no adapter for it"
        case .reports: "an adapter that reports"
        case .commands: "an adapter that takes commands"
        case .device: "an adapter that controls the app's process"
        }
    }
}

extension Parameter {
    private static let exampleTexts: [(name: String, text: String)] = [
        ("text", "\"hello\""), ("code", "rate_limited"), ("client", "client"), ("bytes", "\"00 ff\""),
        ("request", "GET /prices"),
    ]

    /// An example value for a form field; empty if there is none.
    package var example: String {
        switch kind {
        case .list, .json: ""
        default: exampleValue.filter { $0 != "\"" }
        }
    }

    fileprivate var exampleValue: String {
        switch kind {
        case .text: Self.exampleTexts.first { $0.name == name }?.text ?? "stukov"
        case .integer(let range): String(max(range.lowerBound, min(range.upperBound, 1)))
        case .duration: "5s"
        case .flag: "true"
        case .word(let words): words.first ?? "…"
        case .label: "hello"
        case .list: "[…]"
        case .json: "{ … }"
        }
    }
}
