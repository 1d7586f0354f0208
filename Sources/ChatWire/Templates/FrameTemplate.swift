import SquallCore

/// One way in which a role stands on the wire: written, its holes are filled; read backwards, they are what is found
/// where they stand.
package struct FrameTemplate: Hashable, Sendable {
    package let role: FrameRole
    let speaker: Speaker
    /// In front of the JSON, or all there is: `42{$ref}`.
    var prefix: TextPattern?
    /// The JSON; nil where there is none.
    var body: TemplatePattern?
    /// Only for frames in which these fields have these values; they need not be on the wire.
    var conditions: [JSONMember] = []
    /// What fields are taken for that are not on the wire.
    var assumed: [JSONMember] = []
    /// The client's frame whose reference it repeats.
    var answers: FrameRole?
    /// From the whole mapping on.
    var path: [TemplateMistake.Step]

    var holes: [TemplateHole] { (prefix?.holes ?? []) + (body?.holes ?? []) }

    var ownsReference: Bool { speaker == .client && holes.contains { $0.source == .reference } }

    /// Nil where no reference has to be there.
    var referencePlace: [String]? {
        if let prefix, prefix.holes.contains(where: { $0.source == .reference }) { return ["text"] }
        return body?.referencePlace
    }

    /// Whether some message is accepted by both.
    func overlaps(_ other: FrameTemplate) -> Bool {
        // What answers different frames is told apart by whose reference it repeats.
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

// MARK: - Writing

extension FrameTemplate {
    /// Whether a frame with these fields can stand so.
    func fits(_ writer: TemplateWriter, answering: FrameRole?, lacking left: [String]) -> Bool {
        for condition in conditions where writer.fields.value(of: condition.name) != condition.value { return false }
        for hole in holes where !hole.isOptional {
            switch hole.source {
            case .field(let shape):
                let name = shape.field.defaultName
                guard left.contains(name) || writer.fields.value(of: name) != nil else { return false }
            case .reference:
                guard speaker == .client || (answers != nil && answering == answers) else { return false }
            case .asked, .referenceOf, .number, .seen: break
            }
        }
        return true
    }

    /// The bytes of the message.
    func bytes(_ writer: TemplateWriter) -> [UInt8] {
        var bytes = prefix.map(writer.bytes) ?? []
        if let body { (writer.value(of: body) ?? .null).encode(into: &bytes) }
        return bytes
    }
}

extension [JSONMember] {
    /// Without some fields, also of the objects in a list.
    func lacking(_ names: [String]) -> [JSONMember] {
        compactMap { member in
            guard !names.contains(member.name) else { return nil }
            guard case .array(let elements) = member.value else { return member }
            let objects = elements.map { element in element.members.map { .object($0.lacking(names)) } ?? element }
            return JSONMember(member.name, .array(objects))
        }
    }

    /// Nil also for null.
    func value(of name: String) -> JSON? {
        guard let value = first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }
}
