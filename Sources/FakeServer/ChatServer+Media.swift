import ChatWire
import SquallCore

/// Handles file uploads and downloads, including those of messages' images.
extension ChatServer {
    static let notMember = "This conversation is others'."

    /// Returns whether the user may upload a file with this name. An image may be uploaded only to one of the user's
    /// conversations.
    func mayUpload(_ name: String, _ principal: Principal) -> Bool {
        guard policy.upload == .authenticated, policy.uploadMembership == .isRequired, let image = MediaName(name)
        else { return true }
        return members.isMember(principal.user, of: image.conversation)
    }

    /// Returns the content of an uploaded file, or its first `most` bytes.
    ///
    /// Clients generate files in which byte n is n modulo 256, so the server only needs to store their sizes.
    func file(_ name: String, atMost most: Int64?) -> Answer {
        guard let size = uploads.size(of: name) else { return Answer(.notFound, "No such file.") }
        let count = Int(clamping: min(size, most ?? size))
        return Answer(file: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    /// Returns how many bytes of a message's media this server stores; nil for media on another server.
    func bytesStored(of media: MessageMedia) -> Int64? { name(of: media).flatMap(uploads.received) }

    /// Returns whether the name of the media refers to this message; nil if the media are on another server or their
    /// name refers to no message.
    func isOwn(_ media: MessageMedia, of message: ChatMessage) -> Bool? {
        guard let name = name(of: media).flatMap({ MediaName($0) }) else { return nil }
        return name.conversation == message.conversation && name.message == message.key
    }

    /// Returns the name under which the media are stored; nil for media on another server.
    private func name(of media: MessageMedia) -> String? {
        guard let url = media.url, case .media(let name)? = ChatRoute.parse(method: "GET", target: url, wire) else {
            return nil
        }
        return name
    }

    /// Attaches media to a posted message, as if its author had uploaded the file.
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
    /// Returns the receipt, with the file's URLs added if the file is a message's image and its upload is complete.
    func naming(_ name: String, _ wire: WireProfile) -> UploadReceipt {
        guard isComplete, MediaName(name) != nil else { return self }
        var receipt = self
        receipt.url = ChatRoute.media(name: name).target(wire)
        receipt.thumbnailURL = ChatRoute.thumbnail(name: name).target(wire)
        return receipt
    }
}
