import ScenarioModel
import SquallCore

/// Writes the parts of SquallTesting that are generated from the registry: actions as methods, names as static members.
enum SurfaceWriter {
    static let head = """
        // Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.


        """

    /// The contents of each generated file, with its path relative to Sources/SquallTesting.
    static var files: [(path: String, text: String)] {
        [
            ("Weather/Generated/NetworkActions.swift", actions(.network, "NetworkActions", "The network's actions")),
            ("Weather/Generated/ServerActions.swift", actions(.server, "ServerActions", "The server's actions")),
            (
                "Weather/Generated/DeviceActions.swift",
                actions(.device, "DeviceActions", "The actions that change the device's network") {
                    ["network", "handoff"].contains($0.verb)
                }
            ),
            ("Weather/Generated/WeatherConditions.swift", conditions),
            ("Client/Generated/ObservableNames.swift", names),
            ("Client/Generated/ClientCommand.swift", CommandWriter.text),
        ]
    }

    // MARK: - Actions

    private static func actions(
        _ actor: Actor,
        _ type: String,
        _ meaning: String,
        where isIncluded: (ActionEntry) -> Bool = { _ in true }
    ) -> String {
        let entries = Registry.actions(of: actor).filter(isIncluded)
        let members = wordTypes(entries) + entries.map { method($0) }
        return head + """
            /// \(meaning), with the names of the scenario language (`squall explain \(actor.rawValue)`).
            public struct \(type): Sendable {
                private let step: WeatherStep

                init(_ step: WeatherStep) { self.step = step }

            \(members.joined(separator: "\n\n"))
            }

            """
    }

    private static func method(_ entry: ActionEntry) -> String {
        let parameters = ordered(entry)
        var lines = documentation(entry, parameters)
        let label = entry.takesLabel ? ["as label: String? = nil"] : []
        let declared = parameters.map { declaration($0, of: entry) } + label
        let signature = "    public func \(identifier(camel(entry.verb)))("
        let short = "\(signature)\(declared.joined(separator: ", "))) async throws {"
        if short.count <= 120 {
            lines.append(short)
        } else {
            lines.append(signature)
            lines.append(declared.map { "        \($0)" }.joined(separator: ",\n"))
            lines.append("    ) async throws {")
        }
        let values = parameters.map { "\"\($0.name)\": .of(\(identifier(camel($0.name))))" }
        let (last, listed) = (entry.takesLabel ? "label" : "nil", values.isEmpty ? ":" : values.joined(separator: ", "))
        let call = "        try await step.perform(\"\(entry.verb)\", [\(listed)], as: \(last))"
        if call.count <= 120 {
            lines.append(call)
        } else {
            lines.append("        try await step.perform(")
            lines.append("            \"\(entry.verb)\",")
            lines.append("            [")
            lines += values.map { "                \($0)," }
            lines.append("            ],")
            lines.append("            as: \(last)")
            lines.append("        )")
        }
        lines.append("    }")
        return lines.joined(separator: "\n")
    }

    /// Returns the enums for parameters whose value is one of a few keywords: one enum for each set of keywords.
    private static func wordTypes(_ entries: [ActionEntry]) -> [String] {
        var written: Set<String> = []
        return entries.flatMap { entry in
            entry.parameters.compactMap { parameter -> String? in
                guard case .word(let words) = parameter.kind else { return nil }
                let type = wordType(entry, parameter)
                guard written.insert(type).inserted else { return nil }
                let cases = words.map { "\(identifier(camel($0)))\(caseValue($0))" }
                return
                    (["    /// The possible values of the parameter `\(parameter.name)`."]
                    + ["    public enum \(type): String, Hashable, Sendable {"]
                    + wrapped("case", cases, indent: "        ") + ["    }"]).joined(separator: "\n")
            }
        }
    }

    /// Returns `word a, b, c`, wrapped at the maximum line length.
    private static func wrapped(_ word: String, _ items: [String], indent: String) -> [String] {
        var lines = ["\(indent)\(word)"]
        for (index, item) in items.enumerated() {
            let text = " \(item)\(index + 1 < items.count ? "," : "")"
            if lines[lines.count - 1].count + text.count > 120 { lines.append("\(indent)   ") }
            lines[lines.count - 1] += text
        }
        return lines
    }

    private static func documentation(_ entry: ActionEntry, _ parameters: [Parameter]) -> [String] {
        let described =
            parameters.map { ($0.name, $0.meaning) }
            + (entry.takesLabel
                ? [("label", "the label of the fault, message, hold or rule that the action creates")] : [])
        var lines = comment(sentence(entry.meaning), indent: "    /// ", next: "    /// ")
        if described.count == 1, let (name, meaning) = described.first {
            lines.append("    ///")
            lines += comment("- Parameter \(name): \(sentence(meaning))", indent: "    /// ", next: "    ///   ")
        } else if !described.isEmpty {
            lines += ["    ///", "    /// - Parameters:"]
            for (name, meaning) in described {
                lines += comment("- \(name): \(sentence(meaning))", indent: "    ///   ", next: "    ///     ")
            }
        }
        if described.isEmpty { lines.append("    ///") }
        return lines + ["    /// - Throws: The errors of ``Weather/perform(_:)``."]
    }

