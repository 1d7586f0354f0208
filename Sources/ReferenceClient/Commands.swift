package import ChatWire
package import SquallCore

extension ClientCommand {
    /// The actions of user and device, as scenario files write them.
    package static let actions: [ActionEntry] = main + phone

    private static let main: [ActionEntry] = [
        ActionEntry(
            .user,
            "open",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "opens a conversation"
        ),
        ActionEntry(
            .user,
            "send",
            main: "text",
            takesLabel: true,
            [
                Parameter("text", .text, required: true, "the message's text"),
                Parameter("to", .text, "the conversation; the open one by default"),
            ],
            "sends a message"
        ),
        ActionEntry(
            .user,
            "share",
            main: "file",
            takesLabel: true,
            [
                Parameter("file", .text, required: true, "the file's name"),
                Parameter("bytes", .integer(0...16_777_216), required: true, "the size in bytes"),
            ],
            "shares a file, which the client uploads; if the app is not running, after its next start"
        ),
        ActionEntry(
            .user,
            "retry",
            main: "message",
            [Parameter("message", .label, required: true, "the label of a send")],
            "taps a failed message to send it again"
        ),
        ActionEntry(.user, "retry_all", [], "sends all failed messages again, in their order"),
        ActionEntry(.user, "reconnect", [], "asks for a connection now"),
        ActionEntry(
            .user,
            "disconnect",
            [],
            "closes the connection and opens none until the user reconnects"
        ),
        ActionEntry(.user, "refresh", [], "refreshes the open conversation by pulling it down"),
        ActionEntry(.user, "dismiss_banner", [], "dismisses the banner"),
        ActionEntry(.user, "portal_login", [], "logs in at the captive portal and returns to the app"),
        ActionEntry(
            .user,
            "mark_read",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "marks a conversation as read"
        ),
        ActionEntry(
            .user,
            "execute",
            main: "command",
            [Parameter("command", .text, required: true, "the command's text")],
            "runs a command on the server"
        ),
        ActionEntry(
            .user,
            "stop",
            main: "id",
            [Parameter("id", .text, required: true, "a conversation, or the id of a command")],
            "stops the server's work on a conversation or a command"
        ),
        ActionEntry(
            .user,
            "set_key",
            main: "key",
            [Parameter("key", .text, required: true, "the new credential")],
            "replaces the key"
        ),
        ActionEntry(.device, "start", [], "starts the app after a kill"),
        ActionEntry(.device, "background", [], "moves the app to the background"),
        ActionEntry(.device, "foreground", [], "brings the app back to the foreground"),
        ActionEntry(
            .device,
            "suspend",
            main: "for",
            [
                Parameter("for", .duration, required: true, "how long the process is suspended"),
                Parameter(
                    "wake",
                    .word(WakeOrder.allCases.map(\.rawValue)),
                    "what runs first when it resumes; timers_first by default"
                ),
            ],
            "suspends the process while time goes on"
        ),
        ActionEntry(
            .device,
            "network",
            main: "state",
            [Parameter("state", .word(["on", "off"]), required: true, "whether the phone has a network")],
            "turns the phone's network off or on"
        ),
        ActionEntry(.device, "handoff", [], "switches to another network; connections over the old one are dead"),
        ActionEntry(
            .device,
            "kill",
            [Parameter("down", .duration, "the time until the app starts again; without it the app stays ended")],
            "kills the process; whatever was not on disk is lost"
        ),
        ActionEntry(
            .device,
            "reboot",
            [Parameter("down", .duration, "the time until the app starts again; without it the app stays ended")],
            "restarts the phone: kills the process and what the phone was doing for the app"
        ),
        ActionEntry(
            .user,
            "scroll",
            main: "to",
            [
                Parameter(
                    "to",
                    .label,
                    required: true,
                    "the label of the message to show first; start for the oldest loaded one, end for the list's end"
                )
            ],
            "scrolls the open conversation"
        ),
        ActionEntry(.user, "load_earlier", [], "taps the control above the oldest message"),
        ActionEntry(
            .user,
            "take_suggestion",
            main: "number",
            [Parameter("number", .integer(1...1_000), required: true, "the number of the suggestion, from 1")],
            "copies a suggestion of an empty conversation into the input field"
        ),
        ActionEntry(
            .user,
            "jump",
            main: "message",
            [Parameter("message", .label, required: true, "the label of a send or a post")],
            "taps a quoted message, which is then shown first; older pages are loaded until it is found"
        ),
        ActionEntry(
            .user,
            "attach",
            main: "file",
            [
                Parameter("file", .text, required: true, "the image's file name"),
                Parameter("bytes", .integer(0...16_777_216), required: true, "the size in bytes"),
                Parameter(
                    "from",
                    .word(ChosenImage.Source.allCases.map(\.rawValue)),
                    "the image's source; library by default"
                ),
                Parameter("width", .integer(1...65_535), "the width in pixels; 1200 by default"),
                Parameter("height", .integer(1...65_535), "the height in pixels; 900 by default"),
                Parameter("to", .text, "the conversation; the open one by default"),
            ],
            "takes or picks an image, which the preview then shows"
        ),
        ActionEntry(.user, "cancel_image", [], "closes the preview; the image is not sent"),
        ActionEntry(.user, "send_image", takesLabel: true, [], "sends the image in the preview"),
        ActionEntry(
            .user,
            "delete",
            main: "message",
            [
                Parameter("message", .label, required: true, "the label of the message"),
                Parameter(
                    "through",
                    .label,
                    "the label of the last message, to select a range; those that cannot be deleted are left out"
                ),
            ],
            "chooses delete in a message's menu; the client asks for confirmation"
        ),
        ActionEntry(.user, "confirm_delete", [], "confirms the deletion"),
        ActionEntry(.user, "cancel_delete", [], "cancels the deletion"),
        ActionEntry(
            .user,
            "undo",
            main: "message",
            [Parameter("message", .label, required: true, "the label of the message")],
            "undoes the deletion of a message"
        ),
        ActionEntry(.user, "open_list", [], "opens the list of conversations"),
        ActionEntry(
            .user,
            "see",
            main: "message",
            [Parameter("message", .label, required: true, "the label of a send or post")],
            "scrolls a message of the open conversation to the screen's lower edge"
        ),
        ActionEntry(
            .user,
            "long_press",
            main: "message",
            [Parameter("message", .label, required: true, "the label of a send or post")],
            "long-presses a message, which shows its exact time and its menu"
        ),
        ActionEntry(
            .user,
            "forge_reading",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "the conversation"),
                Parameter("of", .text, required: true, "the user to be recorded as the reader"),
            ],
            "sends a forged request that marks a conversation as read by another user"
        ),
        ActionEntry(
            .device,
            "appear",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "reports that a conversation's view has appeared; opening a conversation reports it, too"
        ),
        ActionEntry(
            .device,
            "disappear",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "reports that a conversation's view has disappeared, perhaps late"
        ),
    ]

    /// Creates the command for an action; nil if the verb is not in ``actions`` or the arguments do not fit it.
    package init?(actor: Actor, verb: String, arguments: Arguments) {
        switch (actor, verb) {
        case (.user, "open"):
            guard let conversation = arguments.text("conversation") else { return nil }
            self = .open(conversation: conversation)
        case (.user, "send"):
            guard let text = arguments.text("text") else { return nil }
            self = .send(conversation: arguments.text("to"), text: text, label: arguments.label)
        case (.user, "share"):
            guard let file = arguments.text("file"), let bytes = arguments.integer("bytes") else { return nil }
            self = .share(file: file, bytes: bytes, label: arguments.label)
        case (.user, "retry"):
            guard let label = arguments.text("message") else { return nil }
            self = .retry(label: label)
        case (.user, "retry_all"): self = .retryAll
        case (.user, "reconnect"): self = .reconnect
        case (.user, "disconnect"): self = .disconnect
        case (.user, "refresh"): self = .refresh
        case (.user, "dismiss_banner"): self = .dismissBanner
        case (.user, "portal_login"): self = .portalLogin
        case (.user, "mark_read"):
            guard let conversation = arguments.text("conversation") else { return nil }
            self = .markRead(conversation: conversation)
        case (.user, "execute"):
            guard let command = arguments.text("command") else { return nil }
            self = .execute(command)
        case (.user, "stop"):
            guard let id = arguments.text("id") else { return nil }
            self = .stop(id: id)
        case (.user, "set_key"):
            guard let key = arguments.text("key") else { return nil }
            self = .setKey(key)
        case (.device, "start"): self = .start
        case (.device, "background"): self = .background
        case (.device, "foreground"): self = .foreground
        case (.device, "suspend"):
            guard let span = arguments.duration("for") else { return nil }
            let wake = arguments.text("wake").map { WakeOrder(rawValue: $0) } ?? .timersFirst
            guard let wake else { return nil }
            self = .suspend(span, wake: wake)
        case (.device, "network"):
            guard let state = arguments.text("state"), ["on", "off"].contains(state) else { return nil }
            self = .network(reachable: state == "on")
        case (.device, "handoff"): self = .handoff
        case (.device, "kill"): self = .kill(down: arguments.duration("down"))
        case (.device, "reboot"): self = .reboot(down: arguments.duration("down"))
        case (.user, "attach"):
            guard let file = arguments.text("file"), let bytes = arguments.integer("bytes") else { return nil }
            let source = arguments.text("from").map { ChosenImage.Source(rawValue: $0) } ?? .library
            guard let source else { return nil }
            self = .attach(
                ChosenImage(
                    file: file,
                    source: source,
                    bytes: bytes,
                    width: arguments.integer("width") ?? 1200,
                    height: arguments.integer("height") ?? 900,
                    conversation: arguments.text("to")
                )
            )
        case (.user, "cancel_image"): self = .cancelImage
        case (.user, "send_image"): self = .sendImage(label: arguments.label)
        case (.user, "delete"):
            guard let label = arguments.text("message") else { return nil }
            self = .delete(message: label, through: arguments.text("through"))
        case (.user, "confirm_delete"): self = .confirmDelete
        case (.user, "cancel_delete"): self = .cancelDelete
        case (.user, "undo"):
            guard let label = arguments.text("message") else { return nil }
            self = .undo(message: label)
        case (.user, "scroll"):
            guard let target = arguments.text("to") else { return nil }
            self = .scroll(to: ScrollTarget(word: target))
        case (.user, "load_earlier"): self = .loadEarlier
        case (.user, "take_suggestion"):
            guard let number = arguments.integer("number") else { return nil }
            self = .takeSuggestion(number)
        case (.user, "jump"):
            guard let message = arguments.text("message") else { return nil }
            self = .jump(message: message)
        case (.user, "open_list"): self = .openList
        case (.user, "see"):
            guard let message = arguments.text("message") else { return nil }
            self = .see(message: message)
        case (.user, "long_press"):
            guard let message = arguments.text("message") else { return nil }
            self = .longPress(message: message)
        case (.user, "forge_reading"):
            guard let conversation = arguments.text("conversation"), let user = arguments.text("of") else { return nil }
            self = .forgeReading(conversation: conversation, user: user)
        case (.device, "appear"):
            guard let conversation = arguments.text("conversation") else { return nil }
            self = .appear(conversation: conversation)
        case (.device, "disappear"):
            guard let conversation = arguments.text("conversation") else { return nil }
            self = .disappear(conversation: conversation)
        default:
            guard let command = ClientCommand.phone(actor, verb, arguments) else { return nil }
            self = command
        }
    }
}
