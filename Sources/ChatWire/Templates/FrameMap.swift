import SquallCore

/// The frames of an app's own protocol: the templates for each role of the chat protocol. A role has no templates if
/// the app has no such frame.
///
/// This is a class, so that a profile without a map stores only a null pointer.
package final class FrameMap: Sendable {
    let client: [FrameRole: [FrameTemplate]]
    let server: [FrameRole: [FrameTemplate]]
    /// The client's extra frames, which have no role in the chat.
    let extras: [ExtraFrame]
    /// The subprotocol that is negotiated in the WebSocket handshake; nil if there is none.
    package let subprotocol: String?
    /// The bytes that end each frame, so that a WebSocket message may contain several frames; empty if each message is
    /// one frame.
    let terminator: [UInt8]
    /// The encoding of frames in WebSocket messages.
    let encoding: FrameEncoding
    /// The compression that a client can request; nil if there is none.
    let compression: StreamCompression?
    /// The protocol with which clients can poll over HTTP; nil if they cannot.
    package let polling: HTTPPolling?
    /// The query parameter of the WebSocket URL that carries the key in place of a `connect` frame; nil if there is
    /// none.
    package let keyParameter: String?
    /// The HTTP requests that client libraries of this protocol send in addition to those of the chat protocol.
    let requests: [WireRequest]
    /// The template for each message in a list of messages; nil for the built-in form.
    let message: TemplatePattern?
    /// Whether the protocol is unknown: no frame has a role, and a client is connected while its WebSocket is open.
    package let isUnknown: Bool
    /// All templates for client frames: those for the roles, in order, then those for the extra frames.
    private let clientTemplates: [FrameTemplate]
    /// All templates for server frames: those for the roles, in order, then those for replies to extra frames and for
    /// frames that follow others.
    private let serverTemplates: [FrameTemplate]

    init(
        client: [FrameRole: [FrameTemplate]],
        server: [FrameRole: [FrameTemplate]],
        extras: [ExtraFrame],
        message: TemplatePattern?,
        subprotocol: String?,
        terminator: [UInt8],
        encoding: FrameEncoding = .text,
        compression: StreamCompression? = nil,
        polling: HTTPPolling? = nil,
        keyParameter: String?,
        requests: [WireRequest],
        isUnknown: Bool = false
    ) {
        self.client = client
        self.server = server
        self.extras = extras
        self.subprotocol = subprotocol
        self.terminator = terminator
        self.encoding = encoding
        self.compression = compression
        self.polling = polling
        self.requests = requests
        self.keyParameter = keyParameter
        self.message = message
        self.isUnknown = isUnknown
        clientTemplates = FrameRole.fromClient.flatMap { client[$0] ?? [] } + extras.flatMap(\.requests)
        let frames = FrameRole.fromServer.flatMap { server[$0] ?? [] }
        // A frame that can follow several other server frames is added only once.
        var further: [FrameTemplate] = []
        for template in extras.flatMap(\.replies) + frames.flatMap(\.then) {
            if !further.contains(where: template.isLike) { further.append(template) }
        }
        serverTemplates = frames + further
    }

    /// Returns whether the app's protocol has a frame for this role.
    package func has(_ role: FrameRole, by origin: FrameOrigin) -> Bool {
        !(of(origin)[role] ?? []).isEmpty
    }

    /// Whether the server sends messages only after the client has sent another frame, such as a subscription.
    package var messagesNeedSubscription: Bool { (server[.message] ?? []).contains { $0.after != nil } }

    /// Returns whether a frame of this role has the field.
    func hasField(_ field: WireField, in role: FrameRole, by origin: FrameOrigin) -> Bool {
        (of(origin)[role] ?? []).contains { template in
            template.placeholders.contains { placeholder in
                guard case .field(let shape) = placeholder.source else { return false }
                return shape.field == field
            }
        }
    }

    func of(_ origin: FrameOrigin) -> [FrameRole: [FrameTemplate]] {
        switch origin {
        case .client: client
        case .server: server
        }
    }

    func templates(of origin: FrameOrigin) -> [FrameTemplate] {
        switch origin {
        case .client: clientTemplates
        case .server: serverTemplates
        }
    }
}

extension FrameMap: Hashable {
    package static func == (left: FrameMap, right: FrameMap) -> Bool {
        left === right
            || (left.client == right.client && left.server == right.server && left.message == right.message
                && left.extras == right.extras && left.subprotocol == right.subprotocol
                && left.terminator == right.terminator && left.encoding == right.encoding
                && left.polling == right.polling && left.compression == right.compression
                && left.requests == right.requests && left.keyParameter == right.keyParameter
                && left.isUnknown == right.isUnknown)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(client)
        hasher.combine(server)
        hasher.combine(message)
        hasher.combine(extras)
        hasher.combine(subprotocol)
        hasher.combine(terminator)
        hasher.combine(encoding)
        hasher.combine(compression)
        hasher.combine(polling)
        hasher.combine(requests)
        hasher.combine(keyParameter)
        hasher.combine(isUnknown)
    }
}

