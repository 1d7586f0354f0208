/// Scripts of runs in which the client behaves correctly, grouped by topic.
enum SoundRuns {
    /// Runs in which the client's process, device, account or connection starts or ends at an unusual instant.
    static let lifecycle = [
        """
        name: the user disconnects while the app is starting
        script:
          - device: { reboot: { down: 1s } }
          - wait: 1s
          - user: disconnect
          - device: start
          - device: foreground
          - wait: 71s
        """,
        """
        name: a pong without an id answers a ping that the server had ignored
        profile: op-frames
        script:
          - server: { pong: false }
          - device: kill
          - device: start
          - wait: 45s
          - server: { pong: true }
          - device: start
          - device: foreground
          - wait: 11s
        """,
        """
        name: the user asks a suspended client to reconnect during a drain
        script:
          - wait: 1s
          - device: { suspend: 10s }
          - server: drain
          - wait: 1s
          - user: reconnect
          - server: start
          - wait: 10s
        """,
        """
        name: the server and the user disconnect at the same instant
        script:
          - wait: 1s
          - server: { disconnect: fin }
          - user: disconnect
          - wait: 2s
        """,
        """
        name: the server disconnects when the background allowance ends
        script:
          - device: background
          - wait: 30s
          - server: { disconnect: fin }
          - device: foreground
          - wait: 2s
        """,
        """
        name: the disk is full when a message is read, and the phone restarts
        script:
          - wait: 1s
          - device: { disk: full }
          - server: { post: tychus }
          - wait: 1s
          - user: { mark_read: tychus }
          - wait: 1s
          - device: reboot
          - wait: 1s
        """,
        """
        name: the disk is full when a message is counted, and the phone restarts
        script:
          - user: { open: stukov }
          - wait: 1s
          - device: { disk: full }
          - server: { post: stukov }
          - user: { open: tychus }
          - wait: 1s
          - device: reboot
          - wait: 1s
        """,
        """
        name: the answer to the first login is lost
        set:
          server.tls: true
        script:
          - user: { open: kerrigan }
          - wait: 1ms
          - network: timeout
          - wait: 1s
          - server: { post: kerrigan }
          - user: { open: tychus }
          - wait: 1s
        """,
        """
        name: a user returns whose message was not confirmed
        script:
          - server: { account: { user: anna, key: key-3 } }
          - server: { account: { user: ben, key: key-4 } }
          - device: { token: phone-1 }
          - user: { sign_in: { user: anna, key: key-3 } }
          - wait: 1s
          - user: { open: kerrigan }
          - user: { sign_in: { user: ben, key: key-4 } }
          - user: { send: text m2 }
          - wait: 1s
          - server: { post: kerrigan }
          - user: { sign_in: { user: anna, key: key-3 } }
          - wait: 1s
        """,
        """
        name: the counts could not be written before a kill
        script:
          - wait: 1s
          - device: { disk: full }
          - server: { post: stukov }
          - wait: 1s
          - device: kill
          - device: start
          - user: open_list
          - device: start
          - device: { disk: free }
          - device: foreground
          - wait: 1s
        """,
        """
        name: the server disconnects and restarts at the same instant
        script:
          - wait: 1s
          - server: { disconnect: rst }
          - server: { restart: 1s }
          - wait: 1s
        """,
        """
        name: another user signs in when a notification is tapped
        script:
          - server: { account: { user: anna, key: key-3 } }
          - device: { token: phone-1 }
          - wait: 1s
          - server: { push: tychus }
          - wait: 1s
          - user: { sign_in: { user: anna, key: key-3 } }
          - user: tap
          - device: start
          - wait: 13s
        """,
        """
        name: an image is sent while the disk is full
        script:
          - user: { open: tychus }
          - device: { disk: full }
          - user: { attach: { file: photo.jpg, bytes: 1 } }
          - user: send_image
          - device: { disk: free }
          - wait: 3s
        """,
        """
        name: a message arrives before the answer to the login
        profile: op-frames
        script:
          - wait: 1s
          - network: half_open
          - user: { send: { to: tychus, text: text m3 } }
          - wait: 23s
          - server: { swallow: connected }
          - wait: 35s
          - server: { post: tychus }
          - network: heal_all
          - server: clear
          - wait: 75s
        """,
        """
        name: a client is killed before it receives the rejection of a message
        script:
          - user: { open: stukov }
          - wait: 1s
          - server: { limit: { count: 1, per: 2s } }
          - network: { latency: 300ms }
          - user: { send: text m1 }
          - wait: 1.99s
          - user: { send: text m2 }
          - wait: 20ms
          - user: { send: text m3 }
          - wait: 51ms
          - device: kill
          - wait: 2s
          - device: start
          - wait: 5s
        """,
        """
        name: a message overtakes the answer to the login
        script:
          - server: { history: { conversation: stukov, count: 1 } }
          - server: { hold: connected }
          - user: { open: stukov }
          - wait: 2ms
          - user: { open: kerrigan }
          - server: { post: stukov }
          - wait: 1s
          - server: { release: connected }
          - wait: 75s
        """,
        """
        name: the network alters the id of a pong
        script:
          - wait: 1s
          - network: { corrupt: 45 }
          - wait: 30s
          - network: heal_all
          - wait: 10s
        """,
        """
        name: a tapped notification launches the app, which searches older pages
        set:
          history.page: 3
        script:
          - device: { token: phone-1 }
          - server: { history: { conversation: stukov, count: 7 } }
          - user: { open: stukov }
          - wait: 1s
          - device: kill
          - server: { push: stukov }
          - wait: 1s
          - user: tap
          - device: start
          - device: foreground
          - wait: 1s
        """,
        """
        name: the server closes the connection of a suspended client
        profile: voice
        set:
          server.heartbeat.interval: 10s
          server.heartbeat.silence_limit: 25s
        script:
          - wait: 1ms
          - device: background
          - wait: 1s
          - device: { suspend: 30s }
          - wait: 30.001s
          - device: foreground
          - wait: 2s
        """,
        """
        name: a message of another user waits on disk when the app starts
        script:
          - user: { open: stukov }
          - user: { send: text m1 }
          - server: { account: { user: anna, key: key-3 } }
          - user: { sign_in: { user: anna, key: key-3 } }
          - wait: 1s
          - device: { reboot: { down: 1s } }
          - wait: 1s
          - user: { sign_in: { user: anna, key: key-3 } }
          - device: start
          - device: foreground
          - wait: 1s
        """,
        """
        name: the user disconnects while the app is suspended
        script:
          - wait: 1ms
          - device: { suspend: { for: 20s, wake: frames_first } }
          - wait: 13s
          - user: disconnect
          - wait: 78s
        """,
        """
        name: the network changes while the app is suspended
        script:
          - server: { slow: { route: ws, by: 10s } }
          - server: { restart: 1s }
          - wait: 10s
          - device: { suspend: 3s }
          - device: handoff
          - wait: 5s
          - server: start
          - server: clear
          - wait: 9s
        """,
        """
        name: the user opens a conversation twice before the app has started
        script:
          - device: kill
          - device: start
          - user: { open: kerrigan }
          - user: { open: kerrigan }
          - wait: 1s
        """,
        """
        name: the user signs out as soon as the app has started again
        script:
          - server: { history: { conversation: tychus, count: 1 } }
          - wait: 1s
          - server: { post: kerrigan }
          - device: handoff
          - wait: 1s
          - device: reboot
          - device: start
          - user: sign_out
          - wait: 1s
        """,
    ]
}
