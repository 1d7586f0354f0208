package import SquallCore

/// One action as a step of a script, on one line: `network: { stall: { for: 10s } }`.
package enum StepText {
    /// A parameter and its value as YAML that fits into `{ … }`.
    private struct Member {
        var name: String
        var yaml: String
        /// A mapping in place of the main parameter would be read as the parameters.
        var isMapping: Bool
    }

    /// The value of an `action` key: the verb alone, or the verb with its parameters.
    static func action(_ entry: ActionEntry, _ arguments: Arguments) -> String {
        let members = arguments.values.map { name, value in
            Member(name: name, yaml: ScalarText.of(value), isMapping: value.isMapping)
        }
        return action(entry, members)
    }

    /// The step of an action whose parameters were filled in as the fields of a form.
    ///
    /// A field that is not a value of its parameter's kind is written as it is, so that reading the step reports it.
    ///
    /// - Parameters:
    ///   - fields: The texts of the fields, by the names of the parameters. An empty text is left out.
    ///   - label: The name for `as:`; nil for none.
    ///   - client: The client whose step it is; nil for the only one or all.
    package static func step(
        _ entry: ActionEntry,
        fields: [String: String],
        label: String? = nil,
        client: String? = nil
    ) -> String {
        let members = entry.parameters.compactMap { parameter -> Member? in
            guard let text = fields[parameter.name], !text.isEmpty else { return nil }
            let yaml = yaml(text, parameter.kind)
            return Member(name: parameter.name, yaml: yaml, isMapping: parameter.kind == .json && yaml.hasPrefix("{"))
        }
        let prefix = client.map { "\(ScalarText.text($0))." } ?? ""
        let step = "\(prefix)\(entry.actor.rawValue): \(action(entry, members))"
        guard let label, !label.isEmpty else { return step }
        return "{ \(step), as: \(ScalarText.text(label)) }"
    }

    private static func action(_ entry: ActionEntry, _ members: [Member]) -> String {
        guard let first = members.first else { return entry.verb }
        // A bare value fills the main parameter.
        if members.count == 1, first.name == entry.main, !first.isMapping {
            return "{ \(entry.verb): \(first.yaml) }"
        }
        let parameters = members.map { "\($0.name): \($0.yaml)" }.joined(separator: ", ")
        return "{ \(entry.verb): { \(parameters) } }"
    }

    private static func yaml(_ text: String, _ kind: ParameterKind) -> String {
        switch kind {
        case .text, .label: return ScalarText.text(text)
        case .integer, .duration, .flag, .word: return isScalar(text) ? text : ScalarText.text(text)
        case .list(let kind):
            let items = text.split { $0 == "," || $0 == " " }.map { yaml(String($0), kind) }
            return "[\(items.joined(separator: ", "))]"
        case .json:
            guard let json = try? JSON.decode(text) else { return ScalarText.text(text) }
            return String(decoding: json.encode(), as: UTF8.self)
        }
    }

    /// Whether YAML reads a number, a duration, a word or a value of the profile unquoted.
    private static func isScalar(_ text: String) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter || first.isNumber || first == "$" else {
            return false
        }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " ._$+-".contains($0)) }
    }
}

extension ArgumentValue {
    fileprivate var isMapping: Bool {
        if case .json(.object) = self { true } else { false }
    }
}
