import ChatWire
import SquallCore

// Reports message menus, the deletion dialog and the kinds of messages.

extension MessageLook {
    static let deleted = MessageLook(status: .deleted, icon: nil, tone: nil, hint: nil, canRetry: false)
}

extension Client {
    /// Returns the kind of a message's content, and reports it unless the message has always been plain text.
    mutating func showKind(of message: Message, _ step: inout Step) -> MessageKind {
        let isKnown = deletions.isKnown(message.key)
        let kind = kind(of: message)
        guard kind != .text || isKnown else { return kind }
        display.show("message.kind", key: message.key, kind.rawValue, &step)
        if kind == .deleted || isKnown {
            display.show("message.deleted", key: message.key, .bool(kind == .deleted), &step)
        }
        if isKnown {
            display.show("message.undo_available", key: message.key, .bool(deletions.canUndo(message.key)), &step)
        }
        return kind
    }

    func kind(of message: Message) -> MessageKind { deletions.hides(message.key) ? .deleted : message.kind }

    func text(of message: Message, _ kind: MessageKind) -> String {
        switch kind {
        case .text, .image: message.text
        case .unsupported: rules.profile.text.message.unsupported
        case .deleted: rules.profile.text.message.deleted
        }
    }

    /// Returns whether the menu offers to delete the message.
    ///
    /// The message must be stored on the server and not deleted. It must be the user's own unless the profile allows
    /// deleting any message.
    func canDelete(_ message: Message) -> Bool {
        guard message.id != nil, !message.isDeleted, !deletions.hides(message.key) else { return false }
        return message.isOwn || rules.profile.delete.offered == .any
    }

    mutating func showDeletions(_ step: inout Step) {
        for key in deletions.menus { showMenu(of: key, &step) }
        let isOpen = !deletions.asked.isEmpty
        if isOpen || display.hasShown("dialog.text") {
            let texts = rules.profile.text.dialog
            display.show("dialog.text", isOpen ? texts.delete : nil, &step)
            display.show("dialog.actions", list: isOpen ? [texts.cancel, texts.confirm] : [], &step)
            display.show("dialog.tone", isOpen ? Tone.grey.rawValue : nil, &step)
        }
        if deletions.wasUsed { display.show("deletions.pending", count: Int64(deletions.count), &step) }
    }

    private mutating func showMenu(of key: String, _ step: inout Step) {
        guard deletions.menu == key, let message = conversations.messages[key] else {
            display.show("menu.actions", key: key, list: [], &step)
            display.show("menu.explanation", key: key, JSON.null, &step)
            return
        }
        let texts = rules.profile.text
        let isDeleted = message.isDeleted || deletions.hides(key)
        let look = isDeleted ? MessageLook.deleted : MessageLook(outbox[key], rules)
        var actions: [String] = []
        if message.isOwn, look.canRetry { actions.append(texts.menu.retry) }
        if canDelete(message) { actions.append(texts.menu.delete) }
        display.show("menu.actions", key: key, list: actions, &step)
        var explanation: String? = message.isOwn || isDeleted ? look.explanation(texts.explanation) : nil
        if isDeleted, !message.isDeleted { explanation = texts.explanation.deleting }
        display.show("menu.explanation", key: key, explanation, &step)
    }
}

extension MessageLook {
    fileprivate func explanation(_ texts: ClientTexts.Explanation) -> String {
        switch status {
        case .queued: texts.queued
        case .sending: texts.sending
        case .delivered: texts.delivered
        case .failed: canRetry ? texts.failed : texts.refused
        case .deleted: texts.deleted
        }
    }
}
