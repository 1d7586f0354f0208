import SquallCore

/// A placeholder for a value in a template, such as `{seq}`, `{session_id?}`, `{timestamp as seconds}` or `{$ref of
/// connect}`.
struct TemplatePlaceholder: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// A field of the template's role, identified by its name in the built-in protocol.
        case field(FieldShape)
        /// `$ref`: in a client frame, its own reference number; in a server frame, the reference number of the request
        /// that it answers.
        case reference
        /// `$ref of ROLE`: the reference of the last frame with that role on the connection; null if there is none yet.
        case referenceOf(FrameName)
        /// `conversation_id of send`: a field of the request that the frame answers.
        case asked(FrameName, FieldShape)
        /// `$number`: the number of numbered frames that the server has sent so far.
        case number
        /// `$seen`: the number of the last numbered frame that the client has received; null until it receives one.
        case seen
        /// `$host`: the server's host and port, as specified in the client's upgrade request.
        case host
    }

    /// The wire format of a value.
    enum Form: String, Hashable, Sendable, CaseIterable {
        case text, number, seconds, milliseconds, iso8601
    }

    var source: Source
    /// The wire format of the value; nil for the default: a string, an integer, a Boolean, a timestamp in ISO 8601 or a
    /// duration in milliseconds.
    var form: Form?
    /// Whether the member may be missing or null.
    var isOptional: Bool

    /// The placeholder's name in the profile file, without braces.
    var name: String {
        switch source {
        case .field(let shape): shape.field.defaultName
        case .reference: "$ref"
        case .referenceOf(let name): "$ref of \(name.word)"
        case .asked(let name, let shape): "\(shape.field.defaultName) of \(name.word)"
        case .number: "$number"
        case .seen: "$seen"
        case .host: "$host"
        }
    }
}

// MARK: - Parsing a placeholder

/// The fields and references that a template's placeholders may refer to.
struct TemplateScope {
    /// The frame that the template is for; nil for an object inside a frame.
    var frame: (name: FrameName, origin: FrameOrigin)?
    var fields: [FieldShape]
    /// The names of the profile's extra frames, which have no role in the chat.
    var extras: [String] = []

    var names: [String] {
        fields.map(\.field.defaultName) + (frame == nil ? [] : ["$ref"])
    }

    /// Returns the client frame with this name, either a role or an extra frame; nil if there is none.
    func clientFrame(_ name: String) -> FrameName? {
        if let role = FrameRole(rawValue: name), FrameRole.fromClient.contains(role) { return .role(role) }
        return extras.contains(name) ? .extra(name) : nil
    }
}

/// The error for text in braces that is not a valid placeholder.
struct PlaceholderMistake: Error {
    var message: String
    var help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }
}

extension TemplatePlaceholder {
    /// Parses the text between the braces.
    ///
    /// - Throws: ``PlaceholderMistake`` if the text is not a valid placeholder in this scope.
    init(_ text: String, in scope: TemplateScope) throws(PlaceholderMistake) {
        var words = text.split(separator: " ").map(String.init)
        guard !words.isEmpty else {
            throw PlaceholderMistake("'{}' does not name a field", help: "write a literal brace twice: '{{'")
        }
        var name = words.removeFirst()
        isOptional = name.hasSuffix("?")
        if isOptional { name.removeLast() }
        if words.first == "of" {
            guard words.count > 1, let frame = scope.clientFrame(words[1]) else {
                let given = words.dropFirst().first
                throw PlaceholderMistake(
                    "\(given.map { "'\($0)'" } ?? "nothing") is not a frame of the client",
                    help: Self.help(for: given ?? "", among: FrameRole.fromClient.map(\.rawValue) + scope.extras)
                )
            }
            source = try Self.source(name, of: frame, in: scope)
            words.removeFirst(2)
        } else {
            source = try Self.source(name, of: nil, in: scope)
        }
        form = nil
        guard !words.isEmpty else { return }
        guard words.count == 2, words[0] == "as" else {
            throw PlaceholderMistake(
                "'{\(text)}' is not a valid placeholder",
                help: "write '{field}', '{field?}' or '{field as text}'"
            )
        }
        let forms = forms
        guard let form = Form(rawValue: words[1]), forms.contains(form) else {
            throw PlaceholderMistake(
                "'\(name)' cannot be written as '\(words[1])'",
                help: forms.isEmpty
                    ? "it has only one form" : "it can be written as \(forms.map(\.rawValue).joined(separator: ", "))"
            )
        }
        self.form = form
    }

