import SquallCore

/// An HTTP request that client libraries of a protocol send in addition to the routes of the chat protocol.
///
/// It is either a negotiation that precedes the WebSocket and has a fixed response, or a request that sends a message.
package struct WireRequest: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case answer(JSON)
        /// Sends a message. The request body has the fields of a `send` frame, and the response body has those of a
        /// `confirm` frame.
        case send(FrameTemplate, answer: TemplatePattern)
    }

    package let name: String
    let method: String
    let path: PathTemplate
    /// The `Authorization` scheme, such as `Bearer`, with which the key must be sent; nil if no key is needed.
    package let scheme: String?
    let effect: Effect

    /// Whether the request sends a message.
    package var sends: Bool { if case .send = effect { true } else { false } }

    /// Extracts the key from the value of an `Authorization` header; returns nil if the scheme is not this request's.
    package func key(inAuthorization value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme?.lowercased() else { return nil }
        return String(parts[1])
    }
}

extension FrameMap {
    /// Returns the profile's additional request with this method and target; nil if there is none.
    package func request(method: String, target: String) -> WireRequest? {
        guard !requests.isEmpty, let path = PathTemplate.split(target)?.path else { return nil }
        return requests.first { $0.method == method && $0.path.match(path) != nil }
    }
}

extension FrameMap {
    /// Returns the target of the WebSocket's upgrade request, including the key; nil if the protocol does not send the
    /// key in the request target.
    package func target(_ path: String, key: String) -> String? {
        keyParameter.map { "\(path)?\($0)=\(PercentCoding.encode(key))" }
    }

    /// Returns the key contained in the target of a WebSocket upgrade request; nil if there is none.
    package func key(inTarget target: String) -> String? {
        keyParameter.flatMap { PathTemplate.parameter($0, of: target) }
    }
}

// MARK: - Fixed responses

extension WireRequest {
    private enum Placeholder: String, CaseIterable {
        case host = "{$host}"
        case key = "{$key}"
    }

    /// Returns the fixed response body for a request with this `Host` header and key; empty for a request that sends a
    /// message.
    package func answer(host: String, key: String) -> [UInt8] {
        guard case .answer(let answer) = effect else { return [] }
        return Self.filled(answer) { text in
            text.split(separator: "{$", omittingEmptySubsequences: false).enumerated().map { index, part in
                guard index > 0 else { return String(part) }
                let whole = "{$" + part
                for placeholder in Placeholder.allCases where whole.hasPrefix(placeholder.rawValue) {
                    let value =
                        switch placeholder {
                        case .host: host
                        case .key: key
                        }
                    return value + whole.dropFirst(placeholder.rawValue.count)
                }
                return whole
            }
            .joined()
        }
        .encode()
    }

    /// Returns the value with each string replaced by the result of `change`.
    private static func filled(_ value: JSON, _ change: (String) -> String) -> JSON {
        switch value {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { filled($0, change) })
        case .object(let members): .object(members.map { JSONMember($0.name, filled($0.value, change)) })
        case .null, .bool, .integer, .number: value
        }
    }
}

// MARK: - Sending a message

extension WireRequest {
    /// The name of the member that is added to the body's template, and holds the path's segments, if any of them
    /// contains a placeholder.
    private static let pathMember = "/path"

    /// Decodes the message in the body and the path of a request.
    ///
    /// - Throws: ``Malformed`` if the body does not have the form of the request.
    package func message(in body: [UInt8], target: String) throws(Malformed) -> ClientFrame.SendRequest {
        guard case .send(let template, _) = effect, let pattern = template.body else {
            throw Malformed("\(name) sends no message")
        }
        var value = try? JSON.decode(body)
        value?.set(Self.pathMember, to: .array((PathTemplate.split(target)?.path ?? []).map { .string($0) }))
        guard let value, TemplateReader.recognises(value, as: pattern) else {
            throw Malformed("the body is not that of \(name)")
        }
        var reader = TemplateReader(message: nil)
        try reader.bind(value, to: pattern)
        let missing = template.assumed.filter { reader.fields.value(of: $0.name) == nil }
        var fields = ObjectReader(reader.fields + missing, WireProfile.canonical.tables)
        guard case .send(let request)? = try ClientFrame.decode(.send, &fields) else {
            throw Malformed("the body is not that of \(name)")
        }
        return request
    }

    /// Returns the response body for a request whose message has been stored.
    package func answer(to request: ClientFrame.SendRequest, _ confirmation: ServerFrame.Confirmation) -> [UInt8] {
        guard case .send(_, let pattern) = effect else { return [] }
        let writer = TemplateWriter(
            fields: ServerFrame.confirm(confirmation).fields,
            asked: ClientFrame.send(request).fields
        )
        return (writer.value(of: pattern) ?? .object([])).encode()
    }
}