extension WireProfile {
    /// Returns whether the profile's protocol has a frame for this role.
    package func has(_ role: FrameRole, by origin: FrameOrigin) -> Bool {
        frames?.has(role, by: origin) ?? true
    }
}

extension WireProfile {
    /// Splits a WebSocket message into its frames.
    ///
    /// If the protocol defines a terminator, each frame ends with it. Text after the last terminator is returned as one
    /// more frame, which decoding reports as malformed.
    package func frames(in message: String) -> [String] {
        guard let terminator = frames?.terminator, !terminator.isEmpty else { return [message] }
        var found: [String] = []
        var rest = Array(message.utf8)[...]
        while let place = rest.firstRange(of: terminator) {
            found.append(String(decoding: rest[..<place.upperBound], as: UTF8.self))
            rest = rest[place.upperBound...]
        }
        if !rest.isEmpty || found.isEmpty { found.append(String(decoding: rest, as: UTF8.self)) }
        return found
    }

    /// Returns whether frames of this role have this field in the profile's protocol; the built-in frames have all
    /// fields.
    package func hasField(_ field: WireField, in role: FrameRole, by origin: FrameOrigin) -> Bool {
        frames?.hasField(field, in: role, by: origin) ?? true
    }
}

// MARK: - Encoding

extension FrameMap {
    /// Encodes a frame of this role with these fields; returns nil if the map has no template for it.
    ///
    /// The fields in `left` are omitted even if the template contains them.
    func write(
        _ role: FrameRole,
        by origin: FrameOrigin,
        _ fields: [JSONMember],
        answering: WireDialogue.Reference?,
        lacking left: [String] = [],
        in dialogue: inout WireDialogue
    ) -> [UInt8]? {
        guard let templates = of(origin)[role], !templates.isEmpty else { return nil }
        var writer = TemplateWriter(
            fields: left.isEmpty ? fields : fields.lacking(left),
            asked: answering.flatMap { dialogue.request($0.value)?.fields } ?? [],
            references: dialogue.references,
            seen: dialogue.seen,
            host: dialogue.host,
            message: message
        )
        guard
            let template = templates.first(where: { template in
                template.after.map(dialogue.open.contains) ?? true
                    && template.fits(writer, answering: answering?.name, lacking: left)
            })
        else { return nil }
        if template.ownsReference {
            let reference = dialogue.nextReference()
            writer.reference = reference
            dialogue.remember(reference, .role(role), fields)
        } else if template.answers == answering?.name {
            writer.reference = answering?.value
        }
        if template.placeholders.contains(where: { $0.source == .number }) { writer.number = dialogue.nextNumber() }
        dialogue.writtenNumber = writer.number
        dialogue.following = template.then.map { $0.bytes(writer) + terminator }
        return template.bytes(writer) + terminator
    }
}

// MARK: - Decoding

extension FrameMap {
    /// The result of matching a message against the templates: a role and its fields under their built-in names, or the
    /// reason why no template matches.
    enum Reading {
        case fields(FrameRole, [JSONMember])
        case extra(String)
        case unknown(String)
        case malformed(String)
    }

    private struct Candidate {
        var template: FrameTemplate
        var body: JSON?
        var prefixed: [ArraySlice<UInt8>]
    }

    func read(_ text: [UInt8], from origin: FrameOrigin, in dialogue: inout WireDialogue) -> Reading {
        dialogue.recordReference(nil, .role(.ping))
        dialogue.extra = nil
        guard text.suffix(terminator.count).elementsEqual(terminator) else {
            return .malformed("the frame does not end with the terminator")
        }
        let text = Array(text.dropLast(terminator.count))
        var bodies: [Int: Result<JSON, JSONError>] = [:]
        var trouble: (length: Int, reason: String)?
        var refused: String?
        for template in templates(of: origin) {
            guard
                let split = template.prefix.map({ $0.match(text[...], toEnd: template.body == nil) }) ?? ([], text[...])
            else { continue }
            var candidate = Candidate(template: template, body: nil, prefixed: split.values)
            if let body = template.body {
                let start = split.rest.startIndex
                let parsed = bodies[start] ?? Result { () throws(JSONError) in try JSON.decode(Array(split.rest)) }
                bodies[start] = parsed
                switch parsed {
                case .success(let value): candidate.body = value
                case .failure(let error):
                    if start >= trouble?.length ?? 0 { trouble = (start, error.message) }
                    continue
                }
                guard TemplateReader.recognises(candidate.body, as: body) else { continue }
            }
            do throws(Malformed) {
                guard let fields = try bind(candidate, in: &dialogue) else { continue }
                switch template.name {
                case .role(let role): return .fields(role, fields)
                case .extra(let name): return .extra(name)
                }
            } catch {
                refused = refused ?? "\(template.name.word): \(error.reason)"
            }
        }
        if let refused { return .malformed(refused) }
        if bodies.values.allSatisfy({ (try? $0.get()) == nil }), let trouble { return .malformed(trouble.reason) }
        return .unknown(describe(text, bodies.values.compactMap { try? $0.get() }.first, origin))
    }

