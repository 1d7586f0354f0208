import SquallCore

/// One wire form of a role or of an extra frame. Encoding replaces the template's placeholders with fields; decoding
/// extracts the fields from the placeholders.
package struct FrameTemplate: Hashable, Sendable {
    let name: FrameName
    let origin: FrameOrigin
    /// The text before the JSON, or the whole message if it contains no JSON, such as `42{$ref}`.
    var prefix: TextPattern?
    /// The JSON of the message; nil if there is none.
    var body: TemplatePattern?
    /// The field values a frame must have to be encoded with this template; the message need not contain them.
    var conditions: [JSONMember] = []
    /// The values that decoding assumes for fields that the message does not contain.
    var assumed: [JSONMember] = []
    /// The client frame that this frame answers, repeating its reference; nil if there is none.
    var answers: FrameName?
    /// The frames that the server sends directly after this one; they carry no fields.
    var then: [FrameTemplate] = []
    /// The extra frame, such as a subscription, that the client must send before the server sends this frame; nil if
    /// there is none.
    var after: String?
    /// The template's path within the mapping, for error messages.
    var path: [TemplateMistake.Step]

    var placeholders: [TemplatePlaceholder] { (prefix?.placeholders ?? []) + (body?.placeholders ?? []) }

    var ownsReference: Bool { origin == .client && placeholders.contains { $0.source == .reference } }

    /// The path to the reference that a matching message must contain; nil if the template requires none.
    var referencePlace: [String]? {
        if let prefix, prefix.placeholders.contains(where: { $0.source == .reference }) { return ["text"] }
        return body?.referencePlace
    }

    /// Returns whether both templates have the same name, form and request, even if the profile declares them at
    /// different paths.
    func isLike(_ other: FrameTemplate) -> Bool {
        name == other.name && prefix == other.prefix && body == other.body && answers == other.answers
    }

    /// Returns whether a message exists that matches both templates.
    func overlaps(_ other: FrameTemplate) -> Bool {
        // A reference belongs to a single request, so it distinguishes replies to different requests.
        if let one = answers, let two = other.answers, one != two, let place = referencePlace,
            place == other.referencePlace
        {
            return false
        }
        let nothing = TextPattern(pieces: [])
        guard (prefix ?? nothing).overlaps(other.prefix ?? nothing) else { return false }
        switch (body, other.body) {
        case (let one?, let two?): return one.overlaps(two)
        case (nil, nil): return true
        case (nil, .some), (.some, nil): return false
        }
    }
}

// MARK: - Encoding

extension FrameTemplate {
    /// Returns whether this template can encode a frame with these fields.
    func fits(_ writer: TemplateWriter, answering: FrameName?, lacking left: [String]) -> Bool {
        for condition in conditions where writer.fields.value(of: condition.name) != condition.value { return false }
        for placeholder in placeholders where !placeholder.isOptional {
            switch placeholder.source {
            case .field(let shape):
                let name = shape.field.defaultName
                guard left.contains(name) || writer.fields.value(of: name) != nil else { return false }
            case .reference:
                guard origin == .client || (answers != nil && answering == answers) else { return false }
            case .asked, .referenceOf, .number, .seen, .host: break
            }
        }
        return true
    }

    /// Returns the encoded message.
    func bytes(_ writer: TemplateWriter) -> [UInt8] {
        var bytes = prefix.map(writer.bytes) ?? []
        if let body { (writer.value(of: body) ?? .null).encode(into: &bytes) }
        return bytes
    }
}

extension [JSONMember] {
    /// Returns the members without those in `names`, which are also removed from any objects in lists.
    func lacking(_ names: [String]) -> [JSONMember] {
        compactMap { member in
            guard !names.contains(member.name) else { return nil }
            guard case .array(let elements) = member.value else { return member }
            let objects = elements.map { element in element.members.map { .object($0.lacking(names)) } ?? element }
            return JSONMember(member.name, .array(objects))
        }
    }

    /// Returns the member's value; nil if it is missing or null.
    func value(of name: String) -> JSON? {
        guard let value = first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }
}
