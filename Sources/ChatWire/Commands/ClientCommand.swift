package import SquallCore

/// A command from the user or the phone to a chat client. ``declarations`` describes every command.
package enum ClientCommand: Hashable, Sendable {
    // Commands from the user.
    case open(conversation: String)
    case send(conversation: String?, text: String, label: String?)
    case share(file: String, bytes: Int64, label: String?)
    indirect case shareMessage(SharedDraft, label: String?)
    case retry(label: String)
    case retryAll
    case reconnect
    case disconnect
    case refresh
    case dismissBanner
    case portalLogin
    case markRead(conversation: String)
    case execute(String)
    case say(text: String)
    case stop(id: String)
    case setKey(String)
    // Commands from the phone.
    case start
    case background
    case foreground
    case suspend(TimeSpan, wake: WakeOrder)
    case network(reachable: Bool)
    case handoff
    case lock
    case unlock
    case disk(isFull: Bool)
    case killExtension
    case kill(down: TimeSpan?)
    case reboot(down: TimeSpan?)
    // Commands for the account and notifications. `push` is issued only by Squall itself, never by a scenario.
    case leave
    case signIn(user: String, key: String?)
    case signOut
    case openSettings
    indirect case tap(label: String?, push: Push?)
    indirect case reply(to: String?, text: String, label: String?, push: Push?)
    case token(String)
    case permission(PushPermission)
    case answerPrompt(PushPermission)
    indirect case push(Push)
    // Commands for the open conversation and the conversation list. `message` is the message's label in scenarios;
    // clients receive its ID instead.
    case scroll(to: ScrollTarget)
    case loadEarlier
    case takeSuggestion(Int64)
    case jump(message: String)
    case openList
    case see(message: String)
    case longPress(message: String)
    case forgeReading(conversation: String, user: String)
    case appear(conversation: String)
    case disappear(conversation: String)
    // Commands for images and deletions
    case attach(ChosenImage)
    case cancelImage
    case sendImage(label: String?)
    case delete(message: String, through: String? = nil)
    case confirmDelete
    case cancelDelete
    case undo(message: String)
}

extension ClientCommand {
    /// The command's verb and argument values, in declaration order.
    package var call: CommandCall {
        switch self {
        case .open(let conversation): CommandCall("open", conversation)
        case .send(let conversation, let text, let label): CommandCall("send", conversation, text, label)
        case .share(let file, let bytes, let label): CommandCall("share", file, bytes, label)
        case .shareMessage(let draft, let label):
            CommandCall("share_message", draft.conversation, draft.text, draft.file, draft.bytes, label)
        case .retry(let label): CommandCall("retry", label)
        case .retryAll: CommandCall("retry_all")
        case .reconnect: CommandCall("reconnect")
        case .disconnect: CommandCall("disconnect")
        case .refresh: CommandCall("refresh")
        case .dismissBanner: CommandCall("dismiss_banner")
        case .portalLogin: CommandCall("portal_login")
        case .markRead(let conversation): CommandCall("mark_read", conversation)
        case .execute(let text): CommandCall("execute", text)
        case .say(let text): CommandCall("say", text)
        case .stop(let id): CommandCall("stop", id)
        case .setKey(let key): CommandCall("set_key", key)
        case .start: CommandCall("start")
        case .background: CommandCall("background")
        case .foreground: CommandCall("foreground")
        case .suspend(let span, let order): CommandCall("suspend", span, order)
        case .network(let reachable): CommandCall("network", reachable ? NetworkState.on : .off)
        case .handoff: CommandCall("handoff")
        case .lock: CommandCall("lock")
        case .unlock: CommandCall("unlock")
        case .disk(let isFull): CommandCall("disk", isFull ? DiskState.full : .free)
        case .killExtension: CommandCall("kill_extension")
        case .kill(let down): CommandCall("kill", down)
        case .reboot(let down): CommandCall("reboot", down)
        case .leave: CommandCall("leave")
        case .signIn(let user, let key): CommandCall("sign_in", user, key)
        case .signOut: CommandCall("sign_out")
        case .openSettings: CommandCall("open_settings")
        case .tap(let label, _): CommandCall("tap", label)
        case .reply(let label, let text, let name, _): CommandCall("reply", text, name, label)
        case .token(let token): CommandCall("token", token)
        case .permission(let permission): CommandCall("permission", permission)
        case .answerPrompt(let permission): CommandCall("answer_prompt", permission)
        case .push: CommandCall("push")
        case .scroll(let target): CommandCall("scroll", target.word)
        case .loadEarlier: CommandCall("load_earlier")
        case .takeSuggestion(let number): CommandCall("take_suggestion", number)
        case .jump(let message): CommandCall("jump", message)
        case .openList: CommandCall("open_list")
        case .see(let message): CommandCall("see", message)
        case .longPress(let message): CommandCall("long_press", message)
        case .forgeReading(let conversation, let user): CommandCall("forge_reading", conversation, user)
        case .appear(let conversation): CommandCall("appear", conversation)
        case .disappear(let conversation): CommandCall("disappear", conversation)
        case .attach(let image):
            CommandCall(
                "attach",
                image.file,
                image.bytes,
                image.source,
                image.width,
                image.height,
                image.conversation
            )
        case .cancelImage: CommandCall("cancel_image")
        case .sendImage(let label): CommandCall("send_image", label)
        case .delete(let message, let last): CommandCall("delete", message, last)
        case .confirmDelete: CommandCall("confirm_delete")
        case .cancelDelete: CommandCall("cancel_delete")
        case .undo(let message): CommandCall("undo", message)
        }
    }

    /// The declarations of all commands.
    package static let declarations = sending + account + reading + images + sharing

