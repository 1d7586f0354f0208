/// The conversation that the user is looking at, which determines which messages count as seen.
struct ViewFocus {
    /// The open conversation; nil if none is open.
    let conversation: String?
    /// Whether the app is in the foreground.
    let isInForeground: Bool
}

extension Client {
    var focus: ViewFocus { ViewFocus(conversation: conversations.open, isInForeground: appState.isInForeground) }
}