    /// Sorts the parameters: required ones first, then the main parameter, whose name may be omitted in a scenario.
    private static func ordered(_ entry: ActionEntry) -> [Parameter] {
        func rank(_ parameter: Parameter) -> Int {
            parameter.name == entry.main ? 0 : parameter.required ? 1 : 2
        }
        return entry.parameters.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    private static let prepositions: Set<String> = ["to", "of", "for", "at", "by", "as", "in", "from"]

    private static func declaration(_ parameter: Parameter, of entry: ActionEntry) -> String {
        let type = type(parameter, of: entry)
        // A call such as `heal("tunnel")` reads as in a scenario; `post(to: "stukov")` needs its preposition.
        let isBare =
            parameter.name == entry.main && parameter.required && isText(parameter.kind)
            && !prepositions.contains(parameter.name)
        let name = "\(isBare ? "_ " : "")\(identifier(camel(parameter.name)))"
        return parameter.required ? "\(name): \(type)" : "\(name): \(type)? = nil"
    }

    private static func isText(_ kind: ParameterKind) -> Bool {
        switch kind {
        case .text, .word, .label: true
        default: false
        }
    }

    private static func type(_ parameter: Parameter, of entry: ActionEntry) -> String {
        switch parameter.kind {
        case .text, .label: "String"
        case .integer: "Int"
        case .duration: "Duration"
        case .flag: "Bool"
        case .word: wordType(entry, parameter)
        case .list(.text), .list(.label): "[String]"
        case .list, .json: "WeatherValue"
        }
    }

    private static let reserved: Set<String> = ["Type", "Protocol", "Self"]

    private static func wordType(_ entry: ActionEntry, _ parameter: Parameter) -> String {
        let (name, kind) = (capital(camel(parameter.name)), parameter.kind)
        // Parameters with the same name and the same keywords share a type, whichever action they belong to.
        let others = Registry.actions(of: entry.actor).flatMap(\.parameters).filter {
            if case .word = $0.kind { $0.name == parameter.name } else { false }
        }
        return others.allSatisfy { $0.kind == kind } && !reserved.contains(name)
            ? name : capital(camel(entry.verb)) + name
    }

    // MARK: - Names

    /// The members for the events and states visible on the wire, and for the actions of Squall itself.
    private static var conditions: String {
        let members = Registry.entries.filter { $0.kind != .fault && $0.level == .wire }.map { entry -> String in
            let (name, meaning) = (
                member(entry.name), comment(sentence(entry.meaning), indent: "    /// ", next: "    /// ")
            )
            let declared: [String] =
                switch (entry.kind, entry.key) {
                case (.event, nil): ["    public static var \(name): Self { \"\(entry.name)\" }"]
                case (.event, let key?):
                    [
                        "    public static var \(name): Self { \"\(entry.name)\" }"
                    ]
                        + comment(
                            "The condition `\(name)`, limited to the \(subject(key)) with the label or ID `key`.",
                            indent: "    /// ",
                            next: "    /// "
                        ) + [
                            "    public static func \(name)(_ key: String) -> Self {",
                            "        .event(\"\(entry.name)\", key)",
                            "    }",
                        ]
                case (_, nil):
                    [
                        "    public static func \(name)(_ value: JSONValue) -> Self { .state(\"\(entry.name)\", value) }"
                    ]
                case (_, .some):
                    [
                        "    public static func \(name)(_ key: String, _ value: JSONValue) -> Self {",
                        "        .state(\"\(entry.name)\", key, value)",
                        "    }",
                    ]
                }
            return (meaning + declared).joined(separator: "\n")
        }
        return head + """
            /// Conditions on events and states that are visible on the wire, and on actions of Squall itself.
            extension WeatherCondition {
            \(members.joined(separator: "\n"))
            }

            """
    }

    /// Returns a noun for the object that a registry entry's key identifies, for use in comments.
    private static func subject(_ key: String) -> String { key == "label" ? "fault" : key.replacing("_", with: " ") }

    /// The static members for all events and observables that a client may report about itself.
    private static var names: String {
        let members = Registry.entries.filter { $0.kind != .fault && $0.provenance == .reported }.map { entry in
            (comment(entry.meaning, indent: "    /// ", next: "    /// ")
                + ["    public static var \(member(entry.name)): Self { \"\(entry.name)\" }"])
                .joined(separator: "\n")
        }
        return head + """
            /// The names of all observables and events that a client can report.
            extension ObservableName {
            \(members.joined(separator: "\n"))
            }

            """
    }

    // MARK: - Text

    static func comment(_ text: String, indent: String, next: String) -> [String] {
        var (lines, line, isEmpty) = ([String](), indent, true)
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + word.count + 1 > 120 {
                lines.append(line)
                (line, isEmpty) = (next, true)
            }
            line += isEmpty ? String(word) : " \(word)"
            isEmpty = false
        }
        return lines + [line]
    }

    private static func sentence(_ text: String) -> String { capital(text) + (text.hasSuffix(".") ? "" : ".") }

    private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Converts a name to camel case: `accept_then_close` and `no-cache` become `acceptThenClose` and `noCache`.
    static func camel(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        return words.prefix(1).joined() + words.dropFirst().map { capital(String($0)) }.joined()
    }

    private static func member(_ name: String) -> String { identifier(camel(name)) }

    private static let keywords: Set<String> = [
        "for", "in", "repeat", "default", "case", "switch", "continue", "is", "as", "if", "else", "while", "return",
        "internal", "private", "public", "self", "init", "import", "operator", "where", "do", "try", "throw", "break",
    ]

    static func identifier(_ name: String) -> String {
        if name.first?.isNumber == true { return "_\(name)" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    static func caseValue(_ word: String) -> String {
        identifier(camel(word)).trimmingPrefix("`").hasPrefix(word) && camel(word) == word ? "" : " = \"\(word)\""
    }
}
