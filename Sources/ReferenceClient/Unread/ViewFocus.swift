/// The conversation that the user is looking at, which determines which messages count as seen.
struct ViewFocus {
    /// The open conversation; nil if none is open.
    let conversation: String?
    /// Whether the app is in the foreground.
    let isInForeground: Bool
}

extension Client {
    /// While the client looks up the conversation of a tapped notification, the user is about to leave the one that is
    /// open, so no conversation counts as in view.
    var focus: ViewFocus {
        ViewFocus(
            conversation: deepLink.isLooking ? nil : conversations.open,
            isInForeground: appState.isInForeground
        )
    }

    /// Handles the response to the request for a conversation; `status` is nil if there is none. If the request has
    /// failed, the user stays in the conversation that is open.
    mutating func lookedUp(_ conversation: String, status: Int?, _ step: inout Step) {
        let wasLooking = deepLink.isLooking
        deepLink.answered(conversation, status: status, &step)
        if wasLooking, deepLink.failure != nil, focus.isInForeground { unread.foreground(focus, &step) }
    }
}