    /// Returns the fields of a message that matches a template; nil if the message answers a different kind of client
    /// frame than the template requires.
    private func bind(
        _ candidate: Candidate,
        in dialogue: inout WireDialogue
    ) throws(Malformed) -> [JSONMember]? {
        let template = candidate.template
        var reader = TemplateReader(message: message)
        if let prefix = template.prefix { try reader.bind(candidate.prefixed, to: prefix, at: "") }
        var request: WireDialogue.Request?
        if let answered = template.answers {
            let reference =
                reader.reference ?? template.body.flatMap { TemplateReader.reference(in: candidate.body, of: $0) }
            if let reference {
                guard let known = dialogue.request(reference) else {
                    throw Malformed("\(reference) answers no request of the client")
                }
                guard known.name == answered else { return nil }
                request = known
            }
        }
        if let body = template.body { try reader.bind(candidate.body, to: body) }
        for (name, value, path) in reader.repeated {
            // This check applies only to frames that have a role, because an extra frame with an unknown reference has
            // no effect.
            if template.name.role != nil, let known = dialogue.references[name], known != value {
                throw Malformed("\(path) is \(value), and the reference of \(name.word) is \(known)")
            }
        }
        for (field, value, path) in reader.asked {
            if let known = request?.fields.value(of: field.defaultName), known != value {
                throw Malformed("\(path) is not the \(field.defaultName) of what it answers")
            }
        }
        let fields = template.completed(reader.fields, from: request)
        commit(reader, template, fields, in: &dialogue)
        return fields
    }

    private func commit(
        _ reader: TemplateReader,
        _ template: FrameTemplate,
        _ fields: [JSONMember],
        in dialogue: inout WireDialogue
    ) {
        if template.ownsReference, let reference = reader.reference {
            dialogue.remember(reference, template.name, fields)
            dialogue.recordReference(reference, template.name)
        }
        if case .extra(let name) = template.name {
            switch template.origin {
            case .client: take(name, reader, in: &dialogue)
            case .server: dialogue.extra = ReceivedExtra(name: name, replies: [])
            }
        }
        if let number = reader.number { dialogue.saw(number) }
        if let seen = reader.seen { dialogue.continueNumbers(from: seen) }
    }

    /// Describes an unknown message by the values it has where the templates have literals.
    private func describe(_ text: [UInt8], _ body: JSON?, _ origin: FrameOrigin) -> String {
        var parts: [String] = []
        if templates(of: origin).contains(where: { $0.prefix != nil }) {
            let prefix = text.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "{") }.prefix(16)
            if !prefix.isEmpty { parts.append(String(decoding: prefix, as: UTF8.self)) }
        }
        if let body {
            var places: [String] = []
            for template in templates(of: origin) {
                template.body?.literalPlaces(in: body, at: "") { place, value in
                    if !places.contains(place), places.count < 4 {
                        places.append(place)
                        parts.append(place.isEmpty ? value.description : "\(place): \(value)")
                    }
                }
            }
        }
        let description = parts.joined(separator: ", ")
        return description.isEmpty ? "of no known form" : String(description.prefix(120))
    }
}

extension FrameTemplate {
    /// Adds the fields that the message itself does not contain: those in the template's conditions and assumptions,
    /// and those of the request that the message answers.
    fileprivate func completed(_ read: [JSONMember], from request: WireDialogue.Request?) -> [JSONMember] {
        var fields = read
        for member in conditions + assumed where fields.value(of: member.name) == nil { fields.append(member) }
        guard let request else { return fields }
        for shape in FrameShape.fields(of: name, by: origin) {
            let field = shape.field.defaultName
            guard fields.value(of: field) == nil else { continue }
            if let asked = request.fields.value(of: field) {
                fields.append(JSONMember(field, asked))
            } else if shape.required, shape.field == .clientMessageID {
                // The confirmed `send` frame had no client message ID, which the built-in protocol represents as an
                // empty string.
                fields.append(JSONMember(field, .string("")))
            }
        }
        return fields
    }
}

extension TemplatePattern {
    /// Calls `emit` with each scalar of `value` at a position where this pattern has a literal.
    fileprivate func literalPlaces(in value: JSON, at path: String, _ emit: (String, JSON) -> Void) {
        switch self {
        case .literal(.null), .placeholder, .encoded, .absent: break
        case .literal, .text:
            switch value {
            case .bool, .integer, .number, .string: emit(path, value)
            case .null, .array, .object: break
            }
        case .list(let patterns):
            for (index, pattern) in patterns.enumerated() {
                if let element = value[index] { pattern.literalPlaces(in: element, at: "\(path)[\(index)]", emit) }
            }
        case .object(let members):
            for member in members {
                guard let inner = value[member.name] else { continue }
                member.pattern.literalPlaces(in: inner, at: path.isEmpty ? member.name : "\(path).\(member.name)", emit)
            }
        }
    }
}
