/// Where an image of a message lies: `messages/{conversation}/{message}/{filename}`.
struct MediaName: Hashable, Sendable {
    let conversation: String

    /// Nil for what is no image of a message.
    init?(_ name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "messages", parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        conversation = String(parts[1])
    }
}
