import ChatWire
import SquallCore

// Handles deleted messages, and determines which images are on the screen or close to it.

extension Conversations {
    /// Marks a message as deleted after the server has reported its deletion; `id` is the server-assigned ID.
    ///
    /// The message keeps its position in the conversation, but no longer counts as unread.
    mutating func markDeleted(id: String, _ step: inout Step) {
        guard let key = key(of: id) else { return }
        markDeleted(key, &step)
    }

    /// Marks the message with this key as deleted.
    mutating func markDeleted(_ key: String, _ step: inout Step) {
        guard var message = messages[key], !message.isDeleted else { return }
        if let id = message.id, let behind = others(after: id, in: message.conversation) {
            step.emit(.deleted(message, leaving: behind))
        }
        message.isDeleted = true
        message.media = nil
        set(message)
        storeAgain(message, &step)
        step.touch(key)
        step.changes.insert(.conversations)
    }

    /// Returns the keys of the messages from `first` through `last`; empty unless both are in the same conversation and
    /// `first` does not come after `last`.
    func selected(from first: String, through last: String) -> [String] {
        guard let message = messages[first], let rows = conversations[message.conversation]?.rows,
            let start = rows.firstIndex(where: { $0.key == first }),
            let end = rows.lastIndex(where: { $0.key == last }), start <= end
        else { return [] }
        return rows[start...end].map(\.key)
    }

    /// Attaches the uploaded image to the user's message.
    mutating func uploaded(_ key: String, _ media: MessageMedia) {
        guard var message = messages[key] else { return }
        message.media = media
        set(message)
    }

    /// Returns the images in the visible rows and in the rows within the profile's margin around them.
    ///
    /// `anchor` is the key of the first visible row; nil if the list is at its end.
    func imagesInSight(from anchor: String?) -> [Images.Position] {
        guard let open, let rows = conversations[open]?.rows else { return [] }
        let room = rules.profile.images
        let (visible, margin) = (Int(clamping: room.visible), Int(clamping: room.margin))
        let first: Int
        if let anchor, let index = rows.firstIndex(where: { $0.key == anchor }) {
            first = index
        } else {
            first = max(rows.count - visible, 0)
        }
        let near = rows[max(first - margin, 0)..<min(first + visible + margin, rows.count)]
        return near.compactMap { row in
            messages[row.key]?.media?.pictureURL.map { Images.Position(message: row.key, url: $0) }
        }
    }
}
