package import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// The presumed cause of a violation: the properties shared by runs that fail for the same reason.
package struct Cause: Hashable, Sendable {
    /// The violated invariant, such as `invariant liveness`, or the keyword of the expectation, such as `eventually`.
    package var judge: String
    /// The verdict's explanation, with `…` in place of names and numbers.
    package var sentence: String
    /// The client's connection state at the last event on which the verdict is based; empty if no state was reported.
    package var state: String

    package init(judge: String, sentence: String, state: String) {
        (self.judge, self.sentence, self.state) = (judge, sentence, state)
    }
}

/// One failed verdict of a run.
package struct Violation: Hashable, Sendable {
    package var cause: Cause
    /// The kinds of the faults that were active at the last event on which the verdict is based, sorted.
    package var faults: [String]
    /// The verdict's explanation.
    package var why: String
    /// A description of each event on which the verdict is based.
    package var story: [String]
    /// The time of the violation, which is the end of the run if no earlier event determined the verdict.
    package var time: Instant

    package init(cause: Cause, faults: [String], why: String, story: [String], time: Instant) {
        (self.cause, self.faults, self.why, self.story, self.time) = (cause, faults, why, story, time)
    }
}

extension Violation {
    package var sighting: ObservedViolation { ObservedViolation(cause: cause, faults: faults) }
}

extension CaseResult {
    /// The run's violations, in verdict order.
    package var violations: [Violation] {
        expectations.filter { $0.verdict == .fail }.map { violation($0) }
    }

    /// Returns the violation for a scenario whose simulated and live runs differ. `why` describes the difference.
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

/// Replaces the names and numbers in a sentence with `…`.
private enum Template {
    static func of(_ sentence: String, keys: Set<String>) -> String {
        var words: [String] = []
        // Parentheses at the end of the sentence contain only a count of further items, so they are removed.
        let sentence = sentence.hasSuffix(")") ? sentence.prefix { $0 != "(" } : sentence[...]
        for (index, word) in sentence.split(whereSeparator: { $0 == " " || $0 == "," }).enumerated() {
            // In a run with several clients, the explanation begins with the name of the client, which is skipped.
            if index == 0, word.hasSuffix(":"), keys.contains(String(word.dropLast())) { continue }
            let core = word.drop { !$0.isLetter && !$0.isNumber }
            let bare = String(core.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed())
            let isName = keys.contains(bare) || bare.contains(where: \.isNumber)
            let shown = isName ? "…" : String(word)
            // Consecutive names are merged so that the number of names in a list makes no difference.
            if shown != "…" || words.last != "…" { words.append(shown) }
        }
        return words.joined(separator: " ")
    }
}
