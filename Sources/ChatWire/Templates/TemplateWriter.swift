import SquallCore

/// Encodes a frame with its template.
struct TemplateWriter {
    /// The fields under their built-in names, with timestamps and durations in milliseconds.
    var fields: [JSONMember]
    /// The fields of the request that the frame answers.
    var asked: [JSONMember] = []
    var reference: JSON?
    var references: [FrameName: JSON] = [:]
    var number: Int64?
    var seen: Int64?
    var host = ""
    /// The template for each message in a list of messages; nil for the built-in form.
    var message: TemplatePattern?

    /// Returns the pattern's value with all placeholders replaced; nil if the field is missing. A missing field is
    /// omitted from an object and null in a list.
    func value(of pattern: TemplatePattern) -> JSON? {
        switch pattern {
        case .literal(let value): return value
        case .absent: return nil
        case .placeholder(let placeholder): return value(of: placeholder)
        case .text(let text): return .string(String(decoding: bytes(of: text), as: UTF8.self))
        case .list(let patterns): return .array(patterns.map { value(of: $0) ?? .null })
        case .object(let members):
            var filled: [JSONMember] = []
            filled.reserveCapacity(members.count)
            for member in members {
                if let value = value(of: member.pattern) { filled.append(JSONMember(member.name, value)) }
            }
            return .object(filled)
        case .encoded(let inner):
            guard let value = value(of: inner) else { return nil }
            return .string(String(decoding: value.encode(), as: UTF8.self))
        }
    }

    func bytes(of text: TextPattern) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in text.pieces {
            switch piece {
            case .literal(let literal): bytes += literal
            case .placeholder(let placeholder):
                switch value(of: placeholder) {
                case .string(let text)?: bytes += text.utf8
                case .integer(let number)?: bytes += String(number).utf8
                case .null?, .bool?, .number?, .array?, .object?, nil: break
                }
            }
        }
        return bytes
    }

    func value(of placeholder: TemplatePlaceholder) -> JSON? {
        switch placeholder.source {
        case .reference: reference.map { Self.reference($0, placeholder.form) }
        case .referenceOf(let name): references[name].map { Self.reference($0, placeholder.form) }
        case .number: number.map { Self.reference(.integer($0), placeholder.form) }
        case .seen: seen.map { Self.reference(.integer($0), placeholder.form) }
        case .host: .string(host)
        case .field(let shape): field(shape, placeholder.form, of: fields)
        case .asked(_, let shape): field(shape, placeholder.form, of: asked)
        }
    }

    private static func reference(_ value: JSON, _ form: TemplatePlaceholder.Form?) -> JSON {
        guard form == .text, case .integer(let number) = value else { return value }
        return .string(String(number))
    }

    private func field(_ shape: FieldShape, _ form: TemplatePlaceholder.Form?, of fields: [JSONMember]) -> JSON? {
        guard let value = fields.value(of: shape.field.defaultName) else { return nil }
        switch (shape.kind, value, form) {
        case (.timestamp, .integer(let moment), nil), (.timestamp, .integer(let moment), .iso8601):
            return .string(WireTimestamp.text(moment))
        case (_, .integer(let milliseconds), .seconds): return DecimalSeconds.json(milliseconds)
        case (_, .integer(let number), .text): return .string(String(number))
        case (_, .string(let text), .number): return WholeNumber.exactly(text).map { .integer($0) } ?? value
        case (_, .bool(let flag), .number): return .integer(flag ? 1 : 0)
        case (.list, .array(let elements), _):
            guard let message else { return value }
            return .array(
                elements.map { element in
                    TemplateWriter(fields: element.members ?? []).value(of: message) ?? .null
                }
            )
        default: return value
        }
    }
}

/// Parses integers that are written as strings in canonical form.
enum WholeNumber {
    /// Returns the integer that a canonical string represents; nil for other strings such as `007`, `+1` or `-0`.
    static func exactly(_ text: String) -> Int64? {
        Int64(text).flatMap { String($0) == text ? $0 : nil }
    }
}

/// Converts between milliseconds and seconds with up to three decimals.
enum DecimalSeconds {
    static func json(_ milliseconds: Int64) -> JSON {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return .integer(seconds) }
        var decimals = String(rest.magnitude)
        decimals = String(repeating: "0", count: 3 - decimals.count) + decimals
        while decimals.hasSuffix("0") { decimals.removeLast() }
        let text = "\(milliseconds < 0 ? "-" : "")\(seconds.magnitude).\(decimals)"
        return JSONNumber(text).map { .number($0) } ?? .integer(seconds)
    }

    /// Returns the milliseconds, truncated; nil for a number with an exponent or one that is too large.
    static func milliseconds(_ value: JSON) -> Int64? {
        switch value {
        case .integer(let seconds):
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            return overflow ? nil : milliseconds
        case .number(let number):
            let parts = number.text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].utf8.allSatisfy(TextPattern.isDigit), let seconds = Int64(parts[0]) else {
                return nil
            }
            let decimals = String((parts[1] + "00").prefix(3))
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            guard !overflow, let rest = Int64(decimals) else { return nil }
            let isNegative = number.text.hasPrefix("-")
            let (sum, over) = whole.addingReportingOverflow(isNegative ? -rest : rest)
            return over ? nil : sum
        case .null, .bool, .string, .array, .object: return nil
        }
    }
}
