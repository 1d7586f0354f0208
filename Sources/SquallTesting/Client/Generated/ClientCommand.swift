// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

import Adapter
import SquallCore

/// An action of the user or the phone that the client carries out; `squall explain adapter` lists them.
public enum ClientCommand: Hashable, Sendable {
    /// The user opens a conversation.
    ///
    /// - Parameter conversation: The name of the conversation.
    case open(conversation: String)
    /// The user taps a failed message to send it again.
    ///
    /// - Parameters:
    ///   - clientMessageID: The message's id, from the client's `ok`.
    ///   - label: The label of the `send` step whose message is sent again.
    case retry(clientMessageID: String?, label: String)
    /// The user sends all failed messages again, in their order.
    case retryAll
    /// The user requests an immediate connection.
    case reconnect
    /// The user goes offline: the client closes its connection and opens none until the user reconnects.
    case disconnect
    /// The user refreshes the open conversation by pulling it down.
    case refresh
    /// The user dismisses the banner.
    case dismissBanner
    /// The user logs in at the captive portal and returns to the app.
    case portalLogin
    /// The user marks a conversation as read.
    ///
    /// - Parameter conversation: The name of the conversation.
    case markRead(conversation: String)
    /// The user runs a command on the server.
    ///
    /// - Parameter command: The command's text.
    case execute(command: String)
    /// The user stops the server's work on a conversation or a command.
    ///
    /// - Parameter target: The conversation, or the ID of the command, to stop.
    case stop(target: String)
    /// The user replaces the key.
    ///
    /// - Parameter key: The new key.
    case setKey(String)
    /// The app moves to the background.
    case background
    /// The app returns to the foreground.
    case foreground
    /// The phone's network is turned off or on. Squall itself disables or restores the network; the command is the
    /// notification that the operating system would send.
    ///
    /// - Parameter isReachable: Whether the phone has a network.
    case network(isReachable: Bool)
    /// The phone switches to another network; connections over the old network no longer work.
    case handoff
    /// The screen is locked; after a reboot the app's key cannot be read until the screen is unlocked.
    case lock
    /// The screen is unlocked.
    case unlock
    /// The app's process is killed; all state that is not on disk is lost. If `takes` lists `kill`, the adapter
    /// receives this command and must end its client immediately, without clean-up. Otherwise Squall kills the
    /// adapter's process and starts its command again. In both cases the next client has the same `state_dir`.
    case kill
    /// The user leaves the conversation and returns to the list.
    case leave
    /// The user signs in; another user who is signed in is signed out first.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - key: The user's key; default: the key in the profile.
    case signIn(user: String, key: String?)
    /// The user signs out.
    case signOut
    /// The user taps the button of the banner about disabled notifications, which leads to the phone's settings.
    case openSettings
    /// The user taps a notification, which starts the app if it is not running.
    case tap(PushedMessage)
    /// The user replies from a notification, without opening the app.
    ///
    /// - Parameters:
    ///   - text: The reply's text.
    ///   - label: The label of the message or file in the scenario.
    case reply(PushedMessage, text: String, label: String?)
    /// The phone's push service gives the app its token; from then on the phone receives the pushes sent to it.
    ///
    /// - Parameter token: The push token, which must be different for each phone.
    case token(String)
    /// The user allows or forbids notifications: first in reply to the app's request, later in the phone's settings.
    ///
    /// - Parameter isGranted: Whether the user allows notifications; by default, notifications are allowed.
    case permission(isGranted: Bool)
    /// A push reaches the phone while the app runs. The push is not delivered over the client's connections.
    case push(PushedMessage)
    /// The user scrolls the open conversation.
    ///
    /// - Parameter to: The message to show first; `start` for the oldest loaded message, `end` for the end of the list.
    case scroll(to: String)
    /// The user taps the control above the oldest message.
    case loadEarlier
    /// The user copies a suggestion of an empty conversation into the input field.
    ///
    /// - Parameter number: The number of the suggestion, from 1.
    case takeSuggestion(Int)
    /// The user taps a quoted message, which is then shown first; older pages are loaded until it is found.
    ///
    /// - Parameter message: The quoted message.
    case jump(message: String)
    /// The user opens the list of conversations.
    case openList
    /// A conversation's view appears on the screen; opening a conversation implies it.
    ///
    /// - Parameter conversation: The name of the conversation.
    case appear(conversation: String)
    /// A conversation's view leaves the screen, possibly after the next one has appeared.
    ///
    /// - Parameter conversation: The name of the conversation.
    case disappear(conversation: String)

