package import SquallCore

/// Writes an action as a step of a script, on one line: `network: { stall: { for: 10s } }`.
package enum StepWriter {
    /// A parameter with its value as YAML that can be used within `{ … }`.
    private struct Member {
        var name: String
        var yaml: String
        /// Whether the value is a mapping. Directly after the verb, a mapping would be read as a list of parameters.
        var isMapping: Bool
    }

    /// Returns the verb, with its parameters if there are any, as the value of an actor's key.
    static func action(_ entry: ActionEntry, _ arguments: Arguments) -> String {
        let members = arguments.values.map { name, value in
            Member(name: name, yaml: ScalarWriter.of(value), isMapping: value.isMapping)
        }
        return action(entry, members)
    }

    /// Returns the step for an action whose parameters were entered in a form.
    ///
    /// An entry that is not a valid value of its parameter is written unchanged, so that reading the step reports the
    /// error.
    ///
    /// - Parameters:
    ///   - fields: The contents of the form's fields, by parameter name. Empty fields are omitted.
    ///   - label: The label for `as:`; nil for none.
    ///   - client: The client in the step's prefix; nil for no prefix.
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
        let prefix = client.map { "\(ScalarWriter.text($0))." } ?? ""
        let step = "\(prefix)\(entry.actor.rawValue): \(action(entry, members))"
        guard let label, !label.isEmpty else { return step }
        return "{ \(step), as: \(ScalarWriter.text(label)) }"
    }

    private static func action(_ entry: ActionEntry, _ members: [Member]) -> String {
        guard let first = members.first else { return entry.verb }
        // The value of the main parameter can directly follow the verb.
        if members.count == 1, first.name == entry.main, !first.isMapping {
            return "{ \(entry.verb): \(first.yaml) }"
        }
        let parameters = members.map { "\($0.name): \($0.yaml)" }.joined(separator: ", ")
        return "{ \(entry.verb): { \(parameters) } }"
    }

    private static func yaml(_ text: String, _ kind: ParameterKind) -> String {
        switch kind {
        case .text, .label: return ScalarWriter.text(text)
        case .integer, .duration, .flag, .word: return isScalar(text) ? text : ScalarWriter.text(text)
        case .list(let kind):
            let items = text.split { $0 == "," || $0 == " " }.map { yaml(String($0), kind) }
            return "[\(items.joined(separator: ", "))]"
        case .json:
            guard let json = try? JSON.decode(text) else { return ScalarWriter.text(text) }
            return String(decoding: json.encode(), as: UTF8.self)
        }
    }

    /// Returns whether the text can be written unquoted as a number, a duration, a word or a profile value.
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
