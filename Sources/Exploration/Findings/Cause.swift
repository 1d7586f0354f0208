package import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// What a run violated, without what differs between two runs that violate the same for the same reason.
package struct Cause: Hashable, Sendable {
    /// The invariant or the word of the expectation: `invariant liveness`, `eventually`.
    package var judge: String
    /// The sentence of the verdict, with `…` in place of names and numbers.
    package var sentence: String
    /// The state of the connection at the last event that the verdict is about; empty if none was shown.
    package var state: String

    package init(judge: String, sentence: String, state: String) {
        (self.judge, self.sentence, self.state) = (judge, sentence, state)
    }
}

/// A violation of one run.
package struct Violation: Hashable, Sendable {
    package var cause: Cause
    /// The kinds of the faults that were active when it happened, sorted.
    package var faults: [String]
    /// The verdict's own sentence.
    package var why: String
    /// The events that decided it, one per line.
    package var story: [String]
    /// When it was violated; the end of the run if nothing earlier decided it.
    package var time: Instant

    package init(cause: Cause, faults: [String], why: String, story: [String], time: Instant) {
        (self.cause, self.faults, self.why, self.story, self.time) = (cause, faults, why, story, time)
    }
}

extension Violation {
    package var sighting: Sighting { Sighting(cause: cause, faults: faults) }
}

extension CaseResult {
    /// What the run violated, in the order of the verdicts.
    package var violations: [Violation] {
        expectations.filter { $0.verdict == .fail }.map { violation($0) }
    }

    /// The violation that the two worlds behaved differently in a scenario. `why` describes the difference.
    package func violation(byParity why: String) -> Violation {
        violation(
            ExpectationResult(
                location: SourceLocation(file: file, line: 1, column: 1),
                word: "parity",
                covers: [],
                verdict: .fail,
                why: why,
                evidence: []
            )
        )
    }

    private func violation(_ part: ExpectationResult) -> Violation {
        let evidence = part.evidence.filter(recording.events.indices.contains)
        let last = evidence.max() ?? recording.events.count - 1
        let client =
            evidence.last.flatMap { recording.events[$0].client }
            ?? recording.events.first { $0.client != nil }?.client
        var state = ""
        var faults: [String: String] = [:]
        for event in recording.events.prefix(last + 1) {
            switch (event.name, event.observation.change) {
            case ("connection.state", .set(let value)) where event.client == client: state = value.stringValue ?? ""
            case ("fault.began", .happened(let fields)):
                faults[event.key ?? ""] = fields["fault"]?.stringValue ?? event.key ?? ""
            case ("fault.ended", _): faults[event.key ?? ""] = nil
            default: break
            }
        }
        let keys = Set(recording.events.compactMap(\.key)).union(recording.events.compactMap { $0.client?.name })
        let why = part.why ?? part.word
        return Violation(
            cause: Cause(judge: part.word, sentence: Template.of(why, keys: keys), state: state),
            faults: Set(faults.values).sorted(),
            why: why,
            story: evidence.suffix(Self.mostStory).map { Self.line(recording.events[$0]) },
            time: divergenceTime(of: part)
        )
    }

    private static let mostStory = 6

    private static func line(_ event: TraceEvent) -> String {
        let name = ObservedName(client: event.client, name: event.name, key: event.key)
        return "\(event.time)  \(name)\(event.observation.change.tail)"
    }
}

/// A sentence with its names and numbers removed.
private enum Template {
    static func of(_ sentence: String, keys: Set<String>) -> String {
        var words: [String] = []
        // The text in parentheses at the end says how many others there are.
        let sentence = sentence.hasSuffix(")") ? sentence.prefix { $0 != "(" } : sentence[...]
        for (place, word) in sentence.split(whereSeparator: { $0 == " " || $0 == "," }).enumerated() {
            // With several clients, a sentence begins with the client that it is about.
            if place == 0, word.hasSuffix(":"), keys.contains(String(word.dropLast())) { continue }
            let core = word.drop { !$0.isLetter && !$0.isNumber }
            let bare = String(core.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
            let isName = keys.contains(bare) || bare.contains(where: \.isNumber)
            let shown = isName ? "…" : String(word)
            // A list of names is one name, however many there are.
            if shown != "…" || words.last != "…" { words.append(shown) }
        }
        return words.joined(separator: " ")
    }
}
