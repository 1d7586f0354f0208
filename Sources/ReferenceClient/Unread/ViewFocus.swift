/// Where the user looks: what is seen, and so read, is asked of it.
struct ViewFocus {
    /// The conversation that the user has chosen; nil for none.
    let conversation: String?
    /// Whether the app is on the screen.
    let isInForeground: Bool
}

extension Client {
    var focus: ViewFocus { ViewFocus(conversation: conversations.open, isInForeground: appState.isInForeground) }
}