    /// The commands by their names in the adapter protocol.
    public enum Verb: String, Hashable, Sendable, CaseIterable {
        case open
        case send
        case retry
        case retryAll = "retry_all"
        case reconnect
        case disconnect
        case refresh
        case dismissBanner = "dismiss_banner"
        case portalLogin = "portal_login"
        case markRead = "mark_read"
        case execute
        case stop
        case setKey = "set_key"
        case background
        case foreground
        case network
        case handoff
        case lock
        case unlock
        case kill
        case leave
        case signIn = "sign_in"
        case signOut = "sign_out"
        case openSettings = "open_settings"
        case tap
        case reply
        case token
        case permission
        case push
        case scroll
        case loadEarlier = "load_earlier"
        case takeSuggestion = "take_suggestion"
        case jump
        case openList = "open_list"
        case appear
        case disappear
    }

    /// Parses an adapter command; nil if its verb is unknown or a field is missing.
    init?(_ command: AdapterCommand) {
        switch Verb(rawValue: command.type) {
        case .open:
            guard let conversation = command.text("conversation") else { return nil }
            self = .open(conversation: conversation)
        case .retry:
            guard let label = command.text("label") else { return nil }
            self = .retry(clientMessageID: command.text("client_message_id"), label: label)
        case .retryAll: self = .retryAll
        case .reconnect: self = .reconnect
        case .disconnect: self = .disconnect
        case .refresh: self = .refresh
        case .dismissBanner: self = .dismissBanner
        case .portalLogin: self = .portalLogin
        case .markRead:
            guard let conversation = command.text("conversation") else { return nil }
            self = .markRead(conversation: conversation)
        case .execute:
            guard let command = command.text("command") else { return nil }
            self = .execute(command: command)
        case .stop:
            guard let target = command.text("target") else { return nil }
            self = .stop(target: target)
        case .setKey:
            guard let key = command.text("key") else { return nil }
            self = .setKey(key)
        case .background: self = .background
        case .foreground: self = .foreground
        case .network:
            guard let state = command.text("state") else { return nil }
            self = .network(isReachable: state == "on")
        case .handoff: self = .handoff
        case .lock: self = .lock
        case .unlock: self = .unlock
        case .kill: self = .kill
        case .leave: self = .leave
        case .signIn:
            guard let user = command.text("user") else { return nil }
            self = .signIn(user: user, key: command.text("key"))
        case .signOut: self = .signOut
        case .openSettings: self = .openSettings
        case .tap:
            guard let push = PushedMessage(command) else { return nil }
            self = .tap(push)
        case .reply:
            guard let push = PushedMessage(command), let reply = command.text("reply") else { return nil }
            self = .reply(push, text: reply, label: command.text("label"))
        case .token:
            guard let token = command.text("token") else { return nil }
            self = .token(token)
        case .permission:
            guard let notifications = command.text("notifications") else { return nil }
            self = .permission(isGranted: notifications == "granted")
        case .push:
            guard let push = PushedMessage(command) else { return nil }
            self = .push(push)
        case .scroll:
            guard let to = command.text("to") else { return nil }
            self = .scroll(to: to)
        case .loadEarlier: self = .loadEarlier
        case .takeSuggestion:
            guard let number = command[field: "number"]?.intValue.flatMap({ Int(exactly: $0) }) else { return nil }
            self = .takeSuggestion(number)
        case .jump:
            guard let message = command.text("message") else { return nil }
            self = .jump(message: message)
        case .openList: self = .openList
        case .appear:
            guard let conversation = command.text("conversation") else { return nil }
            self = .appear(conversation: conversation)
        case .disappear:
            guard let conversation = command.text("conversation") else { return nil }
            self = .disappear(conversation: conversation)
        // `ClientUnderTest.send(_:)` takes `send`.
        case .send, nil: return nil
        }
    }
}
