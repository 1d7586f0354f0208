extension SoundRuns {
    /// Runs in which messages are sent, received, read or shown in unusual circumstances.
    static let messages = [
        """
        name: a kill loses a message that is not on disk yet, and the next process has not loaded the conversation
        script:
          - wait: { connection.state: connected }
          - server: { post: stukov }
          - wait: { "unread[stukov]": 1 }
          - server: vanish
          - server: { post: stukov }
          - device: kill
          - wait: 2s
          - device: start
          - wait: 75s
        """,
        """
        name: the lookup of a tapped notification times out
        script:
          - wait: { connection.state: connected }
          - device: { token: phone-1 }
          - wait: { push_token.state: saved }
          - server: { history: { conversation: ben, count: 1, age: 1h } }
          - server: { push: { to: ben, back: 0 } }
            as: his
          - wait: 300ms
          - server: { hold: { route: conversation } }
            as: lookups
          - user: { tap: his }
          - wait: 90s
        """,
        """
        name: the protocol has no frame that reports what the user has read
        profile: centrifugo
        script:
          - wait: { connection.state: connected }
          - user: { open: stukov }
          - server: { post: stukov }
          - wait: 75s
        """,
        """
        name: the user confirms a deletion while the client is suspended
        script:
          - user: { open: kerrigan }
          - user: { send: text m1 }
            as: m1
          - wait: 1s
          - user: { delete: m1 }
          - device: { suspend: 1s }
          - user: confirm_delete
          - wait: 2s
        """,
        """
        name: the user replies to a notification that does not exist
        clients: [phone, tablet]
        script:
          - tablet.user: { open: stukov }
          - wait: 1s
          - tablet.device: { kill: { down: 1s } }
          - tablet.user: { reply: text m4 }
          - wait: 2s
          - phone.user: { send: { to: stukov, text: text m8 } }
          - wait: 1s
        """,
        """
        name: the user jumps to two messages at once
        script:
          - server: { history: { conversation: stukov, count: 120 } }
          - user: { open: stukov }
          - wait: 1s
          - server: { post: { to: kerrigan, count: 5 } }
            as: m1
          - user: { jump: m1-5 }
          - user: { jump: m1-4 }
          - wait: 1s
        """,
        """
        name: the user scrolls and leaves at the same instant
        script:
          - server: { history: { conversation: kerrigan, count: 1 } }
          - user: { open: kerrigan }
          - wait: 1s
          - user: { scroll: start }
          - wait: 1s
          - user: { scroll: end }
          - user: leave
          - wait: 1s
          - user: { open: kerrigan }
          - wait: 1s
        """,
        """
        name: a long backlog is sent at the rate of the profile
        set:
          flush.per_minute: 1
        script:
          - user: { open: kerrigan }
          - user: { send: text m1 }
          - user: { send: text m2 }
          - user: { send: text m3 }
          - user: { send: text m4 }
          - user: { send: text m5 }
          - user: { send: text m6 }
          - user: { send: text m7 }
          - user: { send: text m8 }
          - wait: 75s
        """,
        """
        name: the pieces of a message stop and connections are short
        set:
          heartbeat.server_limit: 5s
        script:
          - server: { post: stukov }
          - wait: 1s
          - server: { stream: { conversation: stukov, text: text m3 } }
          - server: { restart: 1s }
          - wait: 1s
        """,
        """
        name: the screen is locked while the client is suspended
        script:
          - user: { open: tychus }
          - wait: 1s
          - device: { suspend: 10s }
          - server: { post: tychus }
          - wait: 1s
          - device: lock
          - wait: 10s
        """,
        """
        name: the open conversation becomes a group with one other member
        script:
          - server: { history: { conversation: stukov, count: 1 } }
          - user: open_list
          - wait: 1s
          - device: handoff
          - user: { open: stukov }
          - server: { group: { conversation: stukov, members: client kerrigan } }
          - wait: 1s
        """,
        """
        name: the pieces of a message stop and the client polls
        set:
          reconnect.cap: 7.5s
        script:
          - server: { stream: { conversation: stukov, text: text m1, every: 1s } }
          - wait: 1s
          - server: stop
          - wait: 125s
          - server: start
          - wait: 26s
        """,
        """
        name: a rule of the script answers a read receipt
        script:
          - user: { open: tychus }
          - wait: 1s
          - server: { rule: { match: {} } }
          - server: { post: tychus }
          - wait: 2s
        """,
        """
        name: a notification names a message that is shown already
        script:
          - device: { token: phone-1 }
          - server: { history: { conversation: stukov, count: 3 } }
          - user: { open: stukov }
          - wait: 1s
          - user: { open: kerrigan }
          - wait: 1s
          - server: { push: { to: stukov, back: 0 } }
            as: m1
          - wait: 1s
          - user: { tap: m1 }
          - wait: 1s
        """,
        """
        name: the last token of a message arrives after the message was swallowed
        script:
          - wait: 1s
          - server: { swallow: message }
          - server: { stream: { conversation: tychus, text: text m7 } }
          - wait: 1s
          - server: clear
          - wait: 71s
        """,
        """
        name: a message that the user sends while leaving the conversation moves the list to its end
        script:
          - user: { open: kerrigan }
          - user: { send: one }
            as: m1
          - user: { scroll: m1 }
          - wait: 1s
          - user: { send: two }
          - user: { open: tychus }
          - wait: 1s
          - user: { open: kerrigan }
          - wait: 1s
        """,
        """
        name: a message arrives during the request that marks its conversation as read
        script:
          - server: { history: { conversation: tychus, count: 1 } }
          - wait: 1s
          - user: { open: tychus }
          - wait: 1ms
          - user: leave
          - server: { post: tychus }
          - wait: 75s
        """,
        """
        name: a push announces a message that the server does not have
        set: { unread.clear_on: visible }
        script:
          - device: { token: phone-1 }
          - wait: 1s
          - server: { post: tychus }
          - wait: 1s
          - user: tap
          - device: background
          - wait: 30s
          - server: { push: tychus }
          - wait: 1s
          - device: start
          - device: foreground
          - wait: 75s
        """,
        """
        name: the server's clock is set back between two messages of a conversation that was never opened
        script:
          - server: { post: kerrigan }
          - wait: 1s
          - server: { post: kerrigan }
          - server: { clock: -90s }
          - server: { post: { to: kerrigan, count: 60 } }
          - wait: 1s
        """,
        """
        name: a read receipt is lost on a connection that stays open
        script:
          - user: { open: tychus }
          - wait: 1s
          - network: { frames: { action: drop, stream: upstream } }
          - server: { post: tychus }
          - wait: 1s
          - network: heal_all
          - wait: 75s
        """,
        """
        name: another device reads a message that is older by the server's clock
        clients: [anna, tablet, ben]
        script:
          - tablet.server: { identify: { user: anna } }
          - tablet.user: { open: kerrigan }
          - ben.user: { open: kerrigan }
          - ben.user: { send: one }
          - wait: 1s
          - server: { clock: -90s }
          - server: { post: kerrigan }
          - wait: 1s
        """,
        """
        name: the server forgets a session before the client knows of its login, and the client ends the connection
        script:
          - wait: 1ms
          - server: vanish
          - device: background
          - wait: 30s
          - device: foreground
          - wait: 2s
        """,
    ]
}
