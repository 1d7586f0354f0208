import ScenarioModel
import SquallCore

/// A value of the profile as a file names it, `$heartbeat.pong_limit + 500ms`, looked up and moved.
struct ProfileReference {
    var name: String
    var value: ArgumentValue
}

extension ValueReader {
    /// Nil where the node is none; quotes make it a text.
    func reference(_ node: SourceNode) throws(Diagnostic) -> ProfileReference? {
        guard let text = node.plain, text.hasPrefix("$") else { return nil }
        let body = text.dropFirst()
        let name = body.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        guard let field = Profile.field(named: String(name)) else {
            throw node.mistake(
                about: name,
                name.isEmpty ? "'$' must be followed by a value of the profile" : "the profile has no value '\(name)'",
                help: Suggestion.help(for: String(name), among: Profile.fields.map(\.name))
                    ?? "'squall explain profile' lists them all; a text that begins with $ stands in quotes",
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
                "'\(rest)' is no offset",
                help: "write '$\(name) + 500ms', or a number where it is one",
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
                    "'\(amount)' is no duration",
                    help: DurationText.help(for: String(amount)),
                    in: source
                )
            }
            return .duration(negative ? span - offset : span + offset)
        case .integer(let number):
            guard let offset = Int64(amount), offset >= 0 else {
                throw node.mistake(about: amount, "'\(amount)' is no whole number", in: source)
            }
            let (sum, overflow) =
                negative ? number.subtractingReportingOverflow(offset) : number.addingReportingOverflow(offset)
            guard !overflow else { throw node.mistake("this is larger than any number can be", in: source) }
            return .integer(sum)
        case .text, .flag, .list, .json:
            throw node.mistake(about: amount, "\(value.inWords) has no offset", in: source)
        }
    }
}

extension ValueReader {
    /// Whether the node stands for itself, and not for a value of the profile.
    func isLiteral(_ node: SourceNode) -> Bool {
        node.plain?.hasPrefix("$") != true
    }
}
