import SquallCore

/// Decodes a frame with its template.
struct TemplateReader {
    /// The fields under their built-in names, with timestamps and durations in milliseconds.
    private(set) var fields: [JSONMember] = []
    private(set) var reference: JSON?
    /// The references to other frames that this frame repeats, with their paths.
    private(set) var repeated: [(name: FrameName, value: JSON, path: String)] = []
    /// The fields that the frame repeats from the request that it answers, with their paths.
    private(set) var asked: [(field: WireField, value: JSON, path: String)] = []
    private(set) var number: Int64?
    private(set) var seen: Int64?
    /// The template for each message in a list of messages; nil for the built-in form.
    let message: TemplatePattern?

    init(message: TemplatePattern?) {
        self.message = message
    }

    /// Returns whether `value` contains all of the pattern's literals, each at the same position.
    static func recognises(_ value: JSON?, as pattern: TemplatePattern) -> Bool {
        switch pattern {
        case .literal(.null), .absent: return value?.isNull ?? true
        case .literal(let literal): return value == literal
        case .placeholder: return true
        case .text(let text):
            guard case .string(let written)? = value else { return false }
            return text.match(Array(written.utf8)[...], toEnd: true) != nil
        case .list(let patterns):
            guard case .array(let elements)? = value, elements.count == patterns.count else { return false }
            return zip(elements, patterns).allSatisfy { recognises($0, as: $1) }
        case .object(let members):
            // A missing object is not an error yet. It is reported later, with the name of the field that it should
            // contain.
            guard value == nil || value?.members != nil else { return false }
            return members.allSatisfy { recognises(value?[$0.name], as: $0.pattern) }
        case .encoded(let inner):
            guard let decoded = decoded(value) else { return false }
            return recognises(decoded, as: inner)
        }
    }

    /// Returns the reference at the pattern's `$ref`; nil if it is missing or null.
    static func reference(in value: JSON?, of pattern: TemplatePattern) -> JSON? {
        switch pattern {
        case .placeholder(let placeholder) where placeholder.source == .reference: return value.flatMap(normal)
        case .literal, .placeholder, .absent: return nil
        case .text(let text):
            guard case .string(let written)? = value,
                let place = text.placeholders.firstIndex(where: { $0.source == .reference }),
                let found = text.match(Array(written.utf8)[...], toEnd: true)?.values[place]
            else { return nil }
            return normal(.string(String(decoding: found, as: UTF8.self)))
        case .list(let patterns):
            for (index, pattern) in patterns.enumerated() {
                if let found = reference(in: value?[index], of: pattern) { return found }
            }
            return nil
        case .object(let members):
            for member in members {
                if let found = reference(in: value?[member.name], of: member.pattern) { return found }
            }
            return nil
        case .encoded(let inner): return reference(in: decoded(value), of: inner)
        }
    }

    /// Parses the JSON inside a string value. Returns nil if the value is not a string or its content is not JSON.
    private static func decoded(_ value: JSON?) -> JSON? {
        guard case .string(let text)? = value else { return nil }
        return try? JSON.decode(text)
    }

    // MARK: - Extracting fields

    mutating func bind(_ value: JSON?, to pattern: TemplatePattern, at path: String = "") throws(Malformed) {
        switch pattern {
        case .literal, .absent: break
        case .placeholder(let placeholder): try bind(value, to: placeholder, at: path)
        case .text(let text):
            guard case .string(let written)? = value, let found = text.match(Array(written.utf8)[...], toEnd: true)
            else { throw Malformed("\(Self.shown(path)) does not have the form required here") }
            try bind(found.values, to: text, at: path)
        case .list(let patterns):
            for (index, pattern) in patterns.enumerated() {
                try bind(value?[index], to: pattern, at: "\(path)[\(index)]")
            }
        case .object(let members):
            for member in members {
                let inner = path.isEmpty ? member.name : "\(path).\(member.name)"
                try bind(value?[member.name], to: member.pattern, at: inner)
            }
        case .encoded(let inner): try bind(Self.decoded(value), to: inner, at: path)
        }
    }

