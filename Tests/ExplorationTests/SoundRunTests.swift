import Foundation
import ScenarioModel
import Squall
import Testing

/// Random runs in which a standing invariant once blamed a client that had done nothing wrong.
@Suite("Runs without a fault of the client")
struct SoundRunTests {
    @Test(
        "No standing invariant fails in a run whose client has done nothing wrong",
        arguments: [
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
            name: the server disconnects and restarts at the same instant
            script:
              - wait: 1s
              - server: { disconnect: rst }
              - server: { restart: 1s }
              - wait: 1s
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
        ]
    )
    func isNotBlamed(_ text: String) async throws {
        let folder = NSTemporaryDirectory() + "sound-run-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/run.yaml"
        try Data("squall: 1\n\(text)\n".utf8).write(to: URL(fileURLWithPath: file))
        var options = SuiteOptions()
        options.worlds = [.sim]
        let suite = try await Suite.play(Suite.load(SuiteSelection(paths: [file])), options)
        let run = try #require(suite.runs.first)
        let blamed = run.expectations.filter { $0.word.hasPrefix("invariant ") && $0.verdict == .fail }
        #expect(blamed.map(\.why) == [])
    }
}
