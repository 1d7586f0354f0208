package import ChatWire
package import SquallCore

/// The app's share extension: a process that writes one of the user's messages into the container that it shares with
/// the app, and then ends.
///
/// The extension never sends the message: two processes that send from one outbox could both send the same message.
/// Each write to the container is atomic and takes as long as `device.share_write` specifies. The message is written
/// last, so that the app finds either the whole message or nothing.
package struct ShareExtension: Sendable {
    /// The result of a completed write.
    package enum Output: Sendable {
        /// The image of the message with this key is in the container.
        case wroteFile(String)
        /// The message is in the container. From now on it must not be lost.
        case wroteMessage(SharedMessage)
        /// A request for the phone's transfer service to send; only a planted defect emits it.
        case transfer(String, [ChatRequest])
    }

    private enum Write { case file, message }

    package let message: SharedMessage
    private let rules: Rules
    private let credential: String
    private var writes: [Write]
    /// The instant at which the current write is complete; nil once the extension has ended.
    package private(set) var deadline: Instant?

    /// Creates the process at the moment when the user confirms the message.
    ///
    /// - Parameters:
    ///   - draft: The message.
    ///   - number: The number of messages that the extension has already written on this phone.
    ///   - user: The signed-in user.
    ///   - key: The user's API key.
    package init(
        _ draft: SharedDraft,
        label: String?,
        number: Int,
        id: ClientID,
        user: String,
        key: String,
        profile: ClientProfile,
        policy: Policy,
        wire: WireProfile,
        seed: Seed,
        at now: Instant
    ) {
        rules = Rules(id: id, profile: profile, policy: policy, wire: wire, seed: seed, launch: Int64(number) + 1)
        credential = key
        var ids = rules.stream("extension.ids")
        message = SharedMessage(
            key: ids.nextUUID(),
            label: label,
            user: user,
            conversation: draft.conversation,
            text: draft.file == nil ? draft.text : "",
            image: draft.file.map { SharedMessage.Image(file: $0, bytes: max(draft.bytes, 0)) },
            createdAt: rules.deviceTime(at: now)
        )
        writes = message.image == nil ? [.message] : [.file, .message]
        if policy.sharing.order == .messageFirst { writes.reverse() }
        deadline = now + profile.device.shareWrite
    }

    /// Completes the writes that are due.
    package mutating func timer(at now: Instant) -> [Output] {
        guard let due = deadline, due <= now, !writes.isEmpty else { return [] }
        let write = writes.removeFirst()
        deadline = writes.isEmpty ? nil : due + rules.profile.device.shareWrite
        switch write {
        case .file: return [.wroteFile(message.key)]
        case .message: return [.wroteMessage(message)] + sent
        }
    }

    /// The request with which the extension itself sends the message; empty unless a planted defect enables it.
    private var sent: [Output] {
        guard rules.policy.sharing.sending == .isBoths, message.image == nil else { return [] }
        let body = SendBody(clientMessageID: "\(message.key)-extension", text: message.text, media: nil)
        let route = ChatRoute.send(conversation: message.conversation)
        return [
            .transfer(message.key, [route.request(rules.wire, key: credential, body: body.encode(rules.wire))])
        ]
    }
}

extension ShareExtension {
    static let registry: [RegistryEntry] = [
        .event(
            "client.extension.began",
            ["conversation", "label"],
            key: "message",
            provenance: .injected,
            level: .device,
            "The user has sent a message through the share extension, which begins to save it."
        ),
        .event(
            "client.extension.saved",
            key: "message",
            provenance: .injected,
            level: .device,
            "The share extension has saved a message and ended; from now on the message must not be lost."
        ),
        .event(
            "client.extension.killed",
            key: "message",
            provenance: .injected,
            level: .device,
            "The share extension was killed before it had saved a message."
        ),
        .event(
            "client.extension.refused",
            ["conversation"],
            provenance: .injected,
            level: .device,
            "The share extension has not accepted a message, because no user is signed in."
        ),
        .observable(
            "shared.waiting",
            .integer,
            "The number of messages from the share extension that the app has not taken over yet."
        ),
    ]
}
