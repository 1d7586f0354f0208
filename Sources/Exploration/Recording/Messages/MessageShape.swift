import SquallCore

/// Derives the pattern that a rule uses to recognise messages of one kind. The pattern keeps the protocol's own words,
/// and replaces values that vary with placeholders (holes).
enum MessageShape {
    /// Names of members that commonly contain the type of a message.
    private static let typeNames: Set = [
        "type", "t", "do", "op", "opcode", "event", "evt", "ev", "method", "action", "cmd", "command", "kind",
        "message_type",
        "messagetype", "msgtype", "operation", "operationname", "topic", "channel", "subject",
    ]
    /// Names of members that may contain a message's type if none of its members is listed in `typeNames`.
    private static let otherTypeNames: Set = ["name", "msg", "request", "query", "path", "resource"]
    private static let deepest = 3
    private static let longestWord = 64

    /// Returns the pattern for messages of the same kind as `content`. ``MessageLeaf/hole`` determines the names of its
    /// placeholders.
    static func pattern(of content: JSON) -> JSON {
        if case .string(let text) = content { return .string(pattern(of: text)) }
        if let words = words(of: content) { return words }
        guard case .object(let members) = content else { return .string("[{rest}") }
        // A message without a type is recognised by the names of its members.
        let present = members.filter { !$0.value.isNull }.prefix(deepest)
        return .object(present.map { JSONMember($0.name, .string("{\(MessageLeaf.holeName($0.name))}")) })
    }

    private static func words(of value: JSON, depth: Int = 0) -> JSON? {
        guard depth <= deepest else { return nil }
        switch value {
        case .object(let members):
            func found(_ names: Set<String>) -> [JSONMember] {
                members.compactMap { member in
                    if names.contains(member.name.lowercased()), let word = word(member.value) {
                        return JSONMember(member.name, word)
                    }
                    return words(of: member.value, depth: depth + 1).map { JSONMember(member.name, $0) }
                }
            }
            let first = found(typeNames)
            let all = first.isEmpty ? found(otherTypeNames) : first
            return all.isEmpty ? nil : .object(all)
        case .array(let elements) where depth == 0:
            var hasWord = false
            let patterns = elements.enumerated().map { index, element -> JSON in
                if case .string(let text) = element, isName(text) {
                    hasWord = true
                    return element
                }
                return .string("{item\(index + 1)}")
            }
            return hasWord || elements.isEmpty ? .array(patterns) : nil
        case .null, .bool, .integer, .number, .string, .array: return nil
        }
    }

    /// Returns the value if it can be the type of a message; otherwise nil.
    private static func word(_ value: JSON) -> JSON? {
        switch value {
        case .integer, .bool: return value
        case .string(let text):
            let isShort = (1...longestWord).contains(text.utf8.count)
            return isShort && !text.contains("{") && !text.contains("}") && !MessageLeaf.isStrong(value) ? value : nil
        case .null, .number, .array, .object: return nil
        }
    }

    /// Returns whether a list element is a protocol word rather than an id or the text of a message.
    private static func isName(_ text: String) -> Bool {
        guard (2...longestWord).contains(text.utf8.count), text.utf8.first.map(isLetter) == true else { return false }
        return text.utf8.allSatisfy { isLetter($0) || "_-:./".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Returns the pattern for a text message: numbers become placeholders, and only the beginning of a long text is
    /// matched.
    private static func pattern(of text: String) -> String {
        guard text.utf8.count <= longestWord else {
            let head = text.prefix { !$0.isNumber }.prefix(24)
            return MessageLeaf.escaped(String(head)) + "{rest}"
        }
        return MessageLeaf.replacingNumbers(of: text) { number, _ in "{n\(number)}" }
    }
}

/// A value within a message that may vary between messages of the same kind.
struct MessageLeaf: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case member(String)
        case element(Int, of: Int)
    }

    /// The path to the value; empty for a number within a text message.
    var path: [Step]
    /// The name of the member, or a name derived from the position in a list (`item1`) or text (`n1`).
    var name: String
    var value: JSON

    /// The name of the placeholder that represents the value in a rule's pattern.
    var hole: String { Self.holeName(name) }

    static func holeName(_ name: String) -> String { name.filter { $0 != "{" && $0 != "}" } }

