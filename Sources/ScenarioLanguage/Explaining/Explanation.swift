import FakeServer
import ReferenceClient
import ScenarioModel
import SquallCore
import TemporalLogic

/// The output of `squall explain WORD`, generated from the tables that the reader uses.
package enum Explanation {
    /// The error thrown when a word is unknown.
    package struct UnknownWord: Error, Hashable, Sendable {
        package let word: String
        /// The second half of the error message: similar words, or a hint about where to look.
        package let help: String

        package var message: String { "unknown word '\(word)'; \(help)" }
    }

    /// Returns the meanings of a word, one paragraph each.
    package static func explain(_ word: String) throws(UnknownWord) -> String {
        let plain = bare(word)
        if let list = lists[plain] {
            return ([meaning(ofList: plain)].compactMap(\.self) + [list()]).joined(separator: "\n\n")
        }
        let paragraphs =
            languageWords(plain) + entries(plain) + actions(plain) + profileValue(plain) + profile(plain)
            + invariant(plain) + defects(plain) + values(plain) + synonym(plain)
        if paragraphs.isEmpty, let dot = plain.firstIndex(of: ".") {
            // The word may be an event or observable with a client's name as a prefix.
            let rest = String(plain[plain.index(after: dot)...])
            let named = entries(rest).filter { _ in
                Registry.entry(named: rest) ?? Registry.entry(named: "client.\(rest)") != nil
            }
            if !named.isEmpty { return named.joined(separator: "\n\n") }
        }
        guard !paragraphs.isEmpty else { throw UnknownWord(word: word, help: help(for: plain)) }
        return paragraphs.joined(separator: "\n\n")
    }

    /// Strips the key, ordinal and offset from a name, the `$` from a profile value, and a trailing colon.
    private static func bare(_ word: String) -> String {
        var text = word[...]
        if text.hasPrefix("$") { text = text.dropFirst() }
        if text.hasSuffix(":") { text = text.dropLast() }
        let name = text.prefix { $0 != "[" && $0 != "#" && $0 != "+" }
        return name.trimmed
    }

    /// All words that can be explained, used for suggestions.
    static var known: [String] {
        var words = lists.keys.sorted() + LanguageWord.all.map(\.name)
        words += Registry.entries.map(\.name) + Registry.actions.map(\.verb)
        words += Profile.fields.map(\.name) + ProfileReader.names + InvariantName.allCases.map(\.rawValue)
        words += Defect.all.map(\.name) + ServerDefect.all.map(\.name)
        return words
    }

    private static func help(for word: String) -> String {
        if let instead = LanguageWord.synonyms[word] { return "in a scenario, \(instead)" }
        if let instead = ActionSynonym.help(for: word) { return "in a scenario, \(instead)" }
        if word == "protocol" {
            return "'adapter' lists the messages between Squall and a client, 'profiles' the protocols of the server"
        }
        if let near = Suggestion.nearest(to: word, among: known) { return "did you mean '\(near)'?" }
        let beginning = known.filter { $0.hasPrefix(word) || $0.split(separator: ".").contains(Substring(word)) }
        if !word.isEmpty, !beginning.isEmpty, beginning.count <= 16 {
            return "known are: \(beginning.joined(separator: ", "))"
        }
        return "the lists are: \(lists.keys.sorted().joined(separator: ", "))"
    }

    private static func synonym(_ word: String) -> [String] {
        guard let step = ActionSynonym.steps[word.lowercased()] else { return [] }
        return ["\(word): another word for a step\n  In a scenario:\n    - \(step)"]
    }

    // MARK: - Words of the language

    private static func languageWords(_ name: String) -> [String] {
        let found = LanguageWord.all.filter { $0.name == name }
        return found.map { word in
            var lines = ["\(name): \(word.form)", "  \(word.place.inWords). \(word.meaning)"]
            if word.place == .step, let actor = Actor(rawValue: name) {
                lines.append("")
                lines += actionLines(of: actor)
            }
            return lines.joined(separator: "\n")
        }
    }

    // MARK: - Profiles, invariants and defects

    private static let frames = [
        "\(ProfileReader.framesName): a value of the profile",
        "  The wire form of each role of the chat protocol: templates under 'client' and 'server', or 'none'.",
        "  By default, frames are those of the built-in protocol, with the names of wire.type and wire.field.",
        "  'squall explain op-frames' prints a profile that uses it.",
    ].joined(separator: "\n")

    private static func profileValue(_ name: String) -> [String] {
        if name == ProfileReader.framesName { return [frames] }
        if let field = Profile.field(named: name) {
            var lines = ["\(name): a value of the profile, \(field.kind.inWords)", "  \(field.meaning.asSentence)"]
            for profile in profiles {
                lines.append("    \(profile.name.padded(to: 14))\(field.get(profile).inFile)")
            }
            lines.append(
                "  In a scenario: 'set: { \(name): … }', and '$\(name)' in place of \(field.kind.inWords)."
            )
            return [lines.joined(separator: "\n")]
        }
        let below = Profile.fields.filter { $0.name.hasPrefix("\(name).") }
        guard !below.isEmpty else { return [] }
        return ["\(name): values of the profile\n" + table(below.map { ($0.name, $0.meaning.asSentence) })]
    }

    static var profiles: [Profile] {
        ProfileReader.names.compactMap { name in try? ProfileReader.profile(named: name) }
    }

    private static func profile(_ name: String) -> [String] {
        guard ProfileReader.names.contains(name), let source = ProfileReader.source(named: name) else { return [] }
        return ["\(name): a profile\n\(source.text.trimmed.indented)"]
    }

    private static func invariant(_ name: String) -> [String] {
        guard let invariant = InvariantName(rawValue: name) else { return [] }
        return [
            """
            \(name): a standing invariant
              \(invariant.meaning)
              Judged in every run whose client shows what it reads. A scenario can waive it with
              'invariants: { waive: { \(name): the reason } }'.
            """
        ]
    }

    private static func defects(_ name: String) -> [String] {
        allDefects.filter { $0.name == name || $0.rows.contains(name) }.map { defect in
            """
            \(defect.name): a defect of the \(defect.side), for 'squall run --defect \(defect.name)'
              \(defect.breaks.asSentence)
              Rows that must fail with it: \(defect.rows.joined(separator: ", ")).
            """
        }
    }

    /// All defects that can be planted in the reference client or the fake server.
    static var allDefects: [(name: String, side: String, rows: [String], breaks: String)] {
        Defect.all.map { ($0.name, "client", $0.rows, $0.breaks) }
            + ServerDefect.all.map { ($0.name, "server", $0.rows, $0.breaks) }
    }

    /// Lists the observables, parameters and profile values that can have the value `word`, such as `connected`.
    private static func values(_ word: String) -> [String] {
        var uses: [(String, String)] = []
        for entry in Registry.observables {
            if case .word(let words) = entry.value, words.contains(word) {
                uses.append((entry.name, entry.meaning.asSentence))
            }
        }
        for action in Registry.actions {
            for parameter in action.parameters {
                guard case .word(let words) = parameter.kind, words.contains(word) else { continue }
                uses.append(
                    ("\(action.actor.rawValue): \(action.verb)", "\(parameter.name): \(parameter.meaning.asSentence)")
                )
            }
        }
        for field in Profile.fields {
            if case .word(let words) = field.kind, words.contains(word) {
                uses.append((field.name, field.meaning.asSentence))
            }
        }
        return uses.isEmpty ? [] : ["\(word): a possible value of these\n\(table(uses))"]
    }
}

extension LanguageWord.Place {
    fileprivate var inWords: String {
        switch self {
        case .head: "A key of a scenario"
        case .step: "A word of the script"
        case .expectation: "A word of 'expect'"
        case .option: "An option of the words of 'expect'"
        case .predicate: "A predicate"
        case .key(let word): "A key of '\(word)'"
        case .table: "A word of the language"
        }
    }
}
