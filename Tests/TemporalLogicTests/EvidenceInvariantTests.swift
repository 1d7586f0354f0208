import SquallCore
import TemporalLogic
import Testing

/// Tests invariants with pairs of similar traces. In each pair, only one trace violates the invariant.
@Suite struct EvidenceInvariantTests {
    private func outcome(_ name: InvariantName, _ entries: [Entry], end: Instant = ms(90_000)) -> Outcome {
        var settings = everything
        settings.sending = .seconds(15)
        settings.pingInterval = .seconds(30)
        settings.banner = .seconds(5)
        return judge(name, connectedAtOnce + entries, end: end, settings: settings).outcome
    }

    @Test("process_survives fails after a crash, but not after a kill by the device")
    func crash() {
        #expect(outcome(.processSurvives, [event(ms(500), "client.crashed", ["reason": "no type"])]) == .fail)
        #expect(outcome(.processSurvives, [event(ms(500), "client.killed")]) == .pass)
    }

    @Test("waits_end requires sending, loading, signing out and streaming to end while the client is connected")
    func waits() {
        for (name, key, value, over) in [
            ("message.status", "m", JSON.string("sending"), JSON.string("failed")),
            ("view.phase", nil, "loading", "ready"),
            ("app.signing_out", nil, true, false), ("stream.text", "m", "hal", .null),
        ] {
            let begun = [set(ms(200), name, value, key: key)]
            #expect(outcome(.waitsEnd, begun) == .fail, "\(name)")
            #expect(outcome(.waitsEnd, begun + [set(ms(15_000), name, over, key: key)]) == .pass, "\(name)")
            let lost = begun + [event(ms(300), "client.disconnected"), connection(ms(300), "reconnecting")]
            #expect(outcome(.waitsEnd, lost) == .pass, "\(name)")
        }
    }

    @Test("waits_end starts the time limit for a sent message when the message is written to the socket")
    func writtenLate() {
        let begun = [
            set(ms(200), "message.status", "sending", key: "m"), event(ms(5000), "client.sent.send", key: "m"),
        ]
        #expect(outcome(.waitsEnd, begun + [set(ms(20_000), "message.status", "failed", key: "m")]) == .pass)
        #expect(outcome(.waitsEnd, begun + [set(ms(20_001), "message.status", "failed", key: "m")]) == .fail)
    }

    @Test("the number on the app icon is compared with the unread counts at the end of each instant")
    func counts() {
        let one = [set(ms(200), "unread", 1, key: "anna"), set(ms(200), "badge.app", 1)]
        #expect(outcome(.countsAddUp, one) == .pass)
        #expect(outcome(.countsAddUp, one + [set(ms(300), "unread", 0, key: "anna")]) == .fail)
        let both = [set(ms(300), "unread", 0, key: "anna"), set(ms(300), "badge.app", 0)]
        #expect(outcome(.countsAddUp, one + both) == .pass)
        #expect(outcome(.countsAddUp, [set(ms(200), "unread", -1, key: "anna")]) == .fail)
    }

    @Test("an attempt without a network is a violation unless the network's return is reported at the same instant")
    func blindAttempts() {
        let gone = [set(ms(500), "network.reachable", false), event(ms(900), "client.attempt.began", ["number": 1])]
        #expect(outcome(.attemptsHaveReason, gone) == .fail)
        #expect(outcome(.attemptsHaveReason, gone + [set(ms(900), "network.reachable", true)]) == .pass)
    }

    @Test("an attempt before the time named by a draining server is a violation unless the user asks for it")
    func draining() {
        let drained = [event(ms(500), "client.received.draining", ["retry_after": 5_000_000_000])]
        let early = [event(ms(3000), "client.attempt.began", ["number": 1])]
        #expect(outcome(.attemptsHaveReason, drained + early) == .fail)
        let asked = drained + [event(ms(2000), "user.reconnect").of("client")]
        #expect(outcome(.attemptsHaveReason, asked + early) == .pass)
        let late = [event(ms(5500), "client.attempt.began", ["number": 1])]
        #expect(outcome(.attemptsHaveReason, drained + late) == .pass)
    }

