import SquallCore
import TemporalLogic

/// A keyword of the scenario language, documented for the reader, the schema and `squall explain`.
struct LanguageWord: Sendable {
    /// The part of a scenario in which the keyword is used.
    enum Place: Hashable, Sendable {
        case head, step, expectation, option, predicate, table
        case key(of: String)
    }

    let place: Place
    let name: String
    /// An example of the value that follows the keyword.
    let form: String
    /// The meaning in one sentence.
    let meaning: String

    /// The meaning as shown in the list of all keywords.
    var line: String {
        if case .key(let word) = place { "In \(word): \(meaning.asPhrase)." } else { meaning }
    }

    static let all: [LanguageWord] = head + steps + expectations + options + keys + predicates + tables

    private static func word(_ place: Place, _ name: String, _ form: String, _ meaning: String) -> LanguageWord {
        LanguageWord(place: place, name: name, form: form, meaning: meaning)
    }

    static let head = [
        word(.head, "squall", "1", "The version of the language; required, as the first key."),
        word(.head, "name", "a text", "What the scenario tests, in a sentence; required."),
        word(.head, "profile", "chat-ux", "The profile, which sets numbers, texts and wire names."),
        word(.head, "tags", "[reconnection, smoke]", "Words that select the scenario."),
        word(.head, "clients", "[anna, ben] or { crowd: 50 }", "The clients; by default one, named 'client'."),
        word(.head, "set", "{ heartbeat.interval: 10s }", "Profile values that this scenario overrides."),
        word(
            .head,
            "server",
            "{ replay: { messages: 1000 } }",
            "The server's profile values, without the prefix 'server.'."
        ),
        word(.head, "with", "a list of cases", "A table; the scenario runs once for each case."),
        word(.head, "script", "a list of steps", "The steps, in order."),
        word(.head, "expect", "a list of expectations", "The expectations."),
        word(.head, "invariants", "{ waive: { NAME: the reason } }", "Standing invariants that do not apply here."),
        word(.head, "play_on", "60s", "How long the run continues after the script and all bounds have ended."),
        word(.head, "within", "20s", "The default bound of waits and expectations."),
        word(.head, "worlds", "[sim] or [live]", "The worlds it can run in, if not in both; needs 'why'."),
        word(.head, "why", "a text", "The reason why it runs in one world only."),
    ]

    static let steps = [
        word(.step, "user", "{ open: stukov }", "An action of the user."),
        word(.step, "device", "background", "An action of the phone, or a change of its conditions."),
        word(.step, "server", "{ restart: { down: 12s } }", "An action of the server."),
        word(.step, "network", "drop", "Begins a fault, or ends it with heal."),
        word(
            .step,
            "wait",
            "5s, EVENT, { OBSERVABLE: VALUE } or { next: … }",
            "Lets time pass, or waits for a condition."
        ),
        word(
            .step,
            "next",
            "EVENT or { OBSERVABLE: VALUE }",
            "In a wait: the condition must be met from now on."
        ),
        word(.step, "as", "hello", "Labels the message, fault or hold that the step creates."),
        word(.step, "at", "12s or EVENT + 500ms", "Runs the step at that time instead of in order."),
        word(.step, "within", "20s", "The bound of a wait."),
    ]

    /// The expectation keywords, one for each operator.
    static let expectations = OperatorSpec.all.map { word(.expectation, $0.name, $0.form, $0.meaning) }

    static let options = [
        word(.option, "within", "20s", "The time allowed, from the scope's start or the trigger; inclusive."),
        word(.option, "for", "10s", "The time that it must last, from the scope's start."),
        word(.option, "after", "CONDITION", "Judged from the first time the condition is met."),
        word(.option, "before", "CONDITION", "Judged up to the first time the condition is met."),
        word(
            .option,
            "between",
            "[CONDITION, CONDITION]",
            "Judged from each time the first is met to the next time the second is."
        ),
        word(.option, "during", "tunnel", "Judged while the fault of that label is active."),
        word(.option, "at", "end", "Judged at the run's last instant."),
        word(.option, "covers", "[UX-2.5a]", "The catalogue rows that the expectation proves."),
        word(.option, "name", "a text", "Its name in the report."),
    ]

    /// The keys that each expectation keyword accepts.
    static let keys = OperatorSpec.all.flatMap { spec in
        spec.keys.map { word(.key(of: spec.name), $0.name, $0.kind.form, $0.meaning) }
    }

    static let predicates = [
        word(.predicate, "exactly", "3", "Equal to this number or duration."),
        word(.predicate, "at_least", "3", "This value or larger."),
        word(.predicate, "at_most", "3", "This value or smaller."),
        word(.predicate, "more_than", "3", "Larger than this value."),
        word(.predicate, "less_than", "3", "Smaller than this value."),
        word(.predicate, "one_of", "[a, b]", "One of these values."),
        word(.predicate, "contains", "text", "A text that contains this text, or a list that contains this item."),
        word(.predicate, "matches", "\"^REC\"", "A text that the pattern matches."),
        word(.predicate, "set", "true", "Any value other than null; 'false' expects none."),
        word(.predicate, "same_as", "OBSERVABLE", "Equal to the current value of another observable."),
        word(.predicate, "not", "PREDICATE", "The opposite of a predicate."),
        word(
            .predicate,
            "each",
            "PREDICATE or { where: …, is: … }",
            "Every item of the list; with [*], every value."
        ),
        word(
            .predicate,
            "any",
            "PREDICATE or { where: …, is: … }",
            "At least one item of the list; with [*], one value."
        ),
        word(.predicate, "length", "PREDICATE or { where: …, is: … }", "The number of items."),
        word(.predicate, "member", "{ NAME: PREDICATE }", "A member of an object."),
        word(.predicate, "where", "PREDICATE", "In each, any and length: selects items."),
        word(.predicate, "is", "PREDICATE", "Beside where: the predicate on the selected items."),
    ]

    static let tables = [
        word(.table, "permutations of", "[a, b, c]", "In with: one case per order of the items."),
        word(.table, "waive", "{ NAME: the reason }", "In invariants: those that do not apply here."),
    ]

    static func names(_ words: [LanguageWord]) -> [String] { words.map(\.name) }

    /// Words from other languages and tools, each with the keyword to use instead.
    static let synonyms: [String: String] = [
        "above": "write 'more_than'",
        "below": "write 'less_than'",
        "gt": "write 'more_than'",
        "lt": "write 'less_than'",
        "gte": "write 'at_least'",
        "lte": "write 'at_most'",
        "min": "write 'at_least'",
        "max": "write 'at_most'",
        "in": "write 'one_of'",
        "any_of": "write 'one_of'",
        "equals": "write the value itself",
        "equal": "write the value itself",
        "eq": "write the value itself",
        "includes": "write 'contains'",
        "regex": "write 'matches'",
        "pattern": "write 'matches'",
        "exists": "write 'set'",
        "all": "write 'each'",
        "every": "write 'each'",
        "some": "write 'any'",
        "size": "write 'length'",
        "timeout": "write 'within'",
        "sleep": "write 'wait'",
        "pause": "write 'wait'",
        "client": "write 'user' or 'device'",
        "app": "write 'device'",
        "phone": "write 'device'",
        "fault": "write 'network'",
        "steps": "write 'script'",
        "expectations": "write 'expect'",
        "cases": "write 'with'",
        "label": "write 'as'",
        "assert": "write 'expect'",
    ]
}