    private static let sending: [CommandDeclaration] = [
        .init(
            .user,
            "open",
            "The user opens a conversation.",
            affects: ["read_receipt", "mark_read", "unread", "requested.messages"],
            conversation
        ) { .open(conversation: $0) },
        .init(
            .user,
            "send",
            "The user sends a message.",
            note:
                "`ok` means that the client has accepted the message, not that it has arrived: answer before waiting "
                + "for the network, with the message's `client_message_id`.",
            affects: messageNames,
            optionalText(
                "to",
                field: "conversation",
                example: "stukov",
                "The conversation; the open one by default."
            ),
            text("text", example: "hello", "The message's text."),
            name(example: "hello")
        ) { .send(conversation: $0, text: $1, label: $2) },
        .init(
            .user,
            "share",
            "The user shares a file, which the client uploads; if the app is not running, after its next start.",
            adapter: nil,
            affects: uploadNames,
            text("file", example: "cat.jpg", "The file's name."),
            integer("bytes", in: 0...16_777_216, "The size in bytes."),
            name(example: "cat")
        ) { .share(file: $0, bytes: $1, label: $2) },
        .init(
            .user,
            "retry",
            "The user taps a failed message to send it again.",
            fills: [.clientMessageID],
            label(
                "message",
                field: "label",
                example: "hello",
                "The label of the `send` step whose message is sent again."
            )
        ) { .retry(label: $0) },
        .init(.user, "retry_all", "The user sends all failed messages again, in their order.") { .retryAll },
        .init(.user, "reconnect", "The user requests an immediate connection.") { .reconnect },
        .init(
            .user,
            "disconnect",
            "The user goes offline: the client closes its connection and opens none until the user reconnects.",
            signedOut: true
        ) { .disconnect },
        .init(.user, "refresh", "The user refreshes the open conversation by pulling it down.") { .refresh },
        .init(
            .user,
            "dismiss_banner",
            "The user dismisses the banner.",
            signedOut: true,
            affects: ["banner.kind", "banner.text", "banner.tone"]
        ) { .dismissBanner },
        .init(
            .user,
            "portal_login",
            "The user logs in at the captive portal and returns to the app.",
            signedOut: true
        ) { .portalLogin },
        .init(
            .user,
            "mark_read",
            "The user marks a conversation as read.",
            affects: ["read_receipt", "mark_read", "unread"],
            conversation
        ) { .markRead(conversation: $0) },
        .init(
            .user,
            "execute",
            "The user runs a command on the server.",
            text("command", example: "make test", "The command's text.")
        ) { .execute($0) },
        .init(
            .user,
            "say",
            "The client sends a WebSocket text message with any content, as clients of unknown protocols do.",
            adapter: nil,
            affects: [],
            text("text", example: "{\"type\":\"hello\"}", "The message's text.")
        ) { .say(text: $0) },
        .init(
            .user,
            "stop",
            "The user stops the server's work on a conversation or a command.",
            text("id", field: "target", example: "stukov", "The conversation, or the ID of the command, to stop.")
        ) { .stop(id: $0) },
        .init(
            .user,
            "set_key",
            "The user replaces the key.",
            text("key", example: "key-2", "The new key.")
        ) { .setKey($0) },
        .init(
            .device,
            "start",
            "The app starts, for the first time or after a kill, and connects from now on.",
            signedOut: true
        ) { .start },
        .init(.device, "background", "The app moves to the background.", adapter: .device, signedOut: true) {
            .background
        },
        .init(.device, "foreground", "The app returns to the foreground.", adapter: .device, signedOut: true) {
            .foreground
        },
        .init(
            .device,
            "suspend",
            "The process is suspended while time goes on.",
            adapter: nil,
            signedOut: true,
            duration("for", "How long the process is suspended."),
            word("wake", of: WakeOrder.self, default: .timersFirst, "What runs first when it resumes.")
        ) { .suspend($0, wake: $1) },
        .init(
            .device,
            "network",
            "The phone's network is turned off or on.",
            adapter: .device,
            note:
                "Squall itself disables or restores the network; the command is the notification that the operating "
                + "system would send.",
            signedOut: true,
            word("state", of: NetworkState.self, "Whether the phone has a network.")
        ) { .network(reachable: $0 == .on) },
        .init(
            .device,
            "handoff",
            "The phone switches to another network; connections over the old network no longer work.",
            adapter: .device,
            signedOut: true
        ) { .handoff },
        .init(
            .device,
            "lock",
            "The screen is locked; after a reboot the app's key cannot be read until the screen is unlocked.",
            adapter: .device,
            signedOut: true
        ) { .lock },
        .init(.device, "unlock", "The screen is unlocked.", adapter: .device, signedOut: true) { .unlock },
        .init(
            .device,
            "disk",
            "The phone's storage is full, so that every write of the app fails, or it has room again.",
            adapter: nil,
            signedOut: true,
            word("state", of: DiskState.self, "Whether the storage has room.")
        ) { .disk(isFull: $0 == .full) },
        .init(
            .device,
            "kill",
            "The app's process is killed; all state that is not on disk is lost.",
            adapter: .device,
            note:
                "If `takes` lists `kill`, the adapter receives this command and must end its client immediately, "
                + "without "
                + "clean-up. Otherwise Squall kills the adapter's process and starts its command again. In both cases "
                + "the next client has the same `state_dir`.",
            signedOut: true,
            down
        ) { .kill(down: $0) },
        .init(
            .device,
            "reboot",
            "The phone restarts: the process is killed, and what the phone was doing for the app ends.",
            adapter: nil,
            signedOut: true,
            down
        ) { .reboot(down: $0) },
    ]
}