    private static func source(
        _ name: String,
        of frame: FrameName?,
        in scope: TemplateScope
    ) throws(PlaceholderMistake) -> Source {
        switch (name, scope.frame?.origin, frame) {
        case ("$ref", .some, let frame?): return .referenceOf(frame)
        case (_, .server, let frame?):
            let fields = FrameShape.fields(of: frame, by: .client)
            guard let shape = fields.first(where: { $0.field.defaultName == name }) else {
                let names = ["$ref"] + fields.map(\.field.defaultName)
                throw PlaceholderMistake(
                    "the client's \(frame.word) has no '\(name)'",
                    help: help(for: name, among: names)
                )
            }
            return .asked(frame, shape)
        case (_, _, .some):
            throw PlaceholderMistake("only an answer can repeat another frame's '\(name)'", help: "{$ref of connect}")
        case ("$ref", .some, nil): return .reference
        case ("$number", .server, nil): return .number
        case ("$number", .client, nil):
            throw PlaceholderMistake(
                "the client's frames are not numbered",
                help: "'{$ref}' gives each request a number for its answer"
            )
        case ("$seen", .client, nil): return .seen
        case ("$host", .server, nil): return .host
        case ("$host", .client, nil): throw PlaceholderMistake("'$host' can only be used in a server's frame")
        case ("$seen", .server, nil): throw PlaceholderMistake("'$seen' can only be used in a client's frame")
        default: break
        }
        guard let shape = scope.fields.first(where: { $0.field.defaultName == name }) else {
            let owner = scope.frame.map { "the \($0.origin.rawValue)'s \($0.name.word)" } ?? "a message"
            throw PlaceholderMistake("\(owner) has no '\(name)'", help: help(for: name, among: scope.names))
        }
        return .field(shape)
    }

    private static func help(for name: String, among names: [String]) -> String {
        Suggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
            ?? "one of: \(names.joined(separator: ", "))"
    }

    /// The forms that are allowed after `as`.
    private var forms: [Form] {
        switch source {
        case .reference, .referenceOf, .number, .seen: [.text]
        case .host: []
        case .field(let shape), .asked(_, let shape):
            switch shape.kind {
            case .text: [.number]
            case .count: [.text]
            case .flag: [.number]
            case .timestamp: [.seconds, .milliseconds, .iso8601]
            case .milliseconds: [.seconds, .milliseconds]
            case .word, .object, .list: []
            }
        }
    }
}

// MARK: - Values of a placeholder

/// A set of JSON value kinds.
struct ValueKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = ValueKinds(rawValue: 1)
    static let flag = ValueKinds(rawValue: 2)
    static let number = ValueKinds(rawValue: 4)
    static let text = ValueKinds(rawValue: 8)
    static let list = ValueKinds(rawValue: 16)
    static let object = ValueKinds(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of value: JSON) {
        self =
            switch value {
            case .null: .null
            case .bool: .flag
            case .integer, .number: .number
            case .string: .text
            case .array: .list
            case .object: .object
            }
    }
}

extension TemplatePlaceholder {
    var kinds: ValueKinds {
        var kinds: ValueKinds
        switch source {
        case .reference, .number: kinds = form == .text ? .text : .number
        case .referenceOf, .seen: kinds = [form == .text ? .text : .number, .null]
        case .host: kinds = .text
        case .field(let shape), .asked(_, let shape):
            switch shape.kind {
            case .text: kinds = form == .number ? [.number, .text] : .text
            case .word: kinds = .text
            case .count: kinds = form == .text ? .text : .number
            case .flag: kinds = form == .number ? .number : .flag
            case .timestamp: kinds = form == nil || form == .iso8601 ? .text : .number
            case .milliseconds: kinds = .number
            case .object: kinds = .object
            case .list: kinds = .list
            }
        }
        if isOptional { kinds.insert(.null) }
        return kinds
    }

    /// Whether every value consists only of digits, so that the end of a value inside a string can be recognised.
    var isDigits: Bool {
        switch source {
        case .reference, .referenceOf, .number, .seen: true
        case .host: false
        case .field(let shape), .asked(_, let shape): shape.kind == .count
        }
    }

    /// Returns whether a literal in another template could be a value of this placeholder.
    func takes(_ literal: JSON) -> Bool {
        guard kinds.contains(ValueKinds(of: literal)) else { return false }
        guard case .field(let shape) = source, case .word(let words) = shape.kind, case .string(let text) = literal
        else { return true }
        return words.contains(text)
    }
}
