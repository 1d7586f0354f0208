import ChatWire
import SquallCore

/// Writes the type `ClientCommand` of SquallTesting, with a case for each declared command of the adapter protocol.
enum CommandWriter {
    /// The commands that are methods of `ClientUnderTest` instead of cases.
    private static let methods: Set<String> = ["start", "send"]

    private static let commands = ClientCommand.declarations.filter { $0.level != nil && !methods.contains($0.verb) }

    static var text: String {
        let verbs = ClientCommand.declarations.filter { $0.level != nil && $0.verb != "start" }.map(\.verb)
        return SurfaceWriter.head + """
            import Adapter
            import SquallCore

            /// An action of the user or the phone that the client carries out; `squall explain adapter` lists them.
            public enum ClientCommand: Hashable, Sendable {
            \(commands.map(declaration).joined(separator: "\n"))

                /// The commands by their names in the adapter protocol.
                public enum Verb: String, Hashable, Sendable, CaseIterable {
            \(verbs.map { "        case \(name($0))\(SurfaceWriter.caseValue($0))" }.joined(separator: "\n"))
                }

                /// Parses an adapter command; nil if its verb is unknown or a field is missing.
                init?(_ command: AdapterCommand) {
                    switch Verb(rawValue: command.type) {
            \(commands.map(reading).joined(separator: "\n"))
                    // `ClientUnderTest.send(_:)` takes `send`.
                    case .send, nil: return nil
                    }
                }
            }

            """
    }

    private static func declaration(_ command: CommandDeclaration) -> String {
        let text = command.note.map { "\(command.meaning) \($0)" } ?? command.meaning
        let values = values(of: command)
        var lines = SurfaceWriter.comment(text, indent: "    /// ", next: "    /// ")
        let described = values.compactMap { value in value.meaning.map { "\(value.label ?? value.name): \($0)" } }
        if described.count == 1 {
            lines.append("    ///")
            lines += SurfaceWriter.comment("- Parameter \(described[0])", indent: "    /// ", next: "    ///   ")
        } else if !described.isEmpty {
            lines += ["    ///", "    /// - Parameters:"]
            lines += described.flatMap { SurfaceWriter.comment("- \($0)", indent: "    ///   ", next: "    ///     ") }
        }
        let types = values.map { "\($0.label.map { "\($0): " } ?? "")\($0.type)" }.joined(separator: ", ")
        lines.append("    case \(name(command.verb))\(types.isEmpty ? "" : "(\(types))")")
        return lines.joined(separator: "\n")
    }

    private static func reading(_ command: CommandDeclaration) -> String {
        let values = values(of: command)
        let name = name(command.verb)
        guard !values.isEmpty else { return "        case .\(name): self = .\(name)" }
        let needed = values.filter(\.isRequired).map { "let \($0.name) = \($0.reading)" }.joined(separator: ", ")
        let given = values.map { value in
            "\(value.label.map { "\($0): " } ?? "")\(value.isRequired ? value.created : value.reading)"
        }
        return """
                    case .\(name):
            \(needed.isEmpty ? "" : "            guard \(needed) else { return nil }\n")\
                        self = .\(name)(\(given.joined(separator: ", ")))
            """
    }

    // MARK: - Associated values

    private struct Value {
        /// The argument label; nil if the value has none.
        var label: String?
        var name: String
        var type: String
        var isRequired = true
        /// An expression that reads the field's value from `command`.
        var reading: String
        /// An expression that creates the associated value.
        var created: String
        var meaning: String?
    }

    /// The argument labels that differ from the field's name, keyed by verb and field.
    private static let labels: [String: String?] = [
        "set_key.key": nil, "token.token": nil, "take_suggestion.number": nil, "reply.reply": "text",
        "network.state": "isReachable", "permission.notifications": "isGranted",
    ]

    /// The keyword that means true, for each field that has only two keywords and so becomes a flag.
    private static let trueWords = ["network.state": "on", "permission.notifications": "granted"]

    private static func values(of command: CommandDeclaration) -> [Value] {
        let push = Value(
            label: nil,
            name: "push",
            type: "PushedMessage",
            reading: "PushedMessage(command)",
            created: "push",
            meaning: nil
        )
        let pushFields = Set(ClientCommand.pushFields)
        return (command.fields.contains(where: pushFields.contains) ? [push] : [])
            + command.fields.filter { !pushFields.contains($0) }.compactMap { field in
                field.field.map { value(field, named: $0, of: command.verb) }
            }
    }

    private static func value(_ field: CommandField, named json: String, of verb: String) -> Value {
        let path = "\(verb).\(json)"
        let name = json == "client_message_id" ? "clientMessageID" : SurfaceWriter.camel(json)
        let trueWord = trueWords[path]
        let type =
            switch field.kind {
            case .integer: "Int"
            case .word where trueWord != nil: "Bool"
            default: "String"
            }
        return Value(
            label: labels[path] ?? name,
            name: name,
            type: field.isRequired ? type : "\(type)?",
            isRequired: field.isRequired,
            reading: type == "Int"
                ? "command[field: \"\(json)\"]?.intValue.flatMap({ Int(exactly: $0) })" : "command.text(\"\(json)\")",
            created: trueWord.map { "\(name) == \"\($0)\"" } ?? name,
            meaning: field.meaning
        )
    }

    private static func name(_ verb: String) -> String { SurfaceWriter.identifier(SurfaceWriter.camel(verb)) }
}
