// Accounts and notifications.

extension AdapterCatalogue {
    private static let pushed = [
        needed("user", "text", "The user who is notified."),
        needed("conversation", "text", "The conversation of the message."),
        needed("message", "text", "The server's id of the message."),
        needed("sender", "text", "The user who wrote it."),
        needed("text", "text", "The text of the message."),
    ]

    static let people = [
        command("leave", "The user goes back from the conversation to the list.", #"{"id":5,"type":"leave"}"#),
        command(
            "sign_in",
            "The user signs in. If another user is signed in, that one is signed out first.",
            [
                needed("user", "text", "The user who signs in."),
                optional("key", "text", "The user's own credential; null for the one from `init`."),
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
            [needed("token", "text", "The token for the server to push to.")],
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
            "A push has reached the phone while the app runs. It is not delivered over the client's connections.",
            pushed,
            #"""
            {"id":6,"type":"push","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov",\#
            "text":"hello"}
            """#
        ),
        command(
            "tap",
            "The user has tapped the notification of a push.",
            pushed,
            #"""
            {"id":5,"type":"tap","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov",\#
            "text":"hello"}
            """#
        ),
        command(
            "reply",
            "The user has replied from the notification of a push, without opening the app.",
            pushed + [
                needed("reply", "text", "The text of the reply."),
                optional("label", "text", "The reply's name in the scenario."),
            ],
            #"""
            {"id":5,"type":"reply","user":"anna","conversation":"stukov","message":"m-41","sender":"stukov",\#
            "text":"hello","reply":"yes","label":"answer"}
            """#
        ),
    ]
}
