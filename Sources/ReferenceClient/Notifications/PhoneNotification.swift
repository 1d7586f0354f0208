package import ChatWire

/// The notification that the phone displays for a push, whether or not the app is running.
///
/// Phones let an app rewrite a push before it is displayed, in a separate process that does not share the app's memory.
/// The content therefore depends only on the push, the profile, the policy and the names that the app has given to the
/// phone.
package struct PhoneNotification: Hashable, Sendable {
    /// The notification's id; see ``replacesEqual``.
    package let id: String
    package let push: Push
    package let title: String
    /// The notification's text, of at most `notification.body_limit` characters.
    package let body: String
    /// The group in which the phone displays the notification; nil if it is not grouped.
    package let thread: String?
    package let category: String
    /// The labels of the notification's buttons.
    package let actions: [String]
    /// The summary of the notification's group; nil if the notification is not grouped. The phone replaces `{count}` in
    /// it with the number of notifications.
    package let summary: String?
    /// Whether the notification replaces an earlier one with the same ID.
    package let replacesEqual: Bool

    /// Whether the user can reply directly from the notification.
    package let takesReply: Bool

    /// Creates the notification for a push.
    ///
    /// `partner` is the name of the conversation's partner; nil if only the conversation's id is known.
    package init(_ push: Push, from partner: String? = nil, _ profile: ClientProfile, _ policy: Policy) {
        let texts = profile.text.notification
        let name = partner ?? DisplayName.of(push.conversation)
        self.push = push
        id = "chat-\(push.message)"
        title =
            policy.notifications.title == .isTheName
            ? texts.title.filling("name", with: name)
            : texts.rawTitle.filling("id", with: push.conversation)
        body = Self.cut(push.text, to: profile.notification.bodyLimit)
        category = profile.notification.category
        takesReply = policy.notifications.reply == .isInline
        actions = (takesReply ? [texts.reply] : []) + [texts.view, texts.dismiss]
        let isGrouped = policy.notifications.grouping == .byConversation
        thread = isGrouped ? push.conversation : nil
        summary = isGrouped ? texts.summary.filling("name", with: name) : nil
        replacesEqual = policy.notifications.duplicates == .areOne
    }

    /// Shortens `text` to at most `limit` characters, with an ellipsis as the last character if it is shortened.
    private static func cut(_ text: String, to limit: Int64) -> String {
        let limit = Int(clamping: limit)
        return text.count <= limit ? text : String(text.prefix(max(limit - 1, 0))) + "…"
    }
}

/// Derives a display name from a conversation's id, for use when the name is unknown.
enum DisplayName {
    /// Capitalises the words of the first part of the ID: `stukov/adjutant` gives `Stukov`, `anna_maria` gives `Anna
    /// Maria`.
    static func of(_ id: String) -> String {
        let first = id.split(separator: "/").first.map(String.init) ?? id
        let words = first.split { $0 == "_" || $0 == "-" || $0 == "." }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
