import ChatWire
import SquallCore

/// Images of messages: who may upload them, and getting them back.
extension ChatServer {
    static let notMember = "This conversation is others'."

    /// An image goes only where its sender belongs.
    func mayUpload(_ name: String, _ principal: Principal) -> Bool {
        guard policy.upload == .authenticated, let image = MediaName(name) else { return true }
        return members.isMember(principal.user, of: image.conversation)
    }

    /// Each byte of a file is its place in it, as those who upload them make them: so nobody has to keep the file.
    func file(_ name: String, atMost most: Int64?) -> Answer {
        guard let size = uploads.size(of: name) else { return Answer(.notFound, "No such file.") }
        let count = Int(clamping: min(size, most ?? size))
        return Answer(file: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    /// Bytes of what a message shows that are here; nil where that lies elsewhere.
    func bytesStored(of media: MessageMedia) -> Int64? {
        guard let url = media.url, case .media(let name)? = ChatRoute.parse(method: "GET", target: url, wire) else {
            return nil
        }
        return uploads.received(of: name)
    }

    /// An image that somebody other than the clients has uploaded, or what this server knows no more of than its kind.
    mutating func attach(_ posted: ServerAction.PostedMedia, to draft: inout MessageStore.Draft) {
        let id = store.nextID()
        let name = MediaName(conversation: draft.conversation, message: id, file: "posted").text
        uploads.put(name, bytes: posted.bytes)
        draft.id = id
        draft.media = MessageMedia(
            type: posted.type,
            url: ChatRoute.media(name: name).target(wire),
            thumbnailURL: ChatRoute.thumbnail(name: name).target(wire),
            metadata: MediaMetadata(width: posted.width, height: posted.height)
        )
    }
}

extension UploadReceipt {
    /// With where the file lies, where it is an image of a message and here as a whole.
    func naming(_ name: String, _ wire: WireProfile) -> UploadReceipt {
        guard isComplete, MediaName(name) != nil else { return self }
        var receipt = self
        receipt.url = ChatRoute.media(name: name).target(wire)
        receipt.thumbnailURL = ChatRoute.thumbnail(name: name).target(wire)
        return receipt
    }
}
