// Accounts and notifications.

extension AdapterCatalogue {
    private static let pushed = [
        needed("user", "text", "Whom it is for."),
        needed("conversation", "text", "The conversation that it is about."),
        needed("message", "text", "The server's id of the message."),
        needed("sender", "text", "Who wrote it."),
        needed("text", "text", "What it says."),
    ]

    static let people = [
        command("leave", "The user goes from the conversation back to the list.", #"{"id":5,"type":"leave"}"#),
        command(
            "sign_in",
            "The user signs in; somebody else who is signed in is signed out first.",
            [
                needed("user", "text", "As whom."),
                optional("key", "text", "That user's own credential; that of `init` where it is null."),
            ],
            #"{"id":5,"type":"sign_in","user":"anna","key":"key-of-anna"}"#
        ),
        command("sign_out", "The user signs out.", #"{"id":5,"type":"sign_out"}"#),
        command(
            "open_settings",
            "The user taps the button that leads to the phone's settings for this app.",
            #"{"id":5,"type":"open_settings"}"#
        ),
        command(
            "token",
            "The phone's push service has given the app its token.",
            [needed("token", "text", "What the server is to push to.")],
            #"{"id":6,"type":"token","token":"phone-1"}"#
        ),
        command(
            "permission",
            "The user has allowed or forbidden notifications, in answer to the app or in the phone's settings.",
            [needed("notifications", "text", "`granted` or `denied`.")],
            #"{"id":6,"type":"permission","notifications":"denied"}"#
        ),
        command(
            "push",
            "A push has reached the phone while the app runs. It comes by no connection of the client's.",
            pushed,
            #"{"id":6,"type":"push","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov","text":"hello"}"#
        ),
        command(
            "tap",
            "The user has tapped the notification of a push.",
            pushed,
            #"{"id":5,"type":"tap","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov","text":"hello"}"#
        ),
        command(
            "reply",
            "The user has answered in the notification of a push, without going to the app.",
            pushed + [
                needed("reply", "text", "What the answer says."),
                optional("label", "text", "Its name in the scenario."),
            ],
            #"{"id":5,"type":"reply","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov","text":"hello","reply":"yes","label":"answer"}"#
        ),
    ]
}
