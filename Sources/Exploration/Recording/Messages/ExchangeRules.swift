import ScenarioModel
import SquallCore

/// The rules that reproduce a recorded server's answers to HTTP requests, in script order.
///
/// Requests with the same method, target and JSON body get the recorded answers in order; when these are used up, the
/// last answer is repeated. If several bodies were recorded for a target, a request with any other body is answered
/// like the recorded requests without a body or, if there were none, with the target's last answer. If several queries
/// were recorded for a path, a request with any other query gets the path's last answer.
struct ExchangeRules: Sendable {
    /// The arguments of the `server: respond` actions.
    private(set) var all: [Arguments] = []
    /// Notes for the user about what the rules do not reproduce.
    private(set) var gaps: [String] = []
    private let concealer: SecretConcealer
    private var labels: Set<String> = []

    /// The maximum number of distinct answers to reproduce for one request.
    private static let most = 8

    private struct Key: Hashable {
        var method: String
        var target: String
        var body: JSON?
    }

    init(_ exchanges: RecordedExchanges, _ concealer: SecretConcealer) {
        self.concealer = concealer
        func key(_ exchange: RecordedExchange) -> Key {
            // A secret from another message can occur in the path, or in the query under any name.
            let target = RecordedExchanges.escaped(exchange.path) + (exchange.query.map { "?\($0)" } ?? "")
            let concealed = concealer.conceal(.string(target)).stringValue ?? ""
            let pattern = concealed.replacing(/secret:[a-z]+-[0-9]+/) { secret in
                "{\(secret.output.filter { $0.isLetter || $0.isNumber })}"
            }
            return Key(method: exchange.method, target: pattern, body: exchange.body)
        }
        let groups = Self.groups(of: exchanges.all, by: key)
        let targets = Self.groups(of: exchanges.all) { exchange in
            var key = key(exchange)
            key.body = nil
            return key
        }
        for target in targets {
            let own = groups.filter { $0.key.method == target.key.method && $0.key.target == target.key.target }
            guard own.count > 1 else {
                add(target.key, own.flatMap(\.members).map(\.answer))
                continue
            }
            for group in own where group.key.body != nil { add(group.key, group.members.map(\.answer)) }
            let bare = own.first { $0.key.body == nil }?.members ?? Array(target.members.suffix(1))
            add(target.key, bare.map(\.answer))
        }
        let paths = Self.groups(of: exchanges.all.filter { $0.query != nil }) { exchange in
            var key = key(exchange)
            key.target = String(key.target.prefix { $0 != "?" }) + "?{query}"
            key.body = nil
            return key
        }
        for path in paths where Set(path.members.map(\.query)).count > 1 {
            add(path.key, path.members.suffix(1).map(\.answer))
        }
        if exchanges.unanswered > 0 {
            gaps.append(Self.count(exchanges.unanswered, "HTTP request") + " without an answer")
        }
        if exchanges.strange > 0 {
            gaps.append(
                Self.count(exchanges.strange, "HTTP request") + " with an address, method or status that no rule has"
            )
        }
        let kinds = [
            ("binary", "that is not text"), ("compressed", "that is compressed"), ("long", "of more than 16 KiB"),
            ("reserved", "with '${', which is reserved for values"),
        ]
        for (kind, word) in kinds {
            guard let count = exchanges.bodiesLeftOut[kind] else { continue }
            gaps.append("the body of \(Self.count(count, "HTTP response")) \(word)")
        }
        if exchanges.later > 0 { gaps.append("\(Self.count(exchanges.later, "HTTP request")) after the first 400") }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns the exchanges grouped by key, with the groups ordered by their first exchange.
    private static func groups(of exchanges: [RecordedExchange], by key: (RecordedExchange) -> Key)
        -> [(key: Key, members: [RecordedExchange])]
    {
        var groups: [(key: Key, members: [RecordedExchange])] = []
        for exchange in exchanges {
            let key = key(exchange)
            if let place = groups.firstIndex(where: { $0.key == key }) {
                groups[place].members.append(exchange)
            } else {
                groups.append((key, [exchange]))
            }
        }
        return groups
    }

    /// Adds rules that give the answers in order, one for each run of consecutive equal answers.
    private mutating func add(_ key: Key, _ answers: [RecordedExchange.Answer]) {
        var runs: [(answer: RecordedExchange.Answer, count: Int64)] = []
        for answer in answers {
            var same = answer
            // Delays are ignored in the comparison, because identical answers may have taken different amounts of time.
            if let last = runs.last { same.after = last.answer.after }
            if let last = runs.last, last.answer == same {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((answer, 1))
            }
        }
        if runs.count > Self.most {
            gaps.append(
                "all but the first \(Self.most - 1) and the last of \(runs.count) different answers to "
                    + "\(key.method) \(key.target)"
            )
            runs = runs.prefix(Self.most - 1) + runs.suffix(1)
        }
        for (place, run) in runs.enumerated() {
            var values: [(name: String, value: ArgumentValue)] = [("request", .text("\(key.method) \(key.target)"))]
            if let body = key.body { values.append(("match", .json(concealer.conceal(body).pattern))) }
            if run.answer.status != 200 { values.append(("status", .integer(run.answer.status))) }
            let headers = headers(of: run.answer)
            if !headers.isEmpty { values.append(("headers", .json(.object(headers)))) }
            if let body = run.answer.body { values.append(("body", .json(concealer.conceal(body).literal))) }
            if run.answer.after > .zero { values.append(("after", .duration(run.answer.after))) }
            if place < runs.count - 1 { values.append(("count", .integer(run.count))) }
            all.append(Arguments(values, label: label(of: key)))
        }
    }

    /// Returns the header fields, except for a content type that the fake server would add anyway.
    private func headers(of answer: RecordedExchange.Answer) -> [JSONMember] {
        let hasType = answer.headers.contains { $0.name.lowercased() == "content-type" }
        // In a replay, the fake server adds a content type to a response with a body, unless the rule specifies one. An
        // empty content type prevents this.
        let none = answer.body == nil || hasType ? [] : [JSONMember("Content-Type", "")]
        return none
            + answer.headers.compactMap { member in
                if member.name == "Content-Type", member.value == "application/json", let body = answer.body,
                    body.stringValue == nil
                {
                    return nil
                }
                // Scenario files reserve '${' for references to values, so a header field that contains it is left out.
                if member.value.stringValue?.contains("${") == true { return nil }
                return JSONMember(member.name, concealer.conceal(member.value))
            }
    }

    private mutating func label(of key: Key) -> String {
        let path = key.target.prefix { $0 != "?" }.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = ([key.method.lowercased()] + String(path).split(separator: "-").map(String.init)).joined(
            separator: "-"
        )
        let base = String(words.prefix(32))
        var label = base
        var number = 1
        while !labels.insert(label).inserted {
            number += 1
            label = "\(base)-\(number)"
        }
        return label
    }
}

extension JSON {
    /// The value as a pattern: a string that contains a concealed secret matches any value, and all other braces are
    /// literal.
    fileprivate var pattern: JSON {
        switch self {
        case .string(let text):
            .string(
                text.contains("secret:")
                    ? "{\(text.filter { $0.isLetter || $0.isNumber })}" : RecordedExchanges.escaped(text)
            )
        case .array(let elements): .array(elements.map(\.pattern))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.pattern) })
        case .null, .bool, .integer, .number: self
        }
    }

    /// The value as a literal reply, with its braces escaped so that they are not taken for placeholders.
    fileprivate var literal: JSON {
        switch self {
        case .string(let text): .string(RecordedExchanges.escaped(text))
        case .array(let elements): .array(elements.map(\.literal))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.literal) })
        case .null, .bool, .integer, .number: self
        }
    }
}
