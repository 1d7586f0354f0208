package import ChatWire
package import SquallCore

extension ClientCommand {
    /// What user and device can be told to do, as scenario files write it.
    package static let actions: [ActionEntry] = main + phone

    private static let main: [ActionEntry] = [
        ActionEntry(
            .user,
            "open",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "which one")],
            "looks at a conversation"
        ),
        ActionEntry(
            .user,
            "send",
            main: "text",
            takesLabel: true,
            [
                Parameter("text", .text, required: true, "what it says"),
                Parameter("to", .text, "the conversation; the open one where none is named"),
            ],
            "sends a message"
        ),
        ActionEntry(
            .user,
            "share",
            main: "file",
            takesLabel: true,
            [
                Parameter("file", .text, required: true, "what the user calls it"),
                Parameter("bytes", .integer(0...16_777_216), required: true, "how large it is"),
            ],
            "shares a file, which the client uploads; where the app does not run, when it does"
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
            "leaves: closes the connection, and wants none until it is asked for again"
        ),
        ActionEntry(.user, "refresh", [], "pulls the open conversation to refresh it"),
        ActionEntry(.user, "dismiss_banner", [], "puts the banner away"),
        ActionEntry(.user, "portal_login", [], "goes through the captive portal's login and comes back"),
        ActionEntry(
            .user,
            "mark_read",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "which one")],
            "has read a conversation"
        ),
        ActionEntry(
            .user,
            "execute",
            main: "command",
            [Parameter("command", .text, required: true, "what is run")],
            "has the server run a command"
        ),
        ActionEntry(
            .user,
            "stop",
            main: "id",
            [Parameter("id", .text, required: true, "a conversation, or the id of a command")],
            "stops what the server works on there"
        ),
        ActionEntry(
            .user,
            "set_key",
            main: "key",
            [Parameter("key", .text, required: true, "the new credential")],
            "brings another key"
        ),
        ActionEntry(.device, "start", [], "starts the app after a kill"),
        ActionEntry(.device, "background", [], "puts the app into the background"),
        ActionEntry(.device, "foreground", [], "brings the app back to the screen"),
        ActionEntry(
            .device,
            "suspend",
            main: "for",
            [
                Parameter("for", .duration, required: true, "how long the process stands still"),
                Parameter(
                    "wake",
                    .word(WakeOrder.allCases.map(\.rawValue)),
                    "what runs first when it wakes; timers_first where nothing is said"
                ),
            ],
            "stops the process while the world goes on"
        ),
        ActionEntry(
            .device,
            "network",
            main: "state",
            [Parameter("state", .word(["on", "off"]), required: true, "whether there is one")],
            "takes the phone's network away or gives it back"
        ),
        ActionEntry(.device, "handoff", [], "changes to another network; the old path is dead"),
        ActionEntry(
            .device,
            "kill",
            [Parameter("down", .duration, "after which the app starts again; not by itself where nothing is said")],
            "ends the process; what was not on disk is gone"
        ),
        ActionEntry(
            .device,
            "reboot",
            [Parameter("down", .duration, "after which the app starts again; not by itself where nothing is said")],
            "ends the process, and with it what the phone was doing for the app"
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
                    "the label of the message that becomes the first visible one; start for the oldest that is here, end for behind the newest"
                )
            ],
            "moves the list of the open conversation"
        ),
        ActionEntry(.user, "load_earlier", [], "taps the control above the oldest message"),
        ActionEntry(
            .user,
            "take_suggestion",
            main: "number",
            [Parameter("number", .integer(1...1_000), required: true, "which one, from 1")],
            "takes what an empty conversation offers to say into the field to type in"
        ),
        ActionEntry(
            .user,
            "jump",
            main: "message",
            [Parameter("message", .label, required: true, "the label of a send or a post")],
            "taps a quotation: that message becomes the first visible one, however far back it has to be looked for"
        ),
        ActionEntry(
            .user,
            "attach",
            main: "file",
            [
                Parameter("file", .text, required: true, "what the image is called"),
                Parameter("bytes", .integer(0...16_777_216), required: true, "how large it is"),
                Parameter("from", .word(ChosenImage.Source.allCases.map(\.rawValue)), "where it comes from; library"),
                Parameter("width", .integer(1...65_535), "its pixels; 1200"),
                Parameter("height", .integer(1...65_535), "its pixels; 900"),
                Parameter("to", .text, "the conversation; the open one where none is named"),
            ],
            "takes or picks an image, which the preview shows"
        ),
        ActionEntry(.user, "cancel_image", [], "closes the preview; the image is not sent"),
        ActionEntry(.user, "send_image", takesLabel: true, [], "sends the image in the preview"),
        ActionEntry(
            .user,
            "delete",
            main: "message",
            [
                Parameter("message", .label, required: true, "which one"),
                Parameter("through", .label, "the last, where several are selected: all between that can be deleted"),
            ],
            "chooses delete in a message's menu, and is asked whether that is meant"
        ),
        ActionEntry(.user, "confirm_delete", [], "says that it is meant"),
        ActionEntry(.user, "cancel_delete", [], "says that it is not"),
        ActionEntry(
            .user,
            "undo",
            main: "message",
            [Parameter("message", .label, required: true, "which one")],
            "takes the deletion of a message back"
        ),
        ActionEntry(.user, "open_list", [], "looks at the list of conversations"),
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
            "presses a message long, to see its exact time and its menu"
        ),
        ActionEntry(
            .user,
            "forge_reading",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "which one"),
                Parameter("of", .text, required: true, "who is to count as its reader"),
            ],
            "asks, as no honest client does, that somebody else count as having read a conversation"
        ),
        ActionEntry(
            .device,
            "appear",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "which one")],
            "tells that a conversation's view has come onto the screen; opening one tells it, too"
        ),
        ActionEntry(
            .device,
            "disappear",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "which one")],
            "tells that a conversation's view has left the screen, perhaps late"
        ),
    ]

    /// Nil for a verb that is not in ``actions``, or arguments that do not fit it.
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
