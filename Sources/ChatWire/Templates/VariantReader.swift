import SquallCore

/// Parses one of a role's templates: `{ frame: …, text: …, when: …, assume: …, answers: … }`.
struct VariantReader {
    private let name: FrameName
    private let origin: FrameOrigin
    private let shapes: [FieldShape]
    private let scope: TemplateScope
    private static let keys = ["frame", "text", "when", "assume", "answers", "after", "then"]

    init(_ name: FrameName, _ origin: FrameOrigin, extras: [String]) {
        self.name = name
        self.origin = origin
        shapes = FrameShape.fields(of: name, by: origin)
        scope = TemplateScope(frame: (name, origin), fields: shapes, extras: extras)
    }

    /// Parses a JSON value as a template. On failure, adds the error to `mistakes` and returns nil.
    func read(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> FrameTemplate? {
        let before = mistakes.found.count
        guard let members = value.members else {
            mistakes.add(path, "a template of '\(name.word)' must be a mapping", help: "{ frame: … }")
            return nil
        }
        for member in members where !Self.keys.contains(member.name) {
            mistakes.add(
                path + [.key(member.name)],
                "unknown key '\(member.name)' in a template",
                help: "one of: \(Self.keys.joined(separator: ", "))"
            )
        }
        var template = FrameTemplate(name: name, origin: origin, path: path)
        template.prefix = value["text"].flatMap {
            readPrefix($0, isWhole: value["frame"] == nil, path + [.member("text")], &mistakes)
        }
        if let frame = value["frame"] {
            var reader = PatternReader(scope)
            template.body = reader.read(frame, path + [.member("frame")], &mistakes)
            if frame.members == nil, frame.arrayValue == nil {
                mistakes.add(path + [.member("frame")], "'frame' must be a list or a mapping")
            }
        } else if value["text"] == nil {
            mistakes.add(path, "a template of '\(name.word)' has neither 'frame' nor 'text'")
        }
        template.conditions = readValues(value["when"], path + [.member("when")], &mistakes)
        template.assumed = readValues(value["assume"], path + [.member("assume")], &mistakes)
        template.answers = value["answers"].flatMap { readAnswered($0, path + [.member("answers")], &mistakes) }
        template.then = readFollowing(value["then"], path + [.member("then")], template.answers, &mistakes)
        template.after = value["after"].flatMap { readNeeded($0, path + [.member("after")], &mistakes) }
        guard mistakes.found.count == before else { return nil }
        check(template, &mistakes)
        return mistakes.found.count == before ? template : nil
    }

    /// Parses the text before the JSON; if `isWhole` is true, no JSON follows, so the text may contain brackets.
    private func readPrefix(
        _ value: JSON,
        isWhole: Bool,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> TextPattern? {
        do throws(PlaceholderMistake) {
            let text: String
            switch value {
            case .string(let written): text = written
            // YAML parses an unquoted `2` as a number, not as a string.
            case .integer(let number): text = String(number)
            case .null, .bool, .number, .array, .object: throw PlaceholderMistake("'text' must be a string")
            }
            let pattern = try TextPattern(text, in: scope)
            if let problem = pattern.problem { throw problem }
            for piece in pattern.pieces {
                switch piece {
                case .literal(let bytes):
                    guard isWhole || !bytes.contains(where: { Array("[{\"".utf8).contains($0) }) else {
                        throw PlaceholderMistake("'text' cannot contain JSON", help: "put the JSON into 'frame'")
                    }
                case .placeholder(let placeholder):
                    guard placeholder.isDigits, placeholder.form == nil, !placeholder.isOptional else {
                        throw PlaceholderMistake(
                            "{\(placeholder.name)} cannot be used in 'text': only placeholders for digits can"
                        )
                    }
                }
            }
            guard !pattern.pieces.isEmpty else { throw PlaceholderMistake("'text' is empty") }
            return pattern
        } catch {
            mistakes.add(path, error.message, help: error.help)
            return nil
        }
    }

    /// Parses a mapping of fields to values.
    private func readValues(
        _ value: JSON?,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> [JSONMember] {
        guard let value else { return [] }
        guard let members = value.members else {
            mistakes.add(path, "expected fields and their values, such as { resumed: true }")
            return []
        }
        return members.filter { member in
            guard let shape = shapes.first(where: { $0.field.defaultName == member.name }) else {
                mistakes.add(
                    path + [.key(member.name)],
                    "the \(origin.rawValue)'s \(name.word) has no '\(member.name)'",
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

    /// Parses the frames that the server sends directly after this one.
    private func readFollowing(
        _ value: JSON?,
        _ path: [TemplateMistake.Step],
        _ answers: FrameName?,
        _ mistakes: inout TemplateMistakes
    ) -> [FrameTemplate] {
        guard let value else { return [] }
        guard origin == .server, let frames = value.arrayValue, (1...4).contains(frames.count) else {
            mistakes.add(path, "'then' must be a list of 1 to 4 frames of the server", help: "[{ frame: … }]")
            return []
        }
        let reader = VariantReader(.extra("then"), .server, extras: scope.extras)
        return frames.enumerated().compactMap { index, frame in
            var template = reader.read(frame, path + [.index(index)], &mistakes)
            template?.answers = answers
            return template
        }
    }

    private func readNeeded(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> String? {
        guard origin == .server, let name = value.stringValue, scope.extras.contains(name) else {
            mistakes.add(path, "'after' of a server's frame must name an extra", help: "extras: { subscribe: … }")
            return nil
        }
        return name
    }

    private func readAnswered(
        _ value: JSON,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> FrameName? {
        guard origin == .server, let name = value.stringValue, let role = FrameRole(rawValue: name),
            FrameRole.fromClient.contains(role)
        else {
            mistakes.add(
                path,
                origin == .server
                    ? "'answers' must name a frame of the client" : "only the server's frames can have 'answers'",
                help: "one of: \(FrameRole.fromClient.map(\.rawValue).joined(separator: ", "))"
            )
            return nil
        }
        return .role(role)
    }

    // MARK: - Validation

    private func check(_ template: FrameTemplate, _ mistakes: inout TemplateMistakes) {
        let placeholders = template.placeholders
        let hasReference = placeholders.contains { $0.source == .reference }
        if origin == .server, hasReference, template.answers == nil, name.role != nil {
            mistakes.add(
                template.path,
                "'{$ref}' repeats the reference of a request, but 'answers' is missing",
                help: "answers: send"
            )
        }
        if template.answers != nil, !hasReference {
            mistakes.add(
                template.path + [.member("answers")],
                "'answers' needs '{$ref}' to identify the request",
                help: "put '{$ref}' into the frame, or omit 'answers'"
            )
        }
        for placeholder in placeholders {
            guard case .asked(let asked, let shape) = placeholder.source, asked != template.answers else { continue }
            mistakes.add(
                template.path,
                "{\(shape.field.defaultName) of \(asked.word)} belongs to a frame that this one does not answer",
                help: "answers: \(asked.word)"
            )
        }
        let there = placeholders.map(\.name) + template.conditions.map(\.name)
        for member in template.assumed where there.contains(member.name) {
            mistakes.add(
                template.path + [.member("assume"), .key(member.name)],
                "'\(member.name)' is on the wire and cannot be assumed"
            )
        }
        let asked = template.answers.map { FrameShape.fields(of: $0, by: .client).map(\.field) } ?? []
        for shape in shapes where shape.required {
            let field = shape.field.defaultName
            guard !there.contains(field), !template.assumed.contains(where: { $0.name == field }),
                !asked.contains(shape.field)
            else {
                if placeholders.contains(where: { $0.name == field && $0.isOptional }) {
                    mistakes.add(template.path, "'\(field)' is required and cannot be optional: write '{\(field)}'")
                }
                continue
            }
            mistakes.add(
                template.path,
                "'\(name.word)' lacks the required field '\(field)'",
                help: "put '{\(field)}' into the frame, or assume a value: assume: { \(field): … }"
            )
        }
    }
}

extension FieldKind {
    /// Returns whether a value, as represented in the built-in protocol, is of this kind.
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
    /// Returns the fields of a role's frame, without the type; an extra frame has no fields.
    static func fields(of name: FrameName, by origin: FrameOrigin) -> [FieldShape] {
        all.first { $0.role == name.role && $0.origin == origin }?.fields ?? []
    }
}
