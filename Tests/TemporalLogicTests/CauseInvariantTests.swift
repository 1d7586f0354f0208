import SquallCore
import TemporalLogic
import Testing

/// Tests the invariants about the causes and results of requests, waits and reports, with pairs of similar traces. In
/// each pair, only one trace violates the invariant.
@Suite struct CauseInvariantTests {
    private func fails(
        _ name: InvariantName,
        _ entries: [Entry],
        end: Instant = ms(90_000),
        adjust: (inout InvariantSettings) -> Void = { _ in }
    ) -> Bool {
        var settings = everything
        settings.isOwnClient = true
        settings.sending = .seconds(15)
        settings.tapTimeout = .seconds(12)
        settings.banner = .seconds(5)
        adjust(&settings)
        return judge(name, connectedAtOnce + entries, end: end, settings: settings).outcome == .fail
    }

    @Test("waits_end fails if a skeleton stays on the screen while a conversation is open")
    func skeletons() {
        let loading = set(ms(200), "view.phase", "skeleton")
        #expect(!fails(.waitsEnd, [loading]))
        #expect(fails(.waitsEnd, [set(ms(200), "view.conversation", "anna"), loading]))
        #expect(
            !fails(.waitsEnd, [set(ms(200), "view.conversation", "anna"), loading, set(ms(900), "view.phase", "rows")])
        )
    }

    @Test("waits_end fails if a confirmed or refused message is not shown as such within half a second")
    func answers() {
        let sent = [status(ms(200), "m", "sending")]
        for answer in [
            event(ms(300), "client.received.confirm", key: "m"), event(ms(300), "client.received.error", key: "m"),
        ] {
            #expect(fails(.waitsEnd, sent + [answer, status(ms(801), "m", "failed")]))
            #expect(!fails(.waitsEnd, sent + [answer, status(ms(800), "m", "failed")]))
        }
    }

    @Test("waits_end fails if a tapped notification leads neither to its conversation nor to an error")
    func taps() {
        let tapped = event(ms(300), "client.notification_tapped", key: "m")
        #expect(fails(.waitsEnd, [tapped]))
        #expect(!fails(.waitsEnd, [tapped, event(ms(400), "client.deep_link.failed", ["kind": "absent"])]))
        let opened = [tapped, event(ms(400), "client.deep_link.opened", ["conversation": "anna"])]
        #expect(fails(.waitsEnd, opened))
        let found = event(ms(500), "client.search.ended", ["outcome": "found"], key: "m")
        #expect(!fails(.waitsEnd, opened + [found]))
        #expect(fails(.waitsEnd, [set(ms(300), "deep_link.pending", "anna")]))
        #expect(fails(.notificationsKept, opened + [found]))
        #expect(!fails(.notificationsKept, opened + [found, set(ms(500), "highlight.target", "m")]))
    }

    @Test("a notification that is on the phone must accept a reply")
    func replies() {
        let shown = [set(ms(200), "notifications", ["m"]), event(ms(300), "user.reply")]
        #expect(fails(.notificationsKept, shown + [event(ms(300), "client.notification_absent", key: "m")]))
        #expect(!fails(.notificationsKept, shown + [event(ms(300), "client.notification_absent", key: "n")]))
    }

    @Test("frugal fails if data that was already fetched, sent or confirmed is requested again")
    func repeats() {
        func get(_ time: Int64, _ target: String) -> Entry {
            event(ms(time), "client.requested.messages", ["method": "GET", "target": .string(target)])
        }
        #expect(fails(.frugal, [get(300, "/a"), get(300, "/a")]))
        #expect(!fails(.frugal, [get(300, "/a"), get(300, "/b"), get(301, "/a")]))
        let receipt = event(ms(300), "client.sent.read_receipt", ["conversation": "anna"], key: "m")
        #expect(fails(.frugal, [receipt, receipt]))
        #expect(fails(.frugal, [event(ms(300), "client.sent.execute_command", ["text": "ls"])]))
        #expect(
            !fails(
                .frugal,
                [event(ms(300), "user.execute"), event(ms(300), "client.sent.execute_command", ["text": "ls"])]
            )
        )
        let again = [
            get(300, "/a"), event(ms(400), "client.answered.messages", ["status": 200]),
            event(ms(500), "client.disconnected", ["failure": "reset"]), event(ms(600), "client.connected"),
            get(600, "/a"),
        ]
        #expect(fails(.frugal, again))
        #expect(!fails(.frugal, again.dropLast() + [event(ms(600), "user.refresh"), get(600, "/a")]))
        // The client has not loaded the page yet, because a captive portal answered the first request.
        #expect(!fails(.frugal, [set(ms(200), "network.captive", true)] + again))
    }

    @Test("frugal fails if pings are too close together, except when the app returns to the foreground")
    func pings() {
        func ping(_ time: Int64) -> Entry { event(ms(time), "client.sent.ping", ["id": "1"]) }
        func fails(_ entries: [Entry]) -> Bool { self.fails(.frugal, entries) { $0.pingInterval = .seconds(30) } }
        #expect(fails([ping(20_000), ping(34_999)]))
        #expect(!fails([ping(20_000), ping(35_000)]))
        for name in ["device.foreground", "device.unlock"] {
            #expect(!fails([ping(20_000), event(ms(25_000), name), ping(25_000)]))
        }
    }

    @Test("loading older pages, deleting messages and uploading files require a cause")
    func causes() {
        let page = event(ms(300), "client.history.began")
        #expect(!fails(.frugal, [event(ms(300), "user.load_earlier"), page]))
        #expect(fails(.frugal, [event(ms(200), "client.search.ended", ["outcome": "found"], key: "m"), page]))
        let deletion = event(ms(300), "client.delete.began", key: "m")
        #expect(fails(.frugal, [deletion]))
        #expect(!fails(.frugal, [event(ms(300), "user.confirm_delete"), deletion]))
        #expect(fails(.frugal, [event(ms(300), "server.delete_refused", key: "m")]))
        let upload = set(ms(300), "upload.state", "uploading", key: "a.jpg")
        #expect(fails(.frugal, [set(ms(200), "preview.file", "a.jpg"), upload]))
        #expect(!fails(.frugal, [set(ms(200), "preview.file", .null), upload]))
        let small = [set(ms(300), "upload.chunk_size", 100)]
        #expect(fails(.frugal, small) { $0.smallestChunk = 200 })
        #expect(!fails(.frugal, small) { $0.smallestChunk = 100 })
    }

    @Test("a failed connection attempt must be counted, and giving up requires a reason")
    func attempts() {
        let drained = [
            event(ms(300), "client.received.draining"),
            event(ms(400), "client.disconnected", ["failure": "closed_1001"]),
            set(ms(400), "connection.attempt", 1),
        ]
        #expect(fails(.attemptsHaveReason, drained))
        #expect(!fails(.attemptsHaveReason, Array(drained.dropFirst())))
        let ping = event(ms(1000), "client.sent.ping", ["id": "1"])
        let early = event(ms(10_999), "client.disconnected", ["failure": "pong_timeout"])
        #expect(fails(.attemptsHaveReason, [ping, early]))
        #expect(
            !fails(.attemptsHaveReason, [ping, event(ms(11_000), "client.disconnected", ["failure": "pong_timeout"])])
        )
        let captive = set(ms(300), "network.captive", true)
        #expect(fails(.attemptsHaveReason, [captive, event(ms(400), "client.attempt.began", ["number": 1])]))
        let login = event(ms(350), "user.portal_login")
        #expect(!fails(.attemptsHaveReason, [captive, login, event(ms(400), "client.attempt.began", ["number": 1])]))
    }

    @Test("a failed request must be shown in a banner")
    func failures() {
        let quiet = [set(ms(200), "banner.kind", .null), set(ms(200), "view.conversation", "anna")]
        let failed = event(ms(300), "client.history.ended", ["ok": false, "added": 0])
        #expect(fails(.troubleIsTold, quiet + [failed]))
        #expect(!fails(.troubleIsTold, quiet + [failed, set(ms(300), "banner.kind", "error")]))
        #expect(!fails(.troubleIsTold, quiet + [failed, set(ms(300), "view.conversation", "ben")]))
        let portal = event(ms(300), "client.attempt.failed", ["failure": "http_511"])
        #expect(fails(.troubleIsTold, [portal]))
        #expect(!fails(.troubleIsTold, [event(ms(300), "client.attempt.failed", ["failure": "http_503"])]))
    }

    @Test("the attempt metrics must also count failed attempts")
    func metrics() {
        let counted = [
            set(ms(100), "metrics.attempts", 1), event(ms(300), "client.attempt.failed", ["failure": "refused"]),
            event(ms(300), "client.backoff.began", ["attempt": 1, "delay": 1_100_000_000]),
        ]
        #expect(fails(.countsAddUp, counted))
        #expect(!fails(.countsAddUp, counted + [set(ms(300), "metrics.attempts", 2)]))
    }

    @Test("asking the user for a key requires a refusal of the old key")
    func keys() {
        let asked = set(ms(400), "auth.requires_reauth", true)
        #expect(fails(.authBounded, [asked]))
        #expect(!fails(.authBounded, [event(ms(300), "client.attempt.failed", ["failure": "closed_1008"]), asked]))
    }

    @Test("a disconnect must have a reason, a ping must follow a login and a round-trip time must follow a pong")
    func connections() {
        var lost = event(ms(300), "client.disconnected")
        lost.observation = .happened("client.disconnected", ["failure": .null], by: .reported)
        #expect(fails(.statesWellFormed, [lost]))
        lost.observation = .happened("client.disconnected", ["failure": "reset"], by: .reported)
        #expect(!fails(.statesWellFormed, [lost]))
        let began = event(ms(300), "client.attempt.began", ["number": 1])
        #expect(fails(.subscriptionsFollowSession, [began, event(ms(400), "client.sent.ping", ["id": "1"])]))
        let shown = set(ms(300), "connection.rtt", 5)
        #expect(fails(.honestUI, [shown], end: ms(1000)))
        #expect(!fails(.honestUI, [event(ms(300), "client.received.pong", ["id": "1"]), shown], end: ms(1000)))
    }

    @Test("a backoff delay equal to its nominal value is a violation, because it has no jitter")
    func jitter() {
        func backoff(_ delay: Int64) -> Entry {
            event(ms(300), "client.backoff.began", ["attempt": 1, "delay": .integer(delay)])
        }
        #expect(fails(.backoffEnvelope, [backoff(1_000_000_000)]))
        #expect(!fails(.backoffEnvelope, [backoff(1_000_000_001)]))
        let draining = event(ms(200), "client.received.draining", ["retry_after": 1_000_000_000])
        #expect(!fails(.backoffEnvelope, [draining, backoff(1_000_000_000)]))
        #expect(fails(.backoffEnvelope, [backoff(1_000_000_001)]) { $0.maximumAttempts = 0 })
    }

    @Test("a connection that the app ends in the background must end with a close frame")
    func background() {
        let ended = [
            event(ms(0), "server.started"), event(ms(300), "device.background"), connection(ms(400), "suspended"),
        ]
        #expect(fails(.cleanEnds, ended))
        #expect(!fails(.cleanEnds, ended + [event(ms(500), "server.closed", ["code": 1000])]))
    }

    @Test("a received message must be shown")
    func received() {
        let message = event(ms(300), "client.received.message", ["conversation": "anna", "sequence": 1], key: "m")
        let stored = event(
            ms(299),
            "server.stored",
            ["conversation": "anna", "sequence": 1, "origin": "post"],
            key: "m"
        )
        #expect(fails(.noSilentGap, [stored, message]))
        #expect(!fails(.noSilentGap, [stored, message, set(ms(300), "conversation.messages", ["m"], key: "anna")]))
    }
}
