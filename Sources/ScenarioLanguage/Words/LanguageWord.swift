import SquallCore
import TemporalLogic

/// One word of the language itself, as the reader, the schema and `squall explain` know it.
struct LanguageWord: Sendable {
    /// Where it may stand.
    enum Place: Hashable, Sendable {
        case head, step, expectation, option, predicate, table
        case key(of: String)
    }

    let place: Place
    let name: String
    /// What stands behind it.
    let form: String
    /// One line.
    let meaning: String

    /// The meaning as it stands in a list of all words.
    var line: String {
        if case .key(let word) = place { "In \(word): \(meaning.asPhrase)." } else { meaning }
    }

    static let all: [LanguageWord] = head + steps + expectations + options + keys + predicates + tables

    private static func word(_ place: Place, _ name: String, _ form: String, _ meaning: String) -> LanguageWord {
        LanguageWord(place: place, name: name, form: form, meaning: meaning)
    }

    static let head = [
        word(.head, "squall", "1", "The version of the language; required, and first."),
        word(.head, "name", "a text", "What happens, in a sentence; required."),
        word(.head, "profile", "chat-ux", "Which numbers, texts and wire names hold."),
        word(.head, "tags", "[reconnection, smoke]", "Words to select the scenario by."),
        word(.head, "clients", "[anna, ben] or { crowd: 50 }", "Who takes part; left out, one client named 'client'."),
        word(.head, "set", "{ heartbeat.interval: 10s }", "Values of the profile that this scenario changes."),
        word(.head, "server", "{ replay: { messages: 1000 } }", "The same for the server's values, without 'server.'."),
        word(.head, "with", "a list of cases", "A table: the scenario is played once for each case."),
        word(.head, "script", "a list of steps", "What happens, in order."),
        word(.head, "expect", "a list of expectations", "What must be seen."),
        word(.head, "invariants", "{ waive: { NAME: the reason } }", "Standing invariants that do not hold here."),
        word(.head, "play_on", "60s", "How long the run goes on once script and bounds have ended."),
        word(.head, "within", "20s", "The bound of every wait and expectation that names none."),
        word(.head, "worlds", "[sim] or [live]", "Where it can be played, if not in both; 'why' says why."),
        word(.head, "why", "a text", "Why the scenario can be played in one world only."),
    ]

    static let steps = [
        word(.step, "user", "{ open: stukov }", "A person does something."),
        word(.step, "device", "background", "The phone does something, or something happens to it."),
        word(.step, "server", "{ restart: { down: 12s } }", "The server does something."),
        word(.step, "network", "drop", "A fault begins, or ends with heal."),
        word(
            .step,
            "wait",
            "5s, EVENT, { OBSERVABLE: VALUE } or { next: … }",
            "Lets time pass, or waits until it is so."
        ),
        word(
            .step,
            "next",
            "EVENT or { OBSERVABLE: VALUE }",
            "In a wait: happens from now on; what was so before is not enough."
        ),
        word(.step, "as", "hello", "Names the message, the fault or the hold that the step makes."),
        word(.step, "at", "12s or EVENT + 500ms", "Takes the step out of the row: it is done at that time."),
        word(.step, "within", "20s", "How long a wait waits."),
    ]

    /// The words of `expect`.
    static let expectations = WordSpec.all.map { word(.expectation, $0.name, $0.form, $0.meaning) }

    static let options = [
        word(.option, "within", "20s", "How long it may take, from the scope's start or from the trigger; inclusive."),
        word(.option, "for", "10s", "How long it must last, from the scope's start."),
        word(.option, "after", "CONDITION", "Judged from the first time that it is so."),
        word(.option, "before", "CONDITION", "Judged up to the first time that it is so."),
        word(.option, "between", "[CONDITION, CONDITION]", "Judged from each first to the next second."),
        word(.option, "during", "tunnel", "Judged while the fault of that label is on."),
        word(.option, "at", "end", "Judged at the run's last instant."),
        word(.option, "covers", "[UX-2.5a]", "The catalogue's rows that it proves."),
        word(.option, "name", "a text", "What the report calls it."),
    ]

    /// The keys of each word of `expect`.
    static let keys = WordSpec.all.flatMap { spec in
        spec.keys.map { word(.key(of: spec.name), $0.name, $0.kind.form, $0.meaning) }
    }

    static let predicates = [
        word(.predicate, "exactly", "3", "The number or duration is this one."),
        word(.predicate, "at_least", "3", "It is this one or larger."),
        word(.predicate, "at_most", "3", "It is this one or smaller."),
        word(.predicate, "more_than", "3", "It is larger."),
        word(.predicate, "less_than", "3", "It is smaller."),
        word(.predicate, "one_of", "[a, b]", "It is one of these."),
        word(.predicate, "contains", "text", "The text has this in it; the list has this item."),
        word(.predicate, "matches", "\"^REC\"", "The pattern is found in the text."),
        word(.predicate, "set", "true", "There is a value at all; 'false': there is none."),
        word(.predicate, "same_as", "OBSERVABLE", "It is what the other shows at that moment."),
        word(.predicate, "not", "PREDICATE", "It is not so."),
        word(
            .predicate,
            "each",
            "PREDICATE or { where: …, is: … }",
            "Every item of the list is so; with [*], every value."
        ),
        word(.predicate, "any", "PREDICATE or { where: …, is: … }", "At least one item is so; with [*], one value."),
        word(.predicate, "length", "PREDICATE or { where: …, is: … }", "How many items there are."),
        word(.predicate, "member", "{ NAME: PREDICATE }", "A member of an object."),
        word(.predicate, "where", "PREDICATE", "In each, any and length: only the items that are so."),
        word(.predicate, "is", "PREDICATE", "Beside where: what those items shall be."),
    ]

    static let tables = [
        word(.table, "permutations of", "[a, b, c]", "In with: one case for each order of the items."),
        word(.table, "waive", "{ NAME: the reason }", "In invariants: those that do not hold here."),
    ]

    static func names(_ words: [LanguageWord]) -> [String] { words.map(\.name) }

    /// Words that people bring from elsewhere, and what to write instead.
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
