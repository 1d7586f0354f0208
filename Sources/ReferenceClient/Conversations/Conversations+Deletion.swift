import ChatWire
import SquallCore

// What is left of deleted messages, and which images are in sight.

extension Conversations {
    /// The server's word that a message is deleted: its place stays, and who has not read it need not any more.
    mutating func markDeleted(id: String, _ step: inout Step) {
        guard let key = key(of: id) else { return }
        markDeleted(key, &step)
    }

    mutating func markDeleted(_ key: String, _ step: inout Step) {
        guard var message = messages[key], !message.isDeleted else { return }
        if let id = message.id, let behind = others(after: id, in: message.conversation) {
            step.emit(.deleted(message, leaving: behind))
        }
        message.isDeleted = true
        message.media = nil
        set(message)
        if let storeKey = message.storeKey, self[message.conversation].cached.contains(message.id ?? "") {
            step.store(storeKey, message.stored)
        }
        step.touch(key)
        step.changes.insert(.conversations)
    }

    /// The messages from one to another, as they stand; none where the two do not stand so.
    func selected(from first: String, through last: String) -> [String] {
        guard let message = messages[first], let rows = conversations[message.conversation]?.rows,
            let start = rows.firstIndex(where: { $0.key == first }),
            let end = rows.lastIndex(where: { $0.key == last }), start <= end
        else { return [] }
        return rows[start...end].map(\.key)
    }

    /// The user's image lies at the server now.
    mutating func uploaded(_ key: String, _ media: MessageMedia) {
        guard var message = messages[key] else { return }
        message.media = media
        set(message)
    }

    /// The images of the rows on the screen, and of a few beside them.
    ///
    /// `anchor` is the first one visible; nil at the end.
    func imagesInSight(from anchor: String?) -> [Images.Position] {
        guard let open, let rows = conversations[open]?.rows else { return [] }
        let room = rules.profile.images
        let (visible, margin) = (Int(clamping: room.visible), Int(clamping: room.margin))
        let first: Int
        if let anchor, let place = rows.firstIndex(where: { $0.key == anchor }) {
            first = place
        } else {
            first = max(rows.count - visible, 0)
        }
        let near = rows[max(first - margin, 0)..<min(first + visible + margin, rows.count)]
        return near.compactMap { row in
            messages[row.key]?.media?.pictureURL.map { Images.Position(message: row.key, url: $0) }
        }
    }
}
