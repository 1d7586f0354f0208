package import SquallCore

extension FrameMap {
    /// Returns the roles required to log in and exchange messages. A protocol in which clients send messages over HTTP
    /// does not need a role for sending.
    private static func needed(by origin: FrameOrigin, sendsByHTTP: Bool) -> [FrameRole] {
        switch origin {
        case .client: sendsByHTTP ? [.connect] : [.connect, .send]
        case .server: sendsByHTTP ? [.connected, .message] : [.connected, .confirm, .message]
        }
    }

    private static let keys = [
        "client", "server", "objects", "extras", "subprotocol", "terminator", "encoding", "compression", "polling",
        "http",
    ]

    /// Parses a profile's `wire.frames`, given as JSON. A failure lists all errors.
    ///
    /// The value `unknown` stands for a protocol whose frames no profile describes.
    package static func read(_ value: JSON) -> Result<FrameMap, TemplateMistakeList> {
        if value == .string("unknown") { return .success(.unknown) }
        var mistakes = TemplateMistakes()
        let map = map(value, &mistakes)
        guard mistakes.found.isEmpty, let map else { return .failure(TemplateMistakeList(mistakes.found)) }
        return .success(map)
    }

    /// A map without frames, for a protocol that no profile describes.
    private static let unknown = FrameMap(
        client: [:],
        server: [:],
        extras: [],
        message: nil,
        subprotocol: nil,
        terminator: [],
        keyParameter: nil,
        requests: [],
        isUnknown: true
    )

    private static func map(_ value: JSON, _ mistakes: inout TemplateMistakes) -> FrameMap? {
        guard let members = value.members else {
            mistakes.add([], "frames must be 'unknown', or a mapping with the keys 'client' and 'server'")
            return nil
        }
        for member in members where !keys.contains(member.name) {
            mistakes.add(
                [.key(member.name)],
                "unknown key '\(member.name)'",
                help: "one of: \(keys.joined(separator: ", "))"
            )
        }
        let names = value["extras"]?.members?.map(\.name) ?? []
        let sendsByHTTP = value["http"]?.members?.contains { $0.value["send"] != nil } ?? false
        var roles: [FrameOrigin: [FrameRole: [FrameTemplate]]] = [:]
        for origin in FrameOrigin.allCases {
            let needed = needed(by: origin, sendsByHTTP: sendsByHTTP)
            roles[origin] = read(value[origin.rawValue], of: origin, needing: needed, extras: names, &mistakes)
        }
        let extras = ExtraFrame.read(value["extras"], &mistakes)
        let subprotocol = readSubprotocol(value["subprotocol"], &mistakes)
        let message = readMessage(value["objects"], &mistakes)
        let requests = WireRequest.read(value["http"], &mistakes)
        let isSent = roles[.client]?[.send]?.isEmpty == false
        if mistakes.found.isEmpty, isSent, roles[.server]?[.confirm]?.isEmpty == true {
            mistakes.add([.member("server"), .member("confirm")], "the client's 'send' needs the server's 'confirm'")
        }
        let map = FrameMap(
            client: roles[.client] ?? [:],
            server: roles[.server] ?? [:],
            extras: extras,
            message: message,
            subprotocol: subprotocol,
            terminator: readTerminator(value["terminator"], &mistakes),
            encoding: FrameEncoding.read(value["encoding"], &mistakes),
            compression: StreamCompression.read(value["compression"], &mistakes),
            polling: HTTPPolling.read(value["polling"], &mistakes),
            keyParameter: keyParameter(in: value["client"]?["connect"]),
            requests: requests
        )
        if mistakes.found.isEmpty {
            map.checkEncoding(&mistakes)
            map.checkReferences(&mistakes)
            map.checkOverlaps(&mistakes)
        }
        return map
    }

    // MARK: - Roles

    private static func read(
        _ value: JSON?,
        of origin: FrameOrigin,
        needing needed: [FrameRole],
        extras: [String],
        _ mistakes: inout TemplateMistakes
    ) -> [FrameRole: [FrameTemplate]] {
        let own = origin == .client ? FrameRole.fromClient : FrameRole.fromServer
        let base: [TemplateMistake.Step] = [.member(origin.rawValue)]
        guard let members = value?.members else {
            mistakes.add(
                value == nil ? [] : base,
                "the \(origin.rawValue)'s frames are missing",
                help: "\(origin.rawValue): { \(own[0].rawValue): { frame: … }, … }"
            )
            return [:]
        }
        var found: [FrameRole: [FrameTemplate]] = [:]
        for member in members {
            guard let role = FrameRole(rawValue: member.name), own.contains(role) else {
                mistakes.add(
                    base + [.key(member.name)],
                    "the \(origin.rawValue) has no frame '\(member.name)'",
                    help: "one of: \(own.map(\.rawValue).joined(separator: ", "))"
                )
                continue
            }
            found[role] = read(
                member.value,
                VariantReader(.role(role), origin, extras: extras),
                role,
                origin,
                isNeeded: needed.contains(role),
                base + [.member(member.name)],
                &mistakes
            )
        }
        for role in own where value?[role.rawValue] == nil && !FrameRole.unnamedMeansNone.contains(role) {
            mistakes.add(
                [.key(origin.rawValue)],
                "the \(origin.rawValue)'s '\(role.rawValue)' is missing",
                help: needed.contains(role)
                    ? "this frame is required" : "'\(role.rawValue): none' where the app has no such frame"
            )
        }
        return found
    }

