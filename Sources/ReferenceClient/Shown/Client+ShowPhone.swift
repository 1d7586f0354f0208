import ChatWire
import SquallCore

// Reports the account, notifications and deep links. The observables of each feature are not reported until the feature
// has been used.

extension Client {
    mutating func showPhone(_ step: inout Step) {
        if appState.isUsed {
            display.show("app.viewing", appState.viewing, &step)
            display.show("app.user", appState.user, &step)
            display.show("app.signing_out", .bool(account.isLeaving), &step)
        }
        if pushToken.isKnown { display.show("push_token.state", pushToken.state.rawValue, &step) }
        if let permission = notifications.state { showPermission(permission.rawValue, &step) }
        if deepLink.isUsed {
            display.show("deep_link.pending", deepLink.pending?.conversation, &step)
            display.show("deep_link.error", deepLink.failure?.kind.rawValue, &step)
            display.show("deep_link.text", deepLink.failure?.text, &step)
        }
        display.showOnceSet("highlight.target", highlight.target, &step)
    }

    /// Reports the state of the messages and uploads that wait on disk for a user who has signed out.
    mutating func showWaitingEntries(_ step: inout Step) {
        for entry in outbox.waiting {
            display.show("message.status", key: entry.key, MessageLook(entry, rules).status.rawValue, &step)
            // Only the signed-in user's messages are on the screen, so the others have no icon.
            display.show("message.icon", key: entry.key, .null, &step)
        }
        for entry in uploads.waiting where !entry.isImage {
            display.show("upload.state", key: entry.key, UploadState(entry.status).rawValue, &step)
        }
    }

    private mutating func showPermission(_ state: String, _ step: inout Step) {
        let banner = notifications.banner
        display.show("permission.state", state, &step)
        display.show("permission.banner_text", banner?.text, &step)
        display.show("permission.banner_action", banner?.action, &step)
        display.show("permission.banner_tone", banner?.tone.rawValue, &step)
        display.show("permission.banner_icon", banner?.icon, &step)
        display.show("permission.banner_label", banner?.label, &step)
    }
}
