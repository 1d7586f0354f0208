import SquallCore
import TemporalLogic

/// One word of the language itself, as the reader, the schema and `squall explain` know it.
struct LanguageWord: Sendable {
    /// Where it may stand.
    enum Place: String, Sendable, CaseIterable {
        case head, step, expectation, option, predicate, delivery, table
    }

    let place: Place
    let name: String
    /// What stands behind it.
    let form: String
    /// One line.
    let meaning: String

    static let all: [LanguageWord] = head + steps + expectations + options + predicates + deliveries + tables

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

    static let expectations = [
        word(.expectation, "eventually", "{ CONDITION, within: 20s }", "It comes to be so."),
        word(.expectation, "always", "{ STATE, for: 10s }", "It is so all the time."),
        word(.expectation, "never", "{ CONDITION, for: 10s }", "It is not so at any time."),
        word(
            .expectation,
            "until",
            "{ hold: STATE, release: CONDITION, within: 20s }",
            "The first holds until the second comes."
        ),
        word(
            .expectation,
            "leads_to",
            "{ when: CONDITION, then: CONDITION, within: 1s }",
            "Whenever the first comes, the second follows."
        ),
        word(.expectation, "in_order", "{ of: [CONDITION, …], strict: true, within: 20s }", "They come in this order."),
        word(.expectation, "count", "{ of: CONDITION, exactly: 1, in_any: 100ms, within: 20s }", "How often it comes."),
        word(
            .expectation,
            "transitions",
            "{ of: OBSERVABLE, are: [a, b], exhaustive: true, within: 20s }",
            "The values come in this order."
        ),
        word(
            .expectation,
            "delivered",
            "{ conversation: c, lost: 0, duplicated: 0 }",
            "What was sent and posted is what is shown."
        ),
        word(
            .expectation,
            "same",
            "{ of: [OBSERVABLE, OBSERVABLE], within: 1s }",
            "Both show the same, and never differ for longer."
        ),
    ]

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
        word(.option, "hold", "STATE", "In until: what holds first."),
        word(.option, "release", "CONDITION", "In until: what ends it."),
        word(.option, "when", "CONDITION", "In leads_to: what it begins with."),
        word(.option, "then", "CONDITION", "In leads_to: what must follow."),
        word(.option, "of", "CONDITION, OBSERVABLE or a list of them", "What it is about."),
        word(.option, "strict", "true", "In in_order: none of them comes out of turn."),
        word(.option, "exactly", "1", "In count: so often."),
        word(.option, "at_least", "1", "In count: so often or more."),
        word(.option, "at_most", "1", "In count: so often or less."),
        word(.option, "in_any", "100ms", "In count: within every stretch of that length."),
        word(.option, "are", "[connecting, connected]", "In transitions: the values."),
        word(.option, "exhaustive", "true", "In transitions: these values and no others."),
    ]

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

    static let deliveries = [
        word(.delivery, "conversation", "stukov", "Which one; all together where it is left out."),
        word(.delivery, "client", "anna", "Whose screen; everybody's where it is left out."),
        word(.delivery, "lost", "0", "Stored but not shown at the end, or accepted but neither stored nor failed."),
        word(.delivery, "duplicated", "0", "Shown twice at once, or stored twice under one key."),
        word(.delivery, "unexpected", "0", "Shown, but neither stored nor accepted."),
        word(.delivery, "stale", "0", "Shown later than 'within' after it was stored and the client was connected."),
        word(.delivery, "reordered", "0", "Shown at the end behind one that was stored after it."),
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

extension LanguageWord {
    /// What stands behind an expectation's word.
    static func form(of word: String) -> String? {
        expectations.first { $0.name == word }?.form
    }
}