    @Test("an attempt before the time in the Retry-After of a refused upgrade is a violation")
    func retryAfter() {
        let fields: JSON = ["failure": "http_503", "retry_after": 5_000_000_000]
        let refused = [event(ms(500), "client.attempt.failed", fields)]
        let early = [event(ms(3000), "client.attempt.began", ["number": 1])]
        #expect(outcome(.attemptsHaveReason, refused + early) == .fail)
        let asked = refused + [event(ms(2000), "user.reconnect").of("client")]
        #expect(outcome(.attemptsHaveReason, asked + early) == .pass)
        let late = [event(ms(5500), "client.attempt.began", ["number": 1])]
        #expect(outcome(.attemptsHaveReason, refused + late) == .pass)
    }

    @Test("a network change must cause an attempt unless the connection is lost anyway")
    func handoff() {
        let changed = [event(ms(500), "device.handoff").of("client")]
        #expect(outcome(.attemptsHaveReason, changed) == .fail)
        let attempt = event(ms(600), "client.attempt.began", ["number": 1])
        #expect(outcome(.attemptsHaveReason, changed + [attempt]) == .pass)
        #expect(outcome(.attemptsHaveReason, changed + [event(ms(600), "client.disconnected")]) == .pass)
    }

    @Test("frugal fails for pings more frequent than the interval and for a sync that asks for known messages")
    func frugal() {
        let first = event(ms(1000), "client.sent.ping", ["id": 1])
        #expect(outcome(.frugal, [first, event(ms(15_999), "client.sent.ping", ["id": 2])]) == .fail)
        #expect(outcome(.frugal, [first, event(ms(16_000), "client.sent.ping", ["id": 2])]) == .pass)
        let back = event(ms(2000), "device.foreground").of("client")
        #expect(outcome(.frugal, [first, back, event(ms(2000), "client.sent.ping", ["id": 2])]) == .pass)
        let tapped = event(ms(2000), "user.tap").of("client")
        #expect(outcome(.frugal, [first, tapped, event(ms(2000), "client.sent.ping", ["id": 2])]) == .pass)
        let known = set(ms(300), "sync.last_sequence", 7)
        #expect(outcome(.frugal, [known, event(ms(400), "client.sent.sync", ["last_sequence": 6])]) == .fail)
        #expect(outcome(.frugal, [known, event(ms(400), "client.sent.sync", ["last_sequence": 7])]) == .pass)
    }

    @Test("each message must cause one notification in its group, and none while the message is on the screen")
    func notifications() {
        func notified(_ time: Instant) -> [Entry] {
            [
                event(time, "client.push_arrived", ["conversation": "anna"], key: "m"),
                event(time, "client.notified", ["presentation": ["banner"]], key: "m"),
            ]
        }
        #expect(outcome(.notificationsKept, notified(ms(200))) == .pass)
        #expect(outcome(.notificationsKept, notified(ms(200)) + notified(ms(300))) == .fail)
        let asleep = [event(ms(250), "client.suspended")]
        #expect(outcome(.notificationsKept, notified(ms(200)) + asleep + notified(ms(300))) == .pass)
        let loose = [set(ms(200), "notification.thread", .null, key: "m")]
        #expect(outcome(.notificationsKept, notified(ms(200)) + loose) == .fail)
        #expect(outcome(.notificationsKept, [set(ms(150), "app.viewing", "anna")] + notified(ms(200))) == .fail)
        #expect(outcome(.notificationsKept, [set(ms(150), "app.viewing", "ben")] + notified(ms(200))) == .pass)
    }