    private static func read(
        _ value: JSON,
        _ reader: VariantReader,
        _ role: FrameRole,
        _ origin: FrameOrigin,
        isNeeded: Bool,
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> [FrameTemplate] {
        switch value {
        case .string("none"):
            if isNeeded {
                mistakes.add(path, "the \(origin.rawValue)'s '\(role.rawValue)' is required and cannot be 'none'")
            }
            return []
        case .object where role == .connect && keyParameter(in: value) != nil: return []
        case .object:
            return [reader.read(value, path, &mistakes)].compactMap(\.self)
        case .array(let variants) where (1...8).contains(variants.count):
            return variants.enumerated().compactMap { index, variant in
                reader.read(variant, path + [.index(index)], &mistakes)
            }
        case .null, .bool, .integer, .number, .string, .array:
            mistakes.add(
                path,
                "'\(role.rawValue)' must be 'none', a mapping with 'frame' or 'text', or a list of up to 8 such "
                    + "mappings"
            )
            return []
        }
    }

    /// Returns NAME from `connect: { query: NAME }`, the query parameter of the WebSocket's URL that contains the key;
    /// nil if there is none.
    private static func keyParameter(in connect: JSON?) -> String? {
        guard let members = connect?.members, members.count == 1, members[0].name == "query",
            let name = members[0].value.stringValue, !name.isEmpty, name.utf8.allSatisfy(isLetterOrDigit)
        else { return nil }
        return name
    }

    private static func readSubprotocol(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> String? {
        guard let value else { return nil }
        // The characters, besides letters and digits, that a token may contain; a subprotocol name is a token (RFC 6455
        // section 4.1, RFC 9110 section 5.6.2).
        let marks = Array("!#$%&'*+-.^_`|~".utf8)
        guard let text = value.stringValue, !text.isEmpty,
            text.utf8.allSatisfy({ marks.contains($0) || isLetterOrDigit($0) })
        else {
            mistakes.add([.member("subprotocol")], "'subprotocol' must be a token, such as graphql-transport-ws")
            return nil
        }
        return text
    }

    private static func readTerminator(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> [UInt8] {
        guard let value else { return [] }
        // A terminator must not occur within a frame. Encoded JSON contains no control characters except white space
        // between its tokens.
        guard let text = value.stringValue, (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x20 })
        else {
            mistakes.add(
                [.member("terminator")],
                "'terminator' must be 1 to 4 control characters, which JSON never contains",
                help: "terminator: \"\\u001e\""
            )
            return []
        }
        return Array(text.utf8)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        TextPattern.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func readMessage(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> TemplatePattern? {
        guard let value else { return nil }
        for member in value.members ?? [] where member.name != "message" {
            mistakes.add(
                [.member("objects"), .key(member.name)],
                "unknown object '\(member.name)'",
                help: "message"
            )
        }
        let path: [TemplateMistake.Step] = [.member("objects"), .member("message")]
        guard let message = value["message"], message.members != nil else {
            mistakes.add([.member("objects")], "'objects' must be { message: { … } }")
            return nil
        }
        var reader = PatternReader(TemplateScope(frame: nil, fields: ChatMessage.shape.fields))
        guard let pattern = reader.read(message, path, &mistakes) else { return nil }
        let there = pattern.placeholders.map(\.name)
        for field in ChatMessage.shape.fields where field.required && !there.contains(field.field.defaultName) {
            mistakes.add(path, "the message lacks the required field '\(field.field.defaultName)'")
        }
        return pattern
    }

    // MARK: - Checks across templates

    private func checkReferences(_ mistakes: inout TemplateMistakes) {
        func refers(_ name: FrameName) -> Bool {
            templates(of: .client).contains { $0.name == name && $0.ownsReference }
        }
        let isNumbered = templates(of: .server).contains { $0.placeholders.contains { $0.source == .number } }
        for template in templates(of: .client) + templates(of: .server) {
            if let answered = template.answers, !refers(answered) {
                mistakes.add(
                    template.path + [.member("answers")],
                    "the client's '\(answered.word)' has no '{$ref}' to repeat"
                )
            }
            for placeholder in template.placeholders {
                if case .referenceOf(let name) = placeholder.source, !refers(name) {
                    mistakes.add(
                        template.path,
                        "the client's '\(name.word)' has no '{$ref}' to repeat"
                    )
                }
                if placeholder.source == .seen, !isNumbered {
                    mistakes.add(
                        template.path,
                        "'{$seen}' repeats the last '{$number}', but no frame of the server has one"
                    )
                }
            }
        }
    }

    /// Reports templates of different roles that accept the same message, because every message must have exactly one
    /// meaning.
    private func checkOverlaps(_ mistakes: inout TemplateMistakes) {
        for origin in FrameOrigin.allCases {
            let templates = templates(of: origin)
            for (place, template) in templates.enumerated() {
                let clash = templates[..<place].first { $0.name != template.name && $0.overlaps(template) }
                guard let clash else { continue }
                mistakes.add(
                    template.path,
                    "'\(clash.name.word)' and '\(template.name.word)' of the \(origin.rawValue) accept the "
                        + "same message",
                    help: "make them differ in a literal part",
                    other: clash.path
                )
            }
        }
    }
}

/// All errors in a mapping, in the order they were found.
package struct TemplateMistakeList: Error, Hashable, Sendable {
    package var mistakes: [TemplateMistake]

    init(_ mistakes: [TemplateMistake]) {
        self.mistakes = mistakes
    }
}
