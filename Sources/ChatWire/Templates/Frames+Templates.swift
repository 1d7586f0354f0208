package import SquallCore

// Encodes and decodes frames with the profile's templates or, if it has none, in the built-in protocol under the names
// that the profile assigns.

extension WireProfile {
    /// The wire profile on which templates are based: the built-in field names, with timestamps in milliseconds.
    static let canonical = WireProfile(timestampForm: .milliseconds)
}

extension ClientFrame {
    /// Encodes the frame as a message; returns nil if the profile's protocol has no message for this frame.
    package func encode(_ wire: WireProfile, in dialogue: inout WireDialogue) -> [UInt8]? {
        guard let frames = wire.frames else { return encode(wire) }
        return frames.write(role, by: .client, fields, answering: nil, in: &dialogue)
    }

    /// Decodes a message from a client.
    package static func decode(
        _ text: String,
        _ wire: WireProfile,
        in dialogue: inout WireDialogue
    ) -> Decoded<ClientFrame> {
        guard let frames = wire.frames else { return decode(text, wire) }
        return frames.decode(text, from: .client, in: &dialogue) { role, reader throws(Malformed) in
            try decode(role, &reader)
        }
    }

    /// The frame's fields under the built-in names, without the type.
    package var fields: [JSONMember] { Canonical.fields(of: encode(.canonical)) }
}

extension ServerFrame {
    /// Encodes the frame as a message; returns nil if the profile's protocol has no message for this frame.
    ///
    /// `answering` refers to the client frame that this frame answers. The fields in `left` are omitted, which some
    /// planted defects require.
    package func encode(
        _ wire: WireProfile,
        answering: WireDialogue.Reference? = nil,
        lacking left: [WireField] = [],
        in dialogue: inout WireDialogue
    ) -> [UInt8]? {
        guard let frames = wire.frames else { return encode(wire) }
        return frames.write(
            role,
            by: .server,
            fields,
            answering: answering,
            lacking: left.map(\.defaultName),
            in: &dialogue
        )
    }

    /// The frame's fields under the built-in names, without the type.
    var fields: [JSONMember] { Canonical.fields(of: encode(.canonical)) }

    /// Decodes a message from a server.
    package static func decode(
        _ text: String,
        _ wire: WireProfile,
        in dialogue: inout WireDialogue
    ) -> Decoded<ServerFrame> {
        guard let frames = wire.frames else { return decode(text, wire) }
        return frames.decode(text, from: .server, in: &dialogue) { role, reader throws(Malformed) in
            try decode(role, &reader)
        }
    }
}

extension WireProfile {
    /// Returns the body of an HTTP response that reports an error.
    ///
    /// In Matrix, which reports errors only over HTTP, the body has the form of the profile's `error` frame.
    package func encodeOverHTTP(_ error: ServerFrame.ServerError) -> [UInt8] {
        var dialogue = WireDialogue()
        guard frames?.polling == .matrixSync else { return error.encode(self) }
        return ServerFrame.error(error).encode(self, in: &dialogue) ?? error.encode(self)
    }
}

private enum Canonical {
    /// Returns the members of a frame in the built-in encoding, except the first one, which is the type.
    static func fields(of bytes: [UInt8]) -> [JSONMember] {
        guard let members = (try? JSON.decode(bytes))?.members else { return [] }
        return Array(members.dropFirst())
    }
}

extension FrameMap {
    /// Decodes a message with its template, and then decodes the resulting fields with the built-in protocol.
    fileprivate func decode<Frame>(
        _ text: String,
        from origin: FrameOrigin,
        in dialogue: inout WireDialogue,
        _ read: (FrameRole, inout ObjectReader) throws(Malformed) -> Frame?
    ) -> Decoded<Frame> {
        switch self.read(Array(text.utf8), from: origin, in: &dialogue) {
        case .unknown(let type), .extra(let type): return .unknownType(type)
        case .malformed(let reason): return .malformed(reason)
        case .fields(let role, let fields):
            var reader = ObjectReader(fields, WireProfile.canonical.tables)
            do throws(Malformed) {
                return try read(role, &reader).map { .frame($0) } ?? .unknownType(role.rawValue)
            } catch {
                return .malformed("\(role.rawValue): \(error.reason)")
            }
        }
    }
}
