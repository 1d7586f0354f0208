/// Where the user looks: what is seen, and so read, is asked of it.
struct Gaze {
    /// The conversation that the user has chosen; nil for none.
    let conversation: String?
    /// Whether the app is on the screen.
    let isInForeground: Bool
}

extension Client {
    var gaze: Gaze { Gaze(conversation: conversations.open, isInForeground: appState.isInForeground) }
}
