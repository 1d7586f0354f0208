import Adapter
import SquallCore

/// A command of a scenario for the user or the phone; `squall explain adapter` documents each.
public enum ClientCommand: Hashable, Sendable {
    /// The user opens a conversation.
    case open(conversation: String)
    /// The user sends a failed message again, by the id that ``ClientUnderTest/send(_:)`` gave it.
    case retry(clientMessageID: String?, label: String)
    /// The user sends all failed messages again, in their order.
    case retryAll
    /// The user asks for a connection now.
    case reconnect
    /// The user goes offline: the client closes its connection and does not reconnect until `reconnect`.
    case disconnect
    /// The user refreshes the open conversation by pulling it down.
    case refresh
    case dismissBanner
    /// The user has logged in at the captive portal.
    case portalLogin
    case markRead(conversation: String)
    /// The user makes the server run a command.
    case execute(command: String)
    /// The user stops a prompt or a command that the server works on: a conversation, or a command's id.
    case stop(target: String)
    /// The user enters another credential.
    case setKey(String)
    /// The app leaves the screen.
    case background
    case foreground
    /// The system reports whether there is a network. Squall itself disables or restores the network.
    case network(isReachable: Bool)
    /// The system reports that the phone has switched to another network.
    case handoff
    /// The user goes from the conversation back to the list.
    case leave
    /// The user signs in; another signed-in user is signed out first. Without a key, that of ``ServerAddresses`` is
    /// used.
    case signIn(user: String, key: String?)
    case signOut
    /// The user taps the button that leads to the phone's settings for this app.
    case openSettings
    /// The phone's push service has given the app its token.
    case token(String)
    /// The user has allowed or forbidden notifications.
    case permission(isGranted: Bool)
    /// A push has reached the phone while the app runs.
    case push(PushedMessage)
    /// The user has tapped the notification of a push.
    case tap(PushedMessage)
    /// The user has replied from the notification of a push, without opening the app.
    case reply(PushedMessage, text: String, label: String?)
    /// The client ends at once: it closes its connections without any clean-up. This is the last command of the
    /// instance; another instance starts after it, with the same ``ServerAddresses/stateFolder``.
    case kill
    /// The user scrolls the open conversation: to its `start`, its `end`, or a message by its id.
    case scroll(to: String)
    /// The user taps the control above the oldest message.
    case loadEarlier
    /// The user taps one of the suggested messages of an empty conversation, counted from 1.
    case takeSuggestion(Int)
    /// The user taps a quotation: the quoted message, given by its id, becomes the first visible one, however far back
    /// it is.
    case jump(message: String)
    /// The user opens the list of conversations.
    case openList
    /// A conversation's view has appeared on the screen, or has left it, possibly after the next one has appeared.
    case appear(conversation: String)
    case disappear(conversation: String)

    /// The commands by their names in the adapter protocol.
    public enum Verb: String, Hashable, Sendable, CaseIterable {
        case open, send, retry, reconnect, disconnect, refresh, execute, stop, background, foreground, network, handoff,
            kill
        case retryAll = "retry_all"
        case dismissBanner = "dismiss_banner"
        case portalLogin = "portal_login"
        case markRead = "mark_read"
        case setKey = "set_key"
        case leave, token, permission, push, tap, reply
        case signIn = "sign_in"
        case signOut = "sign_out"
        case openSettings = "open_settings"
        case scroll, jump
        case loadEarlier = "load_earlier"
        case takeSuggestion = "take_suggestion"
        case openList = "open_list"
        case appear, disappear
    }

    /// Reads a command; nil if it is unknown or lacks a field.
    init?(_ command: AdapterCommand) {
        guard let verb = Verb(rawValue: command.type) else { return nil }
        func needing(_ field: String, _ make: (String) -> ClientCommand) -> ClientCommand? {
            command.text(field).map(make)
        }
        let made: ClientCommand? =
            switch verb {
            case .open: needing("conversation") { .open(conversation: $0) }
            // ``ClientUnderTest/send(_:)`` takes it.
            case .send: nil
            case .retry: needing("label") { .retry(clientMessageID: command.text("client_message_id"), label: $0) }
            case .retryAll: .retryAll
            case .reconnect: .reconnect
            case .disconnect: .disconnect
            case .refresh: .refresh
            case .dismissBanner: .dismissBanner
            case .portalLogin: .portalLogin
            case .markRead: needing("conversation") { .markRead(conversation: $0) }
            case .execute: needing("command") { .execute(command: $0) }
            case .stop: needing("target") { .stop(target: $0) }
            case .setKey: needing("key") { .setKey($0) }
            case .background: .background
            case .foreground: .foreground
            case .network: needing("state") { .network(isReachable: $0 == "on") }
            case .handoff: .handoff
            case .kill: .kill
            case .leave: .leave
            case .signIn: needing("user") { .signIn(user: $0, key: command.text("key")) }
            case .signOut: .signOut
            case .openSettings: .openSettings
            case .token: needing("token") { .token($0) }
            case .permission: needing("notifications") { .permission(isGranted: $0 == "granted") }
            case .push: PushedMessage(command).map { .push($0) }
            case .tap: PushedMessage(command).map { .tap($0) }
            case .reply:
                PushedMessage(command).flatMap { message in
                    needing("reply") { .reply(message, text: $0, label: command.text("label")) }
                }
            case .scroll: needing("to") { .scroll(to: $0) }
            case .loadEarlier: .loadEarlier
            case .jump: needing("message") { .jump(message: $0) }
            case .takeSuggestion:
                command[field: "number"]?.intValue.flatMap { Int(exactly: $0) }.map { .takeSuggestion($0) }
            case .openList: .openList
            case .appear: needing("conversation") { .appear(conversation: $0) }
            case .disappear: needing("conversation") { .disappear(conversation: $0) }
            }
        guard let made else { return nil }
        self = made
    }
}