// MARK: - Parsing

extension WireRequest {
    static let most = 16
    private static let keys = ["method", "path", "key", "answer", "send"]
    private static let methods = ["GET", "POST", "PUT"]

    /// Parses `wire.frames.http`.
    static func read(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> [WireRequest] {
        guard let value else { return [] }
        let path: [TemplateMistake.Step] = [.member("http")]
        guard let members = value.members, (1...most).contains(members.count) else {
            mistakes.add(path, "'http' must be a mapping of 1 to \(most) names to requests")
            return []
        }
        return members.compactMap { read($0, path + [.member($0.name)], &mistakes) }
    }

    private static func read(
        _ member: JSONMember,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> WireRequest? {
        let (value, before) = (member.value, mistakes.found.count)
        for key in (value.members ?? []).map(\.name) where !keys.contains(key) {
            mistakes.add(
                path + [.key(key)],
                "unknown key '\(key)' in a request",
                help: "one of: \(keys.joined(separator: ", "))"
            )
        }
        guard let method = value["method"]?.stringValue, methods.contains(method) else {
            mistakes.add(path, "a request needs a 'method'", help: "one of: \(methods.joined(separator: ", "))")
            return nil
        }
        let pathText = value["path"]?.stringValue ?? ""
        let template =
            value["send"] == nil ? PathTemplate(pathText, placeholder: nil) : PathTemplate(withHoles: pathText)
        if let problem = template.problem(placeholder: nil) { mistakes.add(path, "the request's 'path' \(problem)") }
        let scheme = value["key"]?.stringValue
        if value["key"] != nil, scheme?.contains(" ") ?? true {
            mistakes.add(
                path + [.member("key")],
                "'key' must be the scheme of the Authorization header, such as Bearer"
            )
        }
        guard let answer = value["answer"], answer.members != nil || answer.arrayValue != nil else {
            mistakes.add(path, "a request needs an 'answer', a mapping or a list")
            return nil
        }
        let effect =
            value["send"].map { read(send: withPath(pathText, $0), answer, path, &mistakes) }
            ?? read(fixed: answer, path, &mistakes)
        guard mistakes.found.count == before, let effect else { return nil }
        return WireRequest(name: member.name, method: method, path: template, scheme: scheme, effect: effect)
    }

    /// Returns the template of the request's body. If the path contains a placeholder, the body has an additional
    /// member, an array of the path's segments.
    private static func withPath(_ path: String, _ send: JSON) -> JSON {
        guard path.contains("{"), var frame = send["frame"] else { return send }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var changed = send
        frame.set(pathMember, to: .array(segments.map { .string(String($0)) }))
        changed.set("frame", to: frame)
        return changed
    }

    private static func read(
        fixed answer: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> Effect? {
        _ = filled(answer) { text in
            for part in text.split(separator: "{$", omittingEmptySubsequences: false).dropFirst() {
                let placeholder = "{$" + part.prefix { $0 != "}" } + "}"
                guard Placeholder(rawValue: placeholder) == nil else { continue }
                mistakes.add(
                    path + [.member("answer")],
                    "'\(placeholder)' is not a placeholder of an answer",
                    help: Placeholder.allCases.map(\.rawValue).joined(separator: " or ")
                )
            }
            return text
        }
        return .answer(answer)
    }

    private static func read(
        send: JSON,
        _ answer: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> Effect? {
        let reader = VariantReader(.role(.send), .client, extras: [])
        let template = reader.read(send, path + [.member("send")], &mistakes)
        if let template, template.prefix != nil || template.placeholders.contains(where: { $0.source == .reference }) {
            mistakes.add(path + [.member("send")], "the body of a request has neither 'text' nor '{$ref}'")
        }
        let fields = FrameShape.fields(of: .role(.confirm), by: .server)
        var answers = PatternReader(TemplateScope(frame: (.role(.confirm), .server), fields: fields))
        guard let pattern = answers.read(answer, path + [.member("answer")], &mistakes), let template else {
            return nil
        }
        for placeholder in pattern.placeholders {
            switch placeholder.source {
            case .field, .asked(.role(.send), _): continue
            case .reference, .referenceOf, .asked, .number, .seen, .host:
                mistakes.add(path + [.member("answer")], "{\(placeholder.name)} cannot be part of an answer over HTTP")
            }
        }
        return .send(template, answer: pattern)
    }
}
