import ScenarioModel
import SquallCore

/// A resolved reference to a profile value, such as `$heartbeat.pong_limit + 500ms`; the value includes the offset.
struct ProfileReference {
    var name: String
    var value: ArgumentValue
}

extension ValueReader {
    /// Resolves a reference; returns nil if the node is not a reference. A quoted `"$name"` is an ordinary string.
    func reference(_ node: SourceNode) throws(Diagnostic) -> ProfileReference? {
        guard let text = node.plain, text.hasPrefix("$") else { return nil }
        let body = text.dropFirst()
        let name = body.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        guard let field = Profile.field(named: String(name)) else {
            throw node.mistake(
                about: name,
                name.isEmpty ? "expected the name of a profile value after '$'" : "unknown profile value '\(name)'",
                help: Suggestion.help(for: String(name), among: Profile.fields.map(\.name))
                    ?? "'squall explain profile' lists them; quote a text that begins with $",
                in: source
            )
        }
        let value = field.get(profile)
        let rest = body[name.endIndex...].drop(while: \.isWhitespace)
        guard let sign = rest.first else { return ProfileReference(name: String(name), value: value) }
        let amount = rest.dropFirst().drop(while: \.isWhitespace)
        guard sign == "+" || sign == "-", !amount.isEmpty else {
            throw node.mistake(
                about: rest,
                "invalid offset '\(rest)'",
                help: "write '$\(name) + 500ms', or a number for a value that is one",
                in: source
            )
        }
        let moved = try move(value, by: amount, negative: sign == "-", node)
        return ProfileReference(name: String(name), value: moved)
    }

    private func move(
        _ value: ArgumentValue,
        by amount: Substring,
        negative: Bool,
        _ node: SourceNode
    ) throws(Diagnostic) -> ArgumentValue {
        switch value {
        case .duration(let span):
            guard let offset = DurationText.parse(String(amount)) else {
                throw node.mistake(
                    about: amount,
                    "invalid duration '\(amount)'",
                    help: DurationText.help(for: String(amount)),
                    in: source
                )
            }
            return .duration(negative ? span - offset : span + offset)
        case .integer(let number):
            guard let offset = Int64(amount), offset >= 0 else {
                throw node.mistake(about: amount, "invalid whole number '\(amount)'", in: source)
            }
            let (sum, overflow) =
                negative ? number.subtractingReportingOverflow(offset) : number.addingReportingOverflow(offset)
            guard !overflow else { throw node.mistake("the result does not fit into 64 bits", in: source) }
            return .integer(sum)
        case .text, .flag, .list, .json:
            throw node.mistake(about: amount, "\(value.inWords) takes no offset", in: source)
        }
    }
}

extension ValueReader {
    /// Returns whether the node is a literal value rather than a reference to a profile value.
    func isLiteral(_ node: SourceNode) -> Bool {
        node.plain?.hasPrefix("$") != true
    }
}
