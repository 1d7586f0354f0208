import ChatWire
import SquallCore

// Takes over the messages that the share extension has left in the container.

extension Client {
    /// Checks for new messages from the share extension.
    func lookForSharedMessages(isLaunch: Bool = false, _ step: inout Step) {
        guard isLaunch || rules.policy.sharing.looking == .always else { return }
        step.perform(.phone(.readShared))
    }

    /// Moves the signed-in user's messages from the container to the outbox, in the order in which they were written.
    ///
    /// A message leaves the container once the outbox has it on disk. If the process is killed in between, the next
    /// process finds the message in both places and keeps only one copy.
    mutating func found(_ messages: [SharedMessage], _ step: inout Step) {
        for message in messages where message.user == account.user {
            if rules.policy.sharing.key == .isNew || !isKnown(message) { accept(message, &step) }
            switch rules.policy.sharing.removal {
            case .onceStored: step.onceStored(.shared(key: message.key))
            case .atOnce: step.perform(.phone(.removeShared(message.key)))
            }
        }
    }

    /// Whether the message is in the outbox or has already been sent.
    private func isKnown(_ message: SharedMessage) -> Bool {
        outbox[message.key] != nil || conversations.key(of: message.key) != nil
    }

    private mutating func accept(_ message: SharedMessage, _ step: inout Step) {
        let image = message.image.map { media.compressed($0.file, bytes: $0.bytes) }
        let entry = outbox.accept(
            message.text,
            to: message.conversation,
            label: message.label,
            image: image,
            as: rules.policy.sharing.key == .isTheExtensions ? message.key : nil,
            writtenAt: message.createdAt,
            over: channel,
            &step
        )
        guard let entry else { return }
        show(entry, &step)
        if let image { upload(image, of: entry, &step) }
    }
}
