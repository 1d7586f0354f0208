/// The name under which a message's image is uploaded: `messages/{conversation}/{message}/{file}`.
package struct MediaName: Hashable, Sendable {
    package let conversation: String
    /// The message ID assigned by the sender.
    package let message: String
    package let file: String

    private static let root = "messages"

    package init(conversation: String, message: String, file: String) {
        self.conversation = conversation
        self.message = message
        self.file = file
    }

    /// Parses a name; fails if it is not the name of a message's image.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.root, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(conversation: String(parts[1]), message: String(parts[2]), file: String(parts[3]))
    }

    /// The name as written in requests.
    package var text: String { "\(Self.root)/\(conversation)/\(message)/\(file)" }
}