    /// Returns the strings and integers in a JSON message, or the numbers in a text message.
    static func all(of content: JSON) -> [MessageLeaf] {
        var found: [MessageLeaf] = []
        if case .string(let text) = content {
            _ = replacingNumbers(of: text) { number, digits in
                found.append(MessageLeaf(path: [], name: "n\(number)", value: .string(digits)))
                return ""
            }
        } else {
            collect(content, [], "", &found)
        }
        return found
    }

    /// Returns the values in the message `content`, except those that are literals in `pattern`.
    static func all(of content: JSON, excluding pattern: JSON) -> [MessageLeaf] {
        all(of: content).filter { leaf in leaf.path.isEmpty || pattern.value(at: leaf.path) != leaf.value }
    }

    private static func collect(_ value: JSON, _ path: [Step], _ name: String, _ found: inout [MessageLeaf]) {
        switch value {
        case .integer: found.append(MessageLeaf(path: path, name: name, value: value))
        case .string(let text):
            if !text.isEmpty { found.append(MessageLeaf(path: path, name: name, value: value)) }
        case .array(let elements):
            // A nested list may have a different length in the next message, so its elements are skipped.
            guard path.isEmpty else { return }
            for (index, element) in elements.enumerated() {
                collect(element, [.element(index, of: elements.count)], "item\(index + 1)", &found)
            }
        case .object(let members):
            for member in members { collect(member.value, path + [.member(member.name)], member.name, &found) }
        case .null, .bool, .number: break
        }
    }

    // MARK: - Identity

    private static let idNames: Set = [
        "id", "ref", "seq", "nonce", "rid", "reqid", "req", "cid", "mid", "ack", "uuid", "tag", "re",
    ]
    /// Names of members that contain the id of the message being answered.
    private static let answerNames: Set = [
        "id", "ref", "re", "ack", "rid", "req", "reqid", "request_id", "requestid", "reply_to", "replyto",
        "in_reply_to", "correlation_id", "correlationid", "for",
    ]

    /// Whether the value identifies a message instead of being part of its content.
    var isIdentity: Bool {
        let name = name.lowercased()
        return Self.idNames.contains(name) || name.hasSuffix("_id") || self.name.hasSuffix("Id") || Self.isStrong(value)
    }

    /// Returns whether a value is so distinctive that two equal values are unlikely to be a coincidence.
    static func isStrong(_ value: JSON) -> Bool {
        switch value {
        case .integer(let number): number >= 100_000
        case .string(let text):
            text.utf8.count >= 8 && !text.contains(" ")
                && text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } >= 3
        case .null, .bool, .number, .array, .object: false
        }
    }

    /// Whether this value is so common that an equal value elsewhere is probably a coincidence.
    private var isSmall: Bool {
        switch value {
        case .integer(let number): number < 10
        case .string(let text): text.utf8.count < 2
        case .null, .bool, .number, .array, .object: true
        }
    }

    enum Echo: Hashable, Sendable {
        /// The answer repeats the request's id.
        case ofIdentity
        /// The answer repeats another value from the request.
        case ofContent
    }

    /// Returns how the answer's member `name`, whose value is `value`, repeats this value, or nil if it does not.
    func echo(in value: JSON, called name: String) -> Echo? {
        guard value == self.value else { return nil }
        let isSame = name == self.name
        if isIdentity, isSame || Self.isStrong(value) || Self.answerNames.contains(name.lowercased()) {
            return .ofIdentity
        }
        return isSame || isIdentity && !isSmall ? .ofContent : nil
    }

    // MARK: - Texts

    /// Escapes a string for use in a pattern, where braces enclose holes.
    static func escaped(_ text: String) -> String {
        text.replacing("{", with: "{{").replacing("}", with: "}}")
    }

    /// Returns the escaped text with each number replaced. `replacement` receives the number's 1-based position and its
    /// digits.
    static func replacingNumbers(of text: String, by replacement: (Int, String) -> String) -> String {
        var result = ""
        var rest = text[...]
        var count = 0
        while let start = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
            result += escaped(String(rest[..<start]))
            let digits = rest[start...].prefix { $0.isASCII && $0.isNumber }
            count += 1
            result += replacement(count, String(digits))
            rest = rest[digits.endIndex...]
        }
        return result + escaped(String(rest))
    }
}

extension JSON {
    /// Returns the value at a path; nil if the path does not exist.
    fileprivate func value(at path: some Collection<MessageLeaf.Step>) -> JSON? {
        guard let step = path.first else { return self }
        return switch step {
        case .member(let name): self[name]?.value(at: path.dropFirst())
        case .element(let index, _): self[index]?.value(at: path.dropFirst())
        }
    }
}
