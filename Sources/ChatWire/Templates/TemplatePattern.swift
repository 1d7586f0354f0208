import SquallCore

/// A JSON value with placeholders, used both to encode and to decode.
indirect enum TemplatePattern: Hashable, Sendable {
    /// A literal null, Boolean, number or string.
    case literal(JSON)
    case placeholder(TemplatePlaceholder)
    /// A string that contains at least one placeholder and other text.
    case text(TextPattern)
    case list([TemplatePattern])
    case object([Member])
    /// A string whose content is JSON.
    case encoded(TemplatePattern)
    /// A member that must be missing or null and is not written.
    case absent

    struct Member: Hashable, Sendable {
        var name: String
        var pattern: TemplatePattern
    }

    /// All placeholders of the pattern, in order.
    var placeholders: [TemplatePlaceholder] {
        switch self {
        case .literal, .absent: []
        case .placeholder(let placeholder): [placeholder]
        case .text(let text): text.placeholders
        case .list(let patterns): patterns.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.pattern.placeholders)
        case .encoded(let inner): inner.placeholders
        }
    }
}

// MARK: - Parsing

/// Parses a frame's template, limiting its size and depth.
struct PatternReader {
    let scope: TemplateScope
    private var rest = PatternReader.most

    /// The maximum number of values in a frame's template.
    static let most = 256
    static let deepest = 12
    /// The key of `{ $json: VALUE }`, which represents a string that contains the value as JSON.
    static let encodedKey = "$json"
    /// The string that marks a member as absent: messages of this template must not contain the member, although
    /// messages of other templates do.
    static let absentText = "{$absent}"

    init(_ scope: TemplateScope) {
        self.scope = scope
    }

    /// Parses a JSON value as a pattern. On failure, adds the error to `mistakes` and returns nil.
    mutating func read(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        depth: Int = 0,
        _ mistakes: inout TemplateMistakes
    ) -> TemplatePattern? {
        rest -= 1
        guard rest >= 0, depth <= Self.deepest else {
            if rest == -1 || depth > Self.deepest {
                mistakes.add(path, "a frame can have at most \(Self.most) values, nested at most \(Self.deepest) deep")
            }
            return nil
        }
        switch value {
        case .null, .bool, .integer, .number: return .literal(value)
        case .string(let text): return read(text: text, path, &mistakes)
        case .array(let elements):
            var patterns: [TemplatePattern] = []
            for (index, element) in elements.enumerated() {
                guard let pattern = read(element, path + [.index(index)], depth: depth + 1, &mistakes) else { continue }
                patterns.append(pattern)
            }
            return patterns.count == elements.count ? .list(patterns) : nil
        case .object(let members) where members.first?.name == Self.encodedKey:
            guard members.count == 1 else {
                mistakes.add(path + [.key(members[1].name)], "'\(Self.encodedKey)' must be the only member")
                return nil
            }
            let inner = path + [.member(Self.encodedKey)]
            return read(members[0].value, inner, depth: depth + 1, &mistakes).map { .encoded($0) }
        case .object(let members):
            var patterns: [TemplatePattern.Member] = []
            for member in members {
                let inner = path + [.member(member.name)]
                guard let pattern = read(member.value, inner, depth: depth + 1, &mistakes) else { continue }
                patterns.append(TemplatePattern.Member(name: member.name, pattern: pattern))
            }
            return patterns.count == members.count ? .object(patterns) : nil
        }
    }

    private func read(
        text: String,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> TemplatePattern? {
        guard text != Self.absentText else { return .absent }
        do throws(PlaceholderMistake) {
            let pattern = try TextPattern(text, in: scope)
            if let problem = pattern.problem { throw problem }
            if let placeholder = pattern.onlyPlaceholder { return .placeholder(placeholder) }
            return pattern.literal.map { .literal(.string($0)) } ?? .text(pattern)
        } catch {
            mistakes.add(path, error.message, help: error.help)
            return nil
        }
    }
}

// MARK: - Overlaps

extension TemplatePattern {
    /// Returns whether a value exists that matches both patterns.
    func overlaps(_ other: TemplatePattern) -> Bool {
        switch (self, other) {
        case (.absent, _): TemplatePattern.literal(.null).overlaps(other)
        case (_, .absent): overlaps(.literal(.null))
        case (.literal(let one), .literal(let two)): one == two
        case (.literal(let value), .placeholder(let placeholder)), (.placeholder(let placeholder), .literal(let value)):
            placeholder.takes(value)
        case (.literal(.string(let text)), .text(let pattern)), (.text(let pattern), .literal(.string(let text))):
            pattern.match(Array(text.utf8)[...], toEnd: true) != nil
        case (.placeholder(let one), .placeholder(let two)): !one.kinds.isDisjoint(with: two.kinds)
        case (.placeholder(let placeholder), .text), (.text, .placeholder(let placeholder)):
            placeholder.kinds.contains(.text)
        case (.placeholder(let placeholder), .list), (.list, .placeholder(let placeholder)):
            placeholder.kinds.contains(.list)
        case (.placeholder(let placeholder), .object), (.object, .placeholder(let placeholder)):
            placeholder.kinds.contains(.object)
        case (.text(let one), .text(let two)): one.overlaps(two)
        case (.list(let one), .list(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.overlaps($1) }
        case (.object(let one), .object(let two)):
            // If only one of the patterns contains a member, the other pattern accepts any value for it.
            one.allSatisfy { member in
                two.first { $0.name == member.name }.map { member.pattern.overlaps($0.pattern) } ?? true
            }
        case (.encoded(let one), .encoded(let two)): one.overlaps(two)
        case (.encoded, .placeholder(let placeholder)), (.placeholder(let placeholder), .encoded):
            placeholder.kinds.contains(.text)
        // A string may contain JSON that matches the other pattern. This is not checked, so such patterns count as
        // overlapping.
        case (.encoded, .text), (.text, .encoded), (.encoded, .literal(.string)), (.literal(.string), .encoded): true
        case (.encoded, .literal), (.encoded, .list), (.encoded, .object), (.literal, .encoded), (.list, .encoded),
            (.object, .encoded):
            false
        case (.literal, .text), (.literal, .list), (.literal, .object), (.text, .literal), (.text, .list),
            (.text, .object), (.list, .literal), (.list, .text), (.list, .object), (.object, .literal),
            (.object, .text), (.object, .list):
            false
        }
    }

    /// The path to the reference that a matching value must contain; nil if the pattern requires none.
    var referencePlace: [String]? {
        switch self {
        case .placeholder(let placeholder) where placeholder.source == .reference && !placeholder.isOptional: return []
        case .text(let text) where text.placeholders.contains { $0.source == .reference }: return []
        case .literal, .placeholder, .text, .absent: return nil
        case .list(let patterns):
            for (index, pattern) in patterns.enumerated() {
                if let place = pattern.referencePlace { return ["[\(index)]"] + place }
            }
            return nil
        case .object(let members):
            for member in members {
                if let place = member.pattern.referencePlace { return [".\(member.name)"] + place }
            }
            return nil
        case .encoded(let inner): return inner.referencePlace.map { ["$json"] + $0 }
        }
    }
}
