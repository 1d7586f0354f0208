import Adapter
import ScenarioModel
import SquallCore
import TemporalLogic

/// The lists that `squall explain` prints, such as all events or all faults.
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
                            "The wire form of each role of the chat protocol, as templates."
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

    /// Returns the explanation of a list's name if the name is also a keyword of the language; otherwise nil.
    static func meaning(ofList name: String) -> String? {
        LanguageWord.all.first { $0.name == name }.map { "\(name): \($0.form)\n  \($0.meaning)" }
    }

    static func actionLines(of actor: Actor) -> [String] {
        ["  actions of the \(actor.rawValue)"]
            + Registry.actions(of: actor).map { "    \($0.verb.padded(to: 18))\($0.meaning.asSentence)" }
    }

    /// Returns a table of names and meanings. A name longer than the column is on a line of its own.
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
        case .command: "commands to the client, one JSON object per line on its standard input"
        case .answer: "answers of the client, on its standard output"
        case .event: "events that the client reports at any time"
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
    /// The kind as a phrase for messages, such as `a duration`.
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
    /// The value in the syntax of scenario files.
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