    /// Stores the values matched by the placeholders of a string.
    mutating func bind(
        _ values: [ArraySlice<UInt8>],
        to text: TextPattern,
        at path: String
    ) throws(Malformed) {
        for (placeholder, value) in zip(text.placeholders, values) {
            let text = String(decoding: value, as: UTF8.self)
            switch placeholder.source {
            case .field(let shape) where shape.kind == .text, .asked(_, let shape) where shape.kind == .text:
                try put(placeholder, .string(text), at: path)
            case .host: break
            case .field, .asked, .reference, .referenceOf, .number, .seen:
                guard let number = Int64(text) else { throw Malformed("\(Self.shown(path)) is not a whole number") }
                try put(placeholder, .integer(number), at: path)
            }
        }
    }

    private mutating func bind(_ value: JSON?, to placeholder: TemplatePlaceholder, at path: String) throws(Malformed) {
        guard let value, !value.isNull else {
            guard !placeholder.kinds.contains(.null) else { return }
            throw Malformed("\(Self.shown(path)) is missing in place of {\(placeholder.name)}")
        }
        guard placeholder.kinds.contains(ValueKinds(of: value)) else {
            throw Malformed("\(Self.shown(path)) is \(value.kind), not a value of {\(placeholder.name)}")
        }
        guard let plain = try plain(value, placeholder, at: path) else {
            throw Malformed("\(Self.shown(path)) is \(value.kind), not a value of {\(placeholder.name)}")
        }
        try put(placeholder, plain, at: path)
    }

    private mutating func put(_ placeholder: TemplatePlaceholder, _ value: JSON, at path: String) throws(Malformed) {
        switch placeholder.source {
        case .reference:
            guard reference == nil || reference == value else {
                throw Malformed("\(Self.shown(path)) differs from the reference earlier in the frame")
            }
            reference = value
        case .referenceOf(let name): repeated.append((name, value, Self.shown(path)))
        case .asked(_, let shape): asked.append((shape.field, value, Self.shown(path)))
        case .number: number = value.intValue
        case .seen: seen = value.intValue
        case .host: break
        case .field(let shape):
            let name = shape.field.defaultName
            if let before = fields.first(where: { $0.name == name })?.value {
                guard before == value else {
                    throw Malformed("\(Self.shown(path)) differs from the {\(name)} earlier in the frame")
                }
            } else {
                fields.append(JSONMember(name, value))
            }
        }
    }

    /// Returns the value in the form used by the built-in protocol; nil if it is not valid for the placeholder.
    private func plain(_ value: JSON, _ placeholder: TemplatePlaceholder, at path: String) throws(Malformed) -> JSON? {
        let shape: FieldShape
        switch placeholder.source {
        case .field(let field), .asked(_, let field): shape = field
        case .reference, .referenceOf, .number, .seen: return Self.normal(value)
        case .host: return value
        }
        switch (shape.kind, value, placeholder.form) {
        case (.text, .integer(let number), .number): return .string(String(number))
        case (.text, .string, _), (.word, .string, _), (.flag, .bool, _): return value
        case (.count, .integer(let number), _): return number >= 0 ? value : nil
        case (.count, .string(let text), .text):
            return WholeNumber.exactly(text).flatMap { $0 >= 0 ? .integer($0) : nil }
        case (.flag, .integer(let number), .number): return number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.timestamp, .string(let text), _): return WireTimestamp.milliseconds(text).map { .integer($0) }
        case (.timestamp, _, .seconds), (.milliseconds, _, .seconds):
            return DecimalSeconds.milliseconds(value).map { .integer($0) }
        case (.timestamp, .integer, _), (.milliseconds, .integer, _): return value
        case (.list, .array(let elements), _):
            guard let message else { return value }
            var messages: [JSON] = []
            for (index, element) in elements.enumerated() {
                var reader = TemplateReader(message: nil)
                let inner = "\(path)[\(index)]"
                guard Self.recognises(element, as: message) else {
                    throw Malformed("\(inner) is not a message of this protocol")
                }
                try reader.bind(element, to: message, at: inner)
                messages.append(.object(reader.fields))
            }
            return .array(messages)
        case (.object, .object, _): return value
        default: return nil
        }
    }

    /// Returns the canonical form of a reference: an integer if possible, even if it is written as a string; nil for an
    /// invalid one.
    private static func normal(_ value: JSON) -> JSON? {
        switch value {
        case .integer: value
        case .string(let text): WholeNumber.exactly(text).map { .integer($0) } ?? value
        case .null, .bool, .number, .array, .object: nil
        }
    }

    private static func shown(_ path: String) -> String { path.isEmpty ? "the frame" : path }
}
