import SquallCore

/// Reads one template of a role: `{ frame: …, text: …, when: …, assume: …, answers: … }`.
struct VariantReader {
    private let role: FrameRole
    private let speaker: Speaker
    private let shapes: [FieldShape]
    private static let keys = ["frame", "text", "when", "assume", "answers"]

    init(_ role: FrameRole, _ speaker: Speaker) {
        self.role = role
        self.speaker = speaker
        shapes = FrameShape.fields(of: role, by: speaker)
    }

    /// Nil after a mistake.
    func read(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> FrameTemplate? {
        let before = mistakes.found.count
        guard let members = value.members else {
            mistakes.add(path, "a template of '\(role.rawValue)' is a mapping", help: "{ frame: … }")
            return nil
        }
        for member in members where !Self.keys.contains(member.name) {
            mistakes.add(
                path + [.key(member.name)],
                "there is no '\(member.name)' in a template",
                help: "one of: \(Self.keys.joined(separator: ", "))"
            )
        }
        var template = FrameTemplate(role: role, speaker: speaker, path: path)
        let scope = TemplateScope(frame: (role, speaker), fields: shapes)
        template.prefix = value["text"].flatMap { readPrefix($0, scope, path + [.member("text")], &mistakes) }
        if let frame = value["frame"] {
            var reader = PatternReader(scope)
            template.body = reader.read(frame, path + [.member("frame")], &mistakes)
            if frame.members == nil, frame.arrayValue == nil {
                mistakes.add(path + [.member("frame")], "a frame is a list or a mapping")
            }
        } else if value["text"] == nil {
            mistakes.add(path, "a template of '\(role.rawValue)' has neither 'frame' nor 'text'")
        }
        template.conditions = readValues(value["when"], path + [.member("when")], &mistakes)
        template.assumed = readValues(value["assume"], path + [.member("assume")], &mistakes)
        template.answers = value["answers"].flatMap { readAnswered($0, path + [.member("answers")], &mistakes) }
        guard mistakes.found.count == before else { return nil }
        check(template, &mistakes)
        return mistakes.found.count == before ? template : nil
    }

    private func readPrefix(
        _ value: JSON,
        _ scope: TemplateScope,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> TextPattern? {
        do throws(HoleMistake) {
            let text: String
            switch value {
            case .string(let written): text = written
            // `2` without quotes.
            case .integer(let number): text = String(number)
            case .null, .bool, .number, .array, .object: throw HoleMistake("'text' is a text")
            }
            let pattern = try TextPattern(text, in: scope)
            if let problem = pattern.problem { throw problem }
            for piece in pattern.pieces {
                switch piece {
                case .literal(let bytes):
                    guard !bytes.contains(where: { Array("[{\"".utf8).contains($0) }) else {
                        throw HoleMistake("'text' ends where the JSON begins", help: "the JSON stands in 'frame'")
                    }
                case .hole(let hole):
                    guard hole.isDigits, hole.form == nil, !hole.isOptional else {
                        throw HoleMistake("{\(hole.name)} cannot stand in 'text': only digits have an end of their own")
                    }
                }
            }
            guard !pattern.pieces.isEmpty else { throw HoleMistake("'text' is empty") }
            return pattern
        } catch {
            mistakes.add(path, error.message, help: error.help)
            return nil
        }
    }

    /// Fields and the values that they have.
    private func readValues(
        _ value: JSON?,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> [JSONMember] {
        guard let value else { return [] }
        guard let members = value.members else {
            mistakes.add(path, "these are fields and their values: { resumed: true }")
            return []
        }
        return members.filter { member in
            guard let shape = shapes.first(where: { $0.field.defaultName == member.name }) else {
                mistakes.add(
                    path + [.key(member.name)],
                    "the \(speaker.rawValue)'s \(role.rawValue) has no '\(member.name)'",
                    help: "one of: \(shapes.map(\.field.defaultName).joined(separator: ", "))"
                )
                return false
            }
            guard shape.kind.takes(member.value) else {
                mistakes.add(
                    path + [.member(member.name)],
                    "'\(member.name)' is a \(shape.kind), not \(member.value.kind)"
                )
                return false
            }
            return true
        }
    }

    private func readAnswered(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> FrameRole? {
        guard speaker == .server, let name = value.stringValue, let role = FrameRole(rawValue: name),
            FrameRole.fromClient.contains(role)
        else {
            mistakes.add(
                path,
                speaker == .server ? "'answers' names a frame of the client" : "only the server's frames answer",
                help: "one of: \(FrameRole.fromClient.map(\.rawValue).joined(separator: ", "))"
            )
            return nil
        }
        return role
    }

    // MARK: - As a whole

    private func check(_ template: FrameTemplate, _ mistakes: inout TemplateMistakes) {
        let holes = template.holes
        let hasReference = holes.contains { $0.source == .reference }
        if speaker == .server, hasReference, template.answers == nil {
            mistakes.add(
                template.path,
                "'{$ref}' repeats the reference of a frame that 'answers' does not name",
                help: "answers: send"
            )
        }
        if template.answers != nil, !hasReference {
            mistakes.add(
                template.path + [.member("answers")],
                "without '{$ref}' nobody can tell what this answers",
                help: "put '{$ref}' into the frame, or leave 'answers' out"
            )
        }
        for hole in holes {
            guard case .asked(let role, let shape) = hole.source, role != template.answers else { continue }
            mistakes.add(
                template.path,
                "{\(shape.field.defaultName) of \(role.rawValue)} is of a frame that this does not answer",
                help: "answers: \(role.rawValue)"
            )
        }
        let there = holes.map(\.name) + template.conditions.map(\.name)
        for member in template.assumed where there.contains(member.name) {
            mistakes.add(
                template.path + [.member("assume"), .key(member.name)],
                "'\(member.name)' is on the wire: nothing is assumed of it"
            )
        }
        let asked = template.answers.map { FrameShape.fields(of: $0, by: .client).map(\.field) } ?? []
        for shape in shapes where shape.required {
            let name = shape.field.defaultName
            guard !there.contains(name), !template.assumed.contains(where: { $0.name == name }),
                !asked.contains(shape.field)
            else {
                if holes.contains(where: { $0.name == name && $0.isOptional }) {
                    mistakes.add(template.path, "'\(name)' cannot be left out: '{\(name)}'")
                }
                continue
            }
            mistakes.add(
                template.path,
                "'\(role.rawValue)' has no place for '\(name)'",
                help: "'{\(name)}' in the frame, or what it is taken for: assume: { \(name): … }"
            )
        }
    }
}

extension FieldKind {
    /// Whether a value of the built-in protocol is of this kind.
    fileprivate func takes(_ value: JSON) -> Bool {
        switch (self, value) {
        case (.text, .string), (.flag, .bool): true
        case (.count, .integer(let number)), (.milliseconds, .integer(let number)), (.timestamp, .integer(let number)):
            number >= 0
        case (.word(let words), .string(let text)): words.contains(text)
        case (.text, _), (.flag, _), (.count, _), (.milliseconds, _), (.timestamp, _), (.word, _), (.object, _),
            (.list, _):
            false
        }
    }
}

extension FrameShape {
    /// The fields of a role's frame, without its type.
    static func fields(of role: FrameRole, by speaker: Speaker) -> [FieldShape] {
        all.first { $0.role == role && $0.speaker == speaker }?.fields ?? []
    }
}
