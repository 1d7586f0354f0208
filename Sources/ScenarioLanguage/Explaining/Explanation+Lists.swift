import Adapter
import ScenarioModel
import SquallCore
import TemporalLogic

/// All of a kind.
extension Explanation {
    static let lists: [String: @Sendable () -> String] = [
        "adapter": {
            AdapterEntry.Direction.allCases.map { direction in
                let rows = AdapterCatalogue.entries.filter { $0.direction == direction }.map { ($0.name, $0.meaning) }
                return "  \(direction.heading)\n\(table(rows))"
            }.joined(separator: "\n\n")
        },
        "observables": { table(Registry.observables.map { ($0.shown, $0.meaning.asSentence) }) },
        "events": { table(Registry.events.map { ($0.shown, $0.meaning.asSentence) }) },
        "faults": { table(Registry.faults.map { ($0.name, $0.meaning.asSentence) }) },
        "actions": { Actor.allCases.map { actionLines(of: $0).joined(separator: "\n") }.joined(separator: "\n\n") },
        "defects": {
            table(
                allDefects.map {
                    ($0.name, "\($0.breaks.asSentence) (\(([$0.side.description] + $0.rows).joined(separator: ", ")))")
                }
            )
        },
        "invariants": { table(InvariantName.allCases.map { ($0.rawValue, $0.meaning) }) },
        "profile": {
            table(
                Profile.fields.map { ($0.name, "\($0.meaning.asSentence) (\($0.get(Profile()).inFile))") }
                    + [
                        (
                            ProfileReader.framesName,
                            "How each role of the chat protocol stands on the wire, by templates."
                        )
                    ]
            )
        },
        "profiles": {
            table(
                ProfileReader.names.map { name in
                    let line = ProfileReader.source(named: name)?.line(1) ?? ""
                    return (name, line.hasPrefix("#") ? line.dropFirst().trimmed : "")
                }
            )
        },
        "words": { table(LanguageWord.all.map { ("\($0.name): \($0.form)", $0.line) }) },
    ]

    /// Where the name of a list is a word of the language too.
    static func meaning(ofList name: String) -> String? {
        LanguageWord.all.first { $0.name == name }.map { "\(name): \($0.form)\n  \($0.meaning)" }
    }

    static func actionLines(of actor: Actor) -> [String] {
        ["  what the \(actor.rawValue) can do"]
            + Registry.actions(of: actor).map { "    \($0.verb.padded(to: 18))\($0.meaning.asSentence)" }
    }

    /// Names in a column, what they mean beside them; a name that is too long for the column has a line of its own.
    static func table(_ rows: [(String, String)]) -> String {
        let longest = 42
        let width = (rows.map(\.0.count).filter { $0 <= longest }.max() ?? 0) + 2
        return rows.map { name, meaning in
            let gap = name.count > longest ? "\n  \(String(repeating: " ", count: width))" : ""
            return "  \(name.count > longest ? name : name.padded(to: width))\(gap)\(meaning)"
        }.joined(separator: "\n")
    }
}

extension AdapterEntry.Direction {
    fileprivate var heading: String {
        switch self {
        case .command: "what Squall asks of a client, a JSON object a line on its standard input"
        case .answer: "what the client answers, on its standard output"
        case .event: "what the client tells of, at any time"
        }
    }
}

extension StringProtocol {
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }

    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }

    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : "\(self) "
    }
}

extension ParameterKind {
    /// For messages: `a duration`.
    var inWords: String {
        switch self {
        case .text: "a text"
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a duration"
        case .flag: "true or false"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .label: "a label"
        case .list(let kind): "a list, each \(kind.inWords)"
        case .json: "any value"
        }
    }
}

extension ArgumentValue {
    /// As a file would have it.
    var inFile: String {
        switch self {
        case .text(let text): text.isEmpty ? "\"\"" : text
        case .integer(let number): String(number)
        case .duration(let span): String(describing: span)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let items): "[\(items.map(\.inFile).joined(separator: ", "))]"
        case .json(let value): String(describing: value)
        }
    }
}
