import SquallCore

/// A string with placeholders, such as `room:{conversation_id}` or `42{$ref}`.
///
/// Two placeholders are always separated by literal text, so that a match is unambiguous.
struct TextPattern: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        /// Literal bytes, at least one.
        case literal([UInt8])
        case placeholder(TemplatePlaceholder)
    }

    var pieces: [Piece]

    /// The maximum length of a string in a template, in UTF-8 bytes.
    static let longest = 256

    /// The whole string; nil if it contains a placeholder.
    var literal: String? {
        var bytes: [UInt8] = []
        for piece in pieces {
            guard case .literal(let part) = piece else { return nil }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The placeholder, if the pattern consists of a single placeholder; nil otherwise.
    var onlyPlaceholder: TemplatePlaceholder? {
        if pieces.count == 1, case .placeholder(let placeholder) = pieces[0] { placeholder } else { nil }
    }

    var placeholders: [TemplatePlaceholder] {
        pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }
}

// MARK: - Parsing

extension TextPattern {
    init(_ text: String, in scope: TemplateScope) throws(PlaceholderMistake) {
        guard text.utf8.count <= Self.longest else {
            throw PlaceholderMistake("a text in a template can have at most \(Self.longest) bytes")
        }
        pieces = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{") where rest.first == byte, UInt8(ascii: "}") where rest.first == byte:
                rest.removeFirst()
                literal.append(byte)
            case UInt8(ascii: "{"):
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                    throw PlaceholderMistake(
                        "unclosed brace",
                        help: "write a literal brace twice: '{{'"
                    )
                }
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                let placeholder = try TemplatePlaceholder(String(decoding: rest[..<end], as: UTF8.self), in: scope)
                if case .placeholder(let before)? = pieces.last {
                    throw PlaceholderMistake(
                        "{\(before.name)} and {\(placeholder.name)} must be separated by literal text"
                    )
                }
                pieces.append(.placeholder(placeholder))
                rest = rest[(end + 1)...]
            case UInt8(ascii: "}"):
                throw PlaceholderMistake("unmatched closing brace", help: "write a literal brace twice: '}}'")
            default:
                literal.append(byte)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    /// The reason why a placeholder cannot be part of a string, or why the string would be ambiguous; nil if the string
    /// is valid.
    var problem: PlaceholderMistake? {
        guard onlyPlaceholder == nil else { return nil }
        for (index, piece) in pieces.enumerated() {
            guard case .placeholder(let placeholder) = piece else { continue }
            switch placeholder.source {
            case .referenceOf, .seen:
                return PlaceholderMistake(
                    "{\(placeholder.name)} cannot be part of a text",
                    help: "use it as the whole value: \"{\(placeholder.name)}\""
                )
            case .field(let shape), .asked(_, let shape):
                guard shape.kind == .text || shape.kind == .count else {
                    return PlaceholderMistake("{\(placeholder.name)} is a \(shape.kind) and cannot be part of a text")
                }
            case .reference, .number, .host: break
            }
            if placeholder.isOptional {
                return PlaceholderMistake("{\(placeholder.name)?} cannot be optional inside a text")
            }
            if placeholder.form != nil {
                return PlaceholderMistake("a placeholder inside a text has no form: write {\(placeholder.name)}")
            }
            guard placeholder.isDigits, index + 1 < pieces.count, case .literal(let next) = pieces[index + 1],
                let first = next.first, TextPattern.isDigit(first)
            else { continue }
            return PlaceholderMistake("a digit after {\(placeholder.name)} would be read as part of its value")
        }
        return nil
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

// MARK: - Matching

extension TextPattern {
    /// Returns the values of the placeholders in order, and the remaining text; nil if the text does not match.
    ///
    /// If `toEnd` is true, the pattern must match the whole text.
    func match(_ text: ArraySlice<UInt8>, toEnd: Bool) -> (values: [ArraySlice<UInt8>], rest: ArraySlice<UInt8>)? {
        var rest = text
        var values: [ArraySlice<UInt8>] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .placeholder(let placeholder) where placeholder.isDigits:
                let digits = rest.prefix(while: Self.isDigit)
                guard !digits.isEmpty, digits.count <= 18 else { return nil }
                values.append(digits)
                rest = rest.dropFirst(digits.count)
            case .placeholder:
                guard let end = end(before: index + 1, rest) else { return nil }
                values.append(rest[..<end])
                rest = rest[end...]
            }
        }
        return toEnd && !rest.isEmpty ? nil : (values, rest)
    }

    /// Returns the end of a placeholder's value: the first occurrence of the literal after it, or the last one if that
    /// literal ends the pattern.
    private func end(before index: Int, _ text: ArraySlice<UInt8>) -> Int? {
        guard index < pieces.count else { return text.endIndex }
        guard case .literal(let literal) = pieces[index], text.count >= literal.count else { return nil }
        let last = text.endIndex - literal.count
        if index + 1 == pieces.count { return text[last...].elementsEqual(literal) ? last : nil }
        return (text.startIndex...last).first { text[$0...].starts(with: literal) }
    }
}

// MARK: - Overlaps

extension TextPattern {
    /// One symbol of a text pattern, which matches one byte or a run of bytes.
    private enum Symbol: Hashable {
        case byte(UInt8)
        /// One digit.
        case digit
        /// Zero or more digits.
        case digits
        /// Zero or more arbitrary bytes.
        case anything
    }

    private var symbols: [Symbol] {
        pieces.flatMap { piece -> [Symbol] in
            switch piece {
            case .literal(let bytes): bytes.map { .byte($0) }
            case .placeholder(let placeholder): placeholder.isDigits ? [.digit, .digits] : [.anything]
            }
        }
    }

    /// Returns whether a text exists that matches both patterns, by searching over pairs of positions in the two
    /// patterns.
    func overlaps(_ other: TextPattern) -> Bool {
        let (left, right) = (symbols, other.symbols)
        var open = [(0, 0)]
        var seen: Set<Int> = [0]
        while let (one, two) = open.popLast() {
            if one == left.count, two == right.count { return true }
            func visit(_ one: Int, _ two: Int) {
                if seen.insert(one * (right.count + 1) + two).inserted { open.append((one, two)) }
            }
            let first = one < left.count ? left[one] : nil
            let second = two < right.count ? right[two] : nil
            if first == .digits || first == .anything { visit(one + 1, two) }
            if second == .digits || second == .anything { visit(one, two + 1) }
            guard let first, let second, Self.share(first, second) else { continue }
            let (staysLeft, staysRight) = (
                first == .digits || first == .anything, second == .digits || second == .anything
            )
            visit(staysLeft ? one : one + 1, staysRight ? two : two + 1)
        }
        return false
    }

    /// Returns whether a byte exists that matches both symbols.
    private static func share(_ left: Symbol, _ right: Symbol) -> Bool {
        switch (left, right) {
        case (.anything, _), (_, .anything): true
        case (.byte(let one), .byte(let two)): one == two
        case (.byte(let byte), .digit), (.byte(let byte), .digits), (.digit, .byte(let byte)),
            (.digits, .byte(let byte)):
            isDigit(byte)
        case (.digit, _), (.digits, _): true
        }
    }
}
