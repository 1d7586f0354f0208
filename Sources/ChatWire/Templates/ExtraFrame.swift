import SquallCore

/// A client frame that a protocol requires in addition to the chat frames, such as a subscription, with the server's
/// replies.
package struct ExtraFrame: Hashable, Sendable {
    /// The event on a connection after which Squall's client sends an extra frame.
    package enum Moment: String, Hashable, Sendable, CaseIterable {
        /// The WebSocket is open; the server answers the extra frame even before the client has logged in.
        case opened
        /// The server has accepted the login.
        case connected
    }

    let name: String
    /// The forms of the frame that the server accepts; Squall's client sends the first one.
    var requests: [FrameTemplate]
    /// The replies in the order the server sends them; empty if it does not reply.
    var replies: [FrameTemplate] = []
    /// The event after which Squall's client sends the frame; nil if it never does.
    var moment: Moment?
    /// The name of the extra frame, such as a subscription request, whose effect this frame cancels; nil if it cancels
    /// none.
    ///
    /// The server then stops sending the frames that depend on the cancelled one.
    var ends: String?
}

/// A received extra frame, and the encoded replies to it. Extra frames have no role in the chat.
package struct ReceivedExtra: Hashable, Sendable {
    package let name: String
    package let replies: [[UInt8]]
    /// Whether the client may send the frame before it is connected.
    package let precedesLogin: Bool

    package init(name: String, replies: [[UInt8]], precedesLogin: Bool = false) {
        self.name = name
        self.replies = replies
        self.precedesLogin = precedesLogin
    }
}

// MARK: - Parsing

extension ExtraFrame {
    static let most = 16
    private static let keys = ["frame", "text", "or", "replies", "after", "ends"]

    /// Parses `wire.frames.extras`.
    static func read(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> [ExtraFrame] {
        guard let value else { return [] }
        let path: [TemplateMistake.Step] = [.member("extras")]
        guard let members = value.members, (1...most).contains(members.count) else {
            mistakes.add(path, "'extras' must be a mapping of 1 to \(most) names to frames")
            return []
        }
        let names = members.map(\.name)
        return members.compactMap { read($0, among: names, path + [.member($0.name)], &mistakes) }
    }

    private static func read(
        _ member: JSONMember,
        among names: [String],
        _ path: [TemplateMistake.Step],
        _ mistakes: inout TemplateMistakes
    ) -> ExtraFrame? {
        let name = member.name
        guard FrameRole(rawValue: name) == nil else {
            mistakes.add(path, "'\(name)' is a frame with a role and cannot be an extra")
            return nil
        }
        for key in (member.value.members ?? []).map(\.name) where !keys.contains(key) {
            mistakes.add(
                path + [.key(key)],
                "unknown key '\(key)' in an extra",
                help: "one of: \(keys.joined(separator: ", "))"
            )
        }
        let form = member.value.members?.filter { ["frame", "text"].contains($0.name) } ?? []
        let reader = VariantReader(.extra(name), .client, extras: names)
        guard let request = reader.read(.object(form), path, &mistakes) else { return nil }
        var extra = ExtraFrame(name: name, requests: [request])
        for (index, form) in (member.value["or"]?.arrayValue ?? []).enumerated() {
            let place = path + [.member("or"), .index(index)]
            if let other = reader.read(form, place, &mistakes) { extra.requests.append(other) }
        }
        if let after = member.value["after"] {
            extra.moment = after.stringValue.flatMap(Moment.init)
            if extra.moment == nil {
                mistakes.add(path + [.member("after")], "'after' of an extra must be 'opened' or 'connected'")
            }
        }
        if let ends = member.value["ends"] {
            extra.ends = ends.stringValue
            if !names.contains(extra.ends ?? "") {
                mistakes.add(path + [.member("ends")], "'ends' must name an extra")
            }
        }
        let answer = VariantReader(.extra(name), .server, extras: names)
        for (index, reply) in (member.value["replies"]?.arrayValue ?? []).enumerated() {
            let place = path + [.member("replies"), .index(index)]
            guard var template = answer.read(reply, place, &mistakes) else { continue }
            if request.ownsReference { template.answers = .extra(name) }
            extra.replies.append(template)
        }
        return extra
    }
}

// MARK: - Sending and receiving

extension FrameMap {
    /// Returns the encoded extra frames that Squall's client sends after `moment`.
    package func extras(after moment: ExtraFrame.Moment, in dialogue: inout WireDialogue) -> [[UInt8]] {
        extras.filter { $0.moment == moment }.compactMap { extra in
            guard let request = extra.requests.first else { return nil }
            var writer = TemplateWriter(fields: [], references: dialogue.references, seen: dialogue.seen)
            if request.ownsReference {
                let reference = dialogue.nextReference()
                writer.reference = reference
                dialogue.remember(reference, .extra(extra.name), [])
            }
            dialogue.begin(extra.name)
            return request.bytes(writer) + terminator
        }
    }

    /// Records an extra frame that the client has sent.
    func take(_ name: String, _ reader: TemplateReader, in dialogue: inout WireDialogue) {
        guard let extra = extras.first(where: { $0.name == name }) else { return }
        let isCurrent = reader.repeated.allSatisfy { dialogue.references[$0.name] == $0.value }
        if let ends = extra.ends, isCurrent { dialogue.end(ends) }
        dialogue.begin(name)
        let writer = TemplateWriter(fields: [], reference: reader.reference, references: dialogue.references)
        dialogue.extra = ReceivedExtra(
            name: name,
            replies: extra.replies.map { $0.bytes(writer) + terminator },
            precedesLogin: extra.moment == .opened
        )
    }
}
