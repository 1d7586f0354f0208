import SquallCore
import Trace

/// An HTTP request and the server's answer, recorded by `squall record`.
struct RecordedExchange: Hashable, Sendable {
    var method: String
    /// The path, without the query.
    var path: String
    /// The query as a pattern, without its question mark and with a placeholder such as `{token}` for each value that
    /// looks like a secret; nil if there is no query.
    var query: String?
    /// The body of the request; nil if there is none, or if it is not JSON.
    var body: JSON?
    var answer: Answer

    struct Answer: Hashable, Sendable {
        var status: Int64
        var headers: [JSONMember]
        var body: JSON?
        /// The time from the request to the answer.
        var after: TimeSpan
    }
}

/// The HTTP exchanges in a recording that a scenario can include.
struct RecordedExchanges: Sendable {
    /// The exchanges, in request order.
    private(set) var all: [RecordedExchange] = []
    private var areOfProfile: [Bool] = []
    /// The time of the last answer.
    private(set) var end: Instant?
    /// The number of unanswered requests and, for each reason, the number of answers whose bodies are left out.
    private(set) var unanswered = 0
    private(set) var bodiesLeftOut: [String: Int] = [:]
    private(set) var later = 0
    /// The number of requests that a rule cannot describe, or whose answer a rule cannot reproduce.
    private(set) var strange = 0

    /// The maximum number of exchanges, limited so that scenarios remain readable.
    private static let most = 400
    /// The shortest delay to reproduce. Anything shorter is mere processing time.
    private static let shortest = TimeSpan.milliseconds(20)

    init(_ recording: Recording, hidingIn concealer: inout SecretConcealer) {
        // Answers arrive in request order on each connection, so each connection has its own queue. A request that is
        // left out is represented by nil, because its answer must be skipped as well.
        var waiting: [String: [Int?]] = [:]
        var times: [Instant] = []
        var isAnswered: [Bool] = []
        for event in recording.events {
            guard let fields = event.fields, let link = fields["link"]?.intValue else { continue }
            let line = "\(link) \(event.client?.name ?? "")"
            switch event.name {
            case "server.received.request":
                guard all.count < Self.most, Self.isUsual(fields) else {
                    if all.count < Self.most { strange += 1 } else { later += 1 }
                    waiting[line, default: []].append(nil)
                    continue
                }
                waiting[line, default: []].append(all.count)
                all.append(Self.request(fields, &concealer))
                areOfProfile.append(fields["of_profile"] == true)
                times.append(event.time)
                isAnswered.append(false)
            case "server.sent.response":
                guard let first = waiting[line]?.first else { continue }
                waiting[line]?.removeFirst()
                guard let index = first else { continue }
                all[index].answer = answer(fields, after: event.time - times[index], &concealer)
                isAnswered[index] = true
                end = event.time
            default: continue
            }
        }
        unanswered = isAnswered.count { !$0 }
        let kept = all.indices.filter { isAnswered[$0] && (200...599).contains(all[$0].answer.status) }
        strange += all.count - unanswered - kept.count
        all = kept.map { all[$0] }
        areOfProfile = kept.map { areOfProfile[$0] }
    }

    var isEmpty: Bool { all.isEmpty && unanswered == 0 && strange == 0 }

    /// Returns whether a rule can describe a request.
    private static func isUsual(_ fields: JSON) -> Bool {
        guard let target = fields["target"]?.stringValue, let method = fields["method"]?.stringValue else {
            return false
        }
        return target.hasPrefix("/") && !target.contains("${")
            && method.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-") }
    }

    /// Whether the exchanges include a request that the profile does not define.
    var hasForeign: Bool { areOfProfile.contains(false) }

    /// Removes the requests that the profile defines.
    mutating func leaveOutProfile() {
        let kept = all.indices.filter { !areOfProfile[$0] }
        all = kept.map { all[$0] }
        areOfProfile = kept.map { areOfProfile[$0] }
        if all.isEmpty { (unanswered, bodiesLeftOut, later, strange, end) = (0, [:], 0, 0, nil) }
    }

    private static func request(_ fields: JSON, _ concealer: inout SecretConcealer) -> RecordedExchange {
        let target = fields["target"]?.stringValue ?? "/"
        let path = String(target.prefix { $0 != "?" })
        for segment in path.split(separator: "/") { concealer.learn(.string(String(segment))) }
        var query: String?
        if path.utf8.count < target.utf8.count {
            let items = target.dropFirst(path.count + 1).split(separator: "&", omittingEmptySubsequences: false)
            query = items.map { item in
                let name = item.prefix { $0 != "=" }
                let value = item.dropFirst(name.count + 1)
                guard SecretConcealer.isSecret(String(name)) || SecretConcealer.isToken(value), !value.isEmpty else {
                    return escaped(String(item))
                }
                concealer.learn(encoded: value, called: "token")
                let hole = name.filter { $0.isASCII && $0.isLetter }
                return "\(escaped(String(name)))={\(hole.isEmpty ? "secret" : String(hole))}"
            }
            .joined(separator: "&")
        }
        var body: JSON?
        if let text = fields["text"]?.stringValue, !text.contains("${") {
            let content = RecordedMessage.content(text)
            learn(content, &concealer)
            if content.stringValue == nil { body = content }
        }
        return RecordedExchange(
            method: fields["method"]?.stringValue ?? "GET",
            path: path,
            query: query,
            body: body,
            answer: RecordedExchange.Answer(status: 200, headers: [], body: nil, after: .zero)
        )
    }

    private mutating func answer(_ fields: JSON, after: TimeSpan, _ concealer: inout SecretConcealer)
        -> RecordedExchange.Answer
    {
        let lines = fields["headers"]?.stringValue?.split(separator: "\n") ?? []
        let headers = lines.compactMap { line -> JSONMember? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            concealer.learn(.string(value))
            // The target of a redirect often contains a token.
            concealer.learn(itemsOf: value)
            return JSONMember(String(line[..<colon]), .string(value))
        }
        var body: JSON?
        let text = fields["text"]?.stringValue
        if text?.contains("${") == true {
            bodiesLeftOut["reserved", default: 0] += 1
        } else if let text {
            let content = RecordedMessage.content(text)
            Self.learn(content, &concealer)
            body = content
        } else if let kind = fields["kind"]?.stringValue, kind != "text" {
            bodiesLeftOut[kind, default: 0] += 1
        }
        return RecordedExchange.Answer(
            status: fields["status"]?.intValue ?? 200,
            headers: headers,
            body: body,
            after: after < Self.shortest ? .zero : .milliseconds(after.nanoseconds / 10_000_000 * 10)
        )
    }

    private static func learn(_ body: JSON, _ concealer: inout SecretConcealer) {
        concealer.learn(body)
        // Text without spaces may be URL-encoded form data.
        if let text = body.stringValue, !text.contains(where: \.isWhitespace) { concealer.learn(itemsOf: text) }
    }

    /// Escapes the braces in a string, so that none of them starts a placeholder.
    static func escaped(_ text: String) -> String {
        text.replacing("{", with: "{{").replacing("}", with: "}}")
    }
}
