package import SquallCore

/// A pattern for a client's message in any protocol: JSON or text, in which the placeholder `{name}` matches any value.
///
/// An object may have more members than the pattern; a list must have the same number of elements. A string that
/// consists of one placeholder matches any value except null. Within a longer string, a placeholder matches the text up
/// to the literal that follows it. A literal brace is written twice.
package struct MessagePattern: Hashable, Sendable {
    private let body: JSON

    /// Creates a pattern for JSON, or, if `body` is a string, for text.
    package init(_ body: JSON) {
        self.body = body
    }

    /// The pattern as written in scripts, for reports.
    package var text: String { body.stringValue ?? String(decoding: body.encode(), as: UTF8.self) }

    /// Returns the values of the placeholders; nil if the message does not match.
    func match(_ message: String) -> [JSONMember]? {
        var found: [JSONMember] = []
        if case .string(let template) = body {
            return Self.match(.string(message), TextTemplate(template), &found) ? found : nil
        }
        guard let value = try? JSON.decode(message) else { return nil }
        return Self.match(value, body, &found) ? found : nil
    }

    private static func match(_ value: JSON, _ pattern: JSON, _ found: inout [JSONMember]) -> Bool {
        switch pattern {
        case .null, .bool, .integer, .number: return value == pattern
        case .string(let text): return match(value, TextTemplate(text), &found)
        case .array(let patterns):
            guard case .array(let elements) = value, elements.count == patterns.count else { return false }
            for (element, pattern) in zip(elements, patterns) {
                guard match(element, pattern, &found) else { return false }
            }
            return true
        case .object(let members):
            guard value.members != nil else { return false }
            for member in members {
                guard match(value[member.name] ?? .null, member.value, &found) else { return false }
            }
            return true
        }
    }

    private static func match(_ value: JSON, _ template: TextTemplate, _ found: inout [JSONMember]) -> Bool {
        if let hole = template.onlyPlaceholder {
            if case .null = value { return false }
            return bind(hole, value, &found)
        }
        guard case .string(let text) = value else { return false }
        var rest = Array(text.utf8)[...]
        for (index, piece) in template.pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return false }
                rest = rest.dropFirst(literal.count)
            case .hole(let name):
                guard let end = template.end(ofHole: index, in: rest) else { return false }
                let value = JSON.string(String(decoding: rest[..<end], as: UTF8.self))
                guard bind(name, value, &found) else { return false }
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }

    /// Adds the value of a placeholder; returns `false` if the same placeholder already has a different value.
    private static func bind(_ name: String, _ value: JSON, _ found: inout [JSONMember]) -> Bool {
        if let known = found.first(where: { $0.name == name }) { return known.value == value }
        found.append(JSONMember(name, value))
        return true
    }
}

/// A string with placeholders such as `{name}`.
struct TextTemplate: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        /// Literal text; never empty.
        case literal([UInt8])
        case hole(String)
    }

    private(set) var pieces: [Piece] = []

    init(_ text: String) {
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), rest.first == byte {
                rest.removeFirst()
                literal.append(byte)
            } else if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")), end > rest.startIndex
            {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                pieces.append(.hole(String(decoding: rest[..<end], as: UTF8.self)))
                rest = rest[(end + 1)...]
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    var onlyPlaceholder: String? {
        if pieces.count == 1, case .hole(let name) = pieces[0] { name } else { nil }
    }

    /// Returns the index at which a placeholder ends in the remaining text: before the literal that follows the
    /// placeholder, or at the end of the text.
    fileprivate func end(ofHole index: Int, in text: ArraySlice<UInt8>) -> Int? {
        guard index + 1 < pieces.count else { return text.endIndex }
        guard case .literal(let next) = pieces[index + 1] else { return text.startIndex }
        let isLast = index + 2 == pieces.count
        let starts = text.indices.lazy.filter { text[$0...].starts(with: next) }
        return isLast ? starts.last { $0 + next.count == text.endIndex } : starts.first
    }

    /// Returns the string with values in place of placeholders; a placeholder without a value is left unchanged.
    fileprivate func filled(_ values: [JSONMember]) -> JSON {
        if let name = onlyPlaceholder, let value = values.first(where: { $0.name == name })?.value { return value }
        var text: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .hole(let name):
                switch values.first(where: { $0.name == name })?.value {
                case .string(let value)?: text += Array(value.utf8)
                case let value?: text += value.encode()
                case nil: text += Array("{\(name)}".utf8)
                }
            }
        }
        return .string(String(decoding: text, as: UTF8.self))
    }
}

extension JSON {
    /// Returns the value with the placeholders in its strings replaced.
    func filled(_ values: [JSONMember]) -> JSON {
        switch self {
        case .string(let text): TextTemplate(text).filled(values)
        case .array(let elements): .array(elements.map { $0.filled(values) })
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.filled(values)) })
        case .null, .bool, .integer, .number: self
        }
    }
}