    @Test("clean_ends requires a close frame when the client leaves, unless a fault may have lost the connection")
    func cleanEnds() {
        let left = [event(ms(0), "server.started"), event(ms(500), "user.disconnect").of("client")]
        #expect(outcome(.cleanEnds, left) == .fail)
        #expect(outcome(.cleanEnds, left + [event(ms(501), "server.closed").of("client")]) == .fail)
        #expect(outcome(.cleanEnds, left + [event(ms(501), "server.closed", ["code": 1000]).of("client")]) == .pass)
        let cut = event(ms(501), "fault.began", ["fault": "drop"], key: "drop")
        #expect(outcome(.cleanEnds, left + [cut]) == .skipped)
    }

    @Test("a fault excuses a missing close frame on the connection it affected, but not on the next connection")
    func cleanEndOfDeadConnection() {
        let met = [
            event(ms(0), "server.started"), event(ms(300), "fault.began", ["fault": "blackhole"], key: "hole"),
            event(ms(301), "fault.ended", ["fault": "blackhole"], key: "hole"),
        ]
        let left = [event(ms(60_000), "user.disconnect").of("client")]
        #expect(outcome(.cleanEnds, met + left) == .skipped)
        let again = [connection(ms(20_000), "reconnecting"), connection(ms(21_000), "connected")]
        #expect(outcome(.cleanEnds, met + again + left) == .fail)
        // The server forgets the session after it has accepted the login, but before the client has received the
        // acceptance.
        let forgotten = [
            connection(ms(10_000), "authenticating"), event(ms(10_001), "server.session_forgotten").of("client"),
            connection(ms(10_002), "connected"),
        ]
        #expect(outcome(.cleanEnds, met + forgotten + left) == .skipped)
        #expect(outcome(.cleanEnds, met + forgotten + again + left) == .fail)
    }

    @Test("waits_end does not limit the time for which an image may upload before its message is sent")
    func imageOnItsWay() {
        let begun = [set(ms(200), "message.status", "sending", key: "m")]
        #expect(outcome(.waitsEnd, begun + [set(ms(200), "image.state", "uploading", key: "m")]) == .pass)
        #expect(outcome(.waitsEnd, [set(ms(100), "image.state", "shown", key: "m")] + begun) == .skipped)
        #expect(outcome(.waitsEnd, begun + [set(ms(200), "image.state", "uploading", key: "n")]) == .fail)
    }

    @Test("an unread count that was not stored before a kill is not compared with the app badge")
    func unwrittenCount() {
        let one = [set(ms(200), "unread", 1, key: "anna"), set(ms(200), "badge.app", 1)]
        let restarted = [
            event(ms(5000), "client.killed"), event(ms(6000), "client.started"), set(ms(6000), "badge.app", 1),
        ]
        let read = [set(ms(5000), "unread", 0, key: "anna"), set(ms(5000), "badge.app", 0)]
        #expect(outcome(.countsAddUp, one + read + restarted) == .pass)
        let early = [set(ms(400), "unread", 0, key: "anna"), set(ms(400), "badge.app", 0)]
        #expect(outcome(.countsAddUp, one + early + restarted) == .fail)
    }

    @Test("a lost connection must be shown in the banner within the grace period")
    func trouble() {
        let lost = [set(ms(200), "banner.kind", .null), connection(ms(500), "reconnecting")]
        #expect(outcome(.troubleIsTold, lost) == .fail)
        #expect(outcome(.troubleIsTold, lost + [set(ms(5500), "banner.kind", "reconnecting")]) == .pass)
        #expect(outcome(.troubleIsTold, lost + [set(ms(5501), "banner.kind", "reconnecting")]) == .fail)
        #expect(outcome(.troubleIsTold, lost + [event(ms(900), "device.background").of("client")]) == .pass)
    }

    @Test("a key in the query of a URL is a violation, but other parameters are allowed")
    func addresses() {
        func asked(_ target: JSON) -> [Entry] { [event(ms(300), "server.requested.ws", ["target": target])] }
        #expect(outcome(.noSecretInAddress, asked("/ws?version=1&key=abc")) == .fail)
        #expect(outcome(.noSecretInAddress, asked("/ws?version=1&monkey=abc")) == .pass)
        #expect(outcome(.noSecretInAddress, []) == .skipped)
    }
}
