package import ChatWire

/// A push as the user sees it: what the app makes of it, whether or not it runs.
///
/// A phone lets an app rewrite what is pushed before it is shown, in a process of its own that has none of the app's memory;
/// so this follows from the push, the profile, the policy and what the app has told the phone of names.
package struct PhoneNotification: Hashable, Sendable {
    /// A second one of the same id takes the first one's place.
    package let id: String
    package let push: Push
    package let title: String
    /// No longer than `notification.body_limit` characters.
    package let body: String
    /// Notifications of one thread are one group; nil for none.
    package let thread: String?
    package let category: String
    /// The buttons below it.
    package let actions: [String]
    /// What a group of them says; `{count}` is the phone's to fill in.
    package let summary: String?
    /// Whether one of the same id is the same notification.
    package let replacesEqual: Bool

    /// Whether it can be answered where it is.
    package let takesReply: Bool

    /// `partner` is what the app has heard that the partner is called; nil where only the conversation's id is known.
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

    /// The text, or its beginning and an ellipsis, which counts.
    private static func cut(_ text: String, to limit: Int64) -> String {
        let limit = Int(clamping: limit)
        return text.count <= limit ? text : String(text.prefix(max(limit - 1, 0))) + "…"
    }
}

/// What people call a conversation of which only the id is known.
enum DisplayName {
    /// The id's first part as a name: `stukov/adjutant` is `Stukov`, `anna_maria` is `Anna Maria`.
    static func of(_ id: String) -> String {
        let first = id.split(separator: "/").first.map(String.init) ?? id
        let words = first.split { $0 == "_" || $0 == "-" || $0 == "." }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }
}
