package import SquallCore

// The way of every frame: as the profile's templates have it, or else as the built-in protocol under the profile's names.

extension WireProfile {
    /// The names under which templates know the fields, with moments in milliseconds.
    static let canonical = WireProfile(timestampForm: .milliseconds)
}

extension ClientFrame {
    /// One message; nil where the profile's protocol has none for this frame.
    package func encode(_ wire: WireProfile, in dialogue: inout WireDialogue) -> [UInt8]? {
        guard let frames = wire.frames else { return encode(wire) }
        return frames.write(role, by: .client, fields, answering: nil, in: &dialogue)
    }

    /// Reads what a client has said.
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

    /// What it says, under the names of the built-in protocol and without its type.
    package var fields: [JSONMember] { Canonical.fields(of: encode(.canonical)) }
}

extension ServerFrame {
    /// One message; nil where the profile's protocol has none for this frame.
    ///
    /// `answering` is the client's frame that it answers, `left` what a broken server leaves out of it.
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
            Canonical.fields(of: encode(.canonical)),
            answering: answering,
            lacking: left.map(\.defaultName),
            in: &dialogue
        )
    }

    /// Reads what a server has said.
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

private enum Canonical {
    /// The members of what the built-in protocol writes, without the type, which is the first.
    static func fields(of bytes: [UInt8]) -> [JSONMember] {
        guard let members = (try? JSON.decode(bytes))?.members else { return [] }
        return Array(members.dropFirst())
    }
}

extension FrameMap {
    /// A frame as its template has it, then as the built-in protocol reads its fields.
    fileprivate func decode<Frame>(
        _ text: String,
        from speaker: Speaker,
        in dialogue: inout WireDialogue,
        _ read: (FrameRole, inout ObjectReader) throws(Malformed) -> Frame?
    ) -> Decoded<Frame> {
        switch self.read(Array(text.utf8), from: speaker, in: &dialogue) {
        case .unknown(let type): return .unknownType(type)
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
