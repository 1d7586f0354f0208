import SquallCore
import TemporalLogic
import Testing

/// Tests the invariants about the screen and about reports to the server with pairs of similar traces. In each pair,
/// only one trace violates the invariant.
@Suite struct ScreenInvariantTests {
    private func fails(
        _ name: InvariantName,
        _ entries: [Entry],
        end: Instant = ms(90_000),
        adjust: (inout InvariantSettings) -> Void = { _ in }
    ) -> Bool {
        var settings = everything
        settings.isOwnClient = true
        settings.acknowledges = true
        settings.readsOnOpening = true
        adjust(&settings)
        return judge(name, connectedAtOnce + entries, end: end, settings: settings).outcome == .fail
    }

    @Test(
        "surfaces_agree fails if two shown values contradict each other at the end of an instant",
        arguments: [
            [set(ms(300), "banner.kind", "offline")],
            [set(ms(300), "connection.tone", "green"), connection(ms(300), "offline")],
            [set(ms(300), "banner.kind", "version"), set(ms(300), "banner.action", "wait")],
            [
                set(ms(300), "view.conversation", "anna"), set(ms(300), "peer.typing", ["ben"], key: "ben"),
                set(ms(300), "header.typing", true),
            ],
            [
                set(ms(300), "view.conversation", "anna"), set(ms(300), "peer.presence", "offline", key: "anna"),
                set(ms(300), "header.presence", "online"),
            ],
            [
                set(ms(300), "view.conversation", "anna"), set(ms(300), "conversation.messages", ["a"], key: "anna"),
                set(ms(300), "view.rows", ["a", "b"]),
            ],
            [set(ms(300), "view.rows", []), set(ms(300), "view.phase", "rows")],
            [set(ms(300), "permission.state", "denied"), set(ms(300), "permission.banner_text", .null)],
            [set(ms(300), "network.captive", true), set(ms(300), "alert.title", .null)],
            [set(ms(300), "alert.title", "Not sent")],
            [set(ms(300), "view.conversation", "anna"), set(ms(300), "app.viewing", .null)],
            [
                set(ms(300), "message.day", "Today", key: "a"), set(ms(300), "message.day", "Today", key: "b"),
                set(ms(300), "view.rows", ["a", "b"]),
            ],
            [status(ms(300), "m", "delivered"), set(ms(300), "message.icon", "clock", key: "m")],
            [status(ms(300), "m", "sending"), set(ms(300), "message.retry_available", true, key: "m")],
            [status(ms(300), "m", "failed"), set(ms(300), "message.hint", .null, key: "m")],
            [status(ms(300), "m", "queued"), set(ms(300), "outbox.header_text", .null)],
            [
                set(ms(200), "badge.text", "2", key: "anna"), set(ms(300), "unread", 1, key: "anna"),
                set(ms(300), "badge.text", .null, key: "anna"),
            ],
            [set(ms(300), "view.conversation", "anna"), set(ms(300), "view.phase", "empty")],
            [event(ms(300), "client.delete.began", key: "m")],
            [
                set(ms(300), "message.timestamp", 2, key: "a"), set(ms(300), "message.timestamp", 1, key: "b"),
                set(ms(300), "conversation.messages", ["a", "b"], key: "anna"),
            ],
            [set(ms(300), "peer.presence", "online", key: "anna"), connection(ms(301), "offline")],
        ]
    )
    func contradictions(entries: [Entry]) {
        #expect(fails(.surfacesAgree, entries))
        // A third-party client may report related changes at different times, so it is given some time to report all of
        // them.
        #expect(!fails(.surfacesAgree, entries, end: ms(305)) { $0.displayDelay = .seconds(1) })
    }

    @Test("surfaces_agree passes if the shown values agree at the end of every instant")
    func agreement() {
        #expect(!fails(.surfacesAgree, [set(ms(300), "banner.kind", "offline"), connection(ms(300), "offline")]))
        let icon = [status(ms(300), "m", "delivered"), set(ms(300), "message.icon", "clock", key: "m")]
        #expect(!fails(.surfacesAgree, icon + [set(ms(300), "message.icon", .null, key: "m")]))
        let viewed = [set(ms(300), "view.conversation", "anna"), set(ms(300), "app.viewing", "anna")]
        #expect(!fails(.surfacesAgree, viewed))
        let left = viewed + [set(ms(400), "view.conversation", .null)]
        #expect(!fails(.surfacesAgree, left + [set(ms(10_400), "app.viewing", .null)]))
        #expect(fails(.surfacesAgree, left + [set(ms(10_401), "app.viewing", .null)]))
    }

    @Test("received and read messages must be reported to the server before the end of the run")
    func told() {
        let message = [event(ms(300), "client.received.message", ["conversation": "anna", "sequence": 1], key: "m")]
        let acknowledged = message + [event(ms(301), "client.sent.message_ack", key: "m")]
        #expect(fails(.toldToTheServer, message))
        #expect(!fails(.toldToTheServer, acknowledged))
        #expect(!fails(.toldToTheServer, message, end: ms(20_000)))
        #expect(fails(.toldToTheServer, message + [event(ms(300), "client.sent.message_ack", key: "m")]))
        let read = acknowledged + [set(ms(300), "unread", 0, key: "anna")]
        #expect(fails(.toldToTheServer, read))
        let receipt = event(ms(301), "client.sent.read_receipt", ["conversation": "anna"], key: "m")
        #expect(!fails(.toldToTheServer, read + [receipt]))
        #expect(!fails(.toldToTheServer, acknowledged + [set(ms(300), "unread", 1, key: "anna")]))
        let opened = [
            set(ms(400), "unread", 2, key: "ben"), event(ms(500), "user.open"), set(ms(500), "unread", 0, key: "ben"),
        ]
        #expect(fails(.toldToTheServer, opened))
        let target: JSON = ["method": "POST", "target": "/conversations/ben/read"]
        #expect(!fails(.toldToTheServer, opened + [event(ms(500), "client.requested.mark_read", target)]))
    }

    @Test("what was read before a kill must be reported by the next process, unless it may not have been on disk")
    func readBeforeAKill() {
        func run(readAt: Int64, reports: Bool) -> [Entry] {
            let receipt = event(ms(3_000), "client.sent.read_receipt", ["conversation": "ben"], key: "m")
            return [
                set(ms(400), "unread", 2, key: "ben"), event(ms(readAt), "user.open"),
                set(ms(readAt), "unread", 0, key: "ben"), event(ms(1_000), "client.killed"),
                event(ms(2_000), "client.started"), set(ms(2_100), "connection.state", "connected"),
            ] + (reports ? [receipt] : [])
        }
        let writeTime = TimeSpan.milliseconds(50)
        func fails(_ entries: [Entry]) -> Bool {
            self.fails(.toldToTheServer, entries) { $0.writeTime = writeTime }
        }
        #expect(fails(run(readAt: 500, reports: false)))
        #expect(!fails(run(readAt: 500, reports: true)))
        #expect(!fails(run(readAt: 980, reports: false)))
    }

    @Test("a push token must be removed before sign-out, and saved in the declared number of attempts")
    func pushToken() {
        let saved = [
            set(ms(200), "app.user", "anna"), event(ms(300), "server.push_token.saved", ["user": "anna"]),
            event(ms(400), "user.sign_out"),
        ]
        let out = event(ms(600), "client.signed_out")
        #expect(fails(.toldToTheServer, saved + [out]))
        #expect(!fails(.toldToTheServer, saved + [event(ms(500), "client.sign_out.token_left"), out]))
        #expect(!fails(.toldToTheServer, saved + [event(ms(500), "server.push_token.removed", ["user": "anna"]), out]))
        let late = [
            event(ms(500), "client.sign_out.session"),
            event(ms(500), "client.requested.push_token", ["method": "PUT", "target": "/push_token"]),
        ]
        #expect(fails(.toldToTheServer, saved + late))
        let tried = event(ms(300), "client.push_token.tried", ["attempt": 1, "of": 3])
        #expect(fails(.toldToTheServer, [tried, event(ms(400), "client.push_token.given_up", ["attempts": 2])]))
        #expect(!fails(.toldToTheServer, [tried, event(ms(400), "client.push_token.given_up", ["attempts": 3])]))
        #expect(fails(.toldToTheServer, [set(ms(200), "app.user", .null), tried]))
        let unowned = [set(ms(200), "app.user", "anna"), set(ms(200), "push_token.state", "unowned")]
        #expect(fails(.toldToTheServer, unowned))
    }

    @Test("screen_keeps_place requires the list to stay where the user scrolled it")
    func places() {
        let scrolled = [
            set(ms(200), "view.conversation", "anna"), set(ms(200), "conversation.messages", ["a", "b"], key: "anna"),
            event(ms(300), "user.scroll"), set(ms(300), "scroll.anchor", "a"),
        ]
        let moved = event(ms(400), "client.scrolled", ["cause": "new_message", "to": "end"])
        #expect(fails(.screenKeepsPlace, scrolled + [moved]))
        #expect(!fails(.screenKeepsPlace, scrolled + [event(ms(400), "user.send"), moved]))
        let away = [set(ms(500), "view.conversation", "ben"), set(ms(500), "scroll.anchor", .null)]
        let back = set(ms(600), "view.conversation", "anna")
        #expect(fails(.screenKeepsPlace, scrolled + away + [back]))
        #expect(!fails(.screenKeepsPlace, scrolled + away + [back, set(ms(600), "scroll.anchor", "a")]))
    }

    @Test("screen_keeps_place fails if the newest message disappears, unless it reappears at once")
    func lostRows() {
        let two = [set(ms(200), "conversation.messages", ["a", "b"], key: "anna")]
        let one = set(ms(300), "conversation.messages", ["a"], key: "anna")
        #expect(fails(.screenKeepsPlace, two + [one]))
        #expect(
            !fails(.screenKeepsPlace, two + [one, set(ms(300), "conversation.messages", ["a", "b"], key: "anna")])
        )
        #expect(!fails(.screenKeepsPlace, two + [set(ms(300), "conversation.messages", ["b"], key: "anna")]))
        #expect(!fails(.screenKeepsPlace, two + [one, event(ms(300), "client.signed_out")]))
        #expect(!fails(.screenKeepsPlace, two + [set(ms(250), "stream.text", "half", key: "b"), one]))
    }

    @Test("opposite transitions between two conversations must have different directions")
    func directions() {
        func turn(_ time: Int64, _ conversation: String, _ direction: JSON) -> [Entry] {
            [
                event(ms(time), "client.transition", ["direction": direction]),
                set(ms(time), "view.conversation", .string(conversation)),
            ]
        }
        let forth = [set(ms(200), "view.conversation", "anna")] + turn(300, "ben", "left")
        #expect(fails(.screenKeepsPlace, forth + turn(400, "anna", "left")))
        #expect(!fails(.screenKeepsPlace, forth + turn(400, "anna", "right")))
    }

    @Test("one_at_a_time requires a prompt to end before the next prompt of the conversation begins")
    func prompts() {
        func prompt(_ time: Int64, _ what: String, _ key: String) -> Entry {
            event(ms(time), "server.prompt.\(what)", ["conversation": "anna"], key: key)
        }
        #expect(fails(.oneAtATime, [prompt(200, "began", "a"), prompt(300, "began", "b")]))
        #expect(!fails(.oneAtATime, [prompt(200, "began", "a"), prompt(250, "ended", "a"), prompt(300, "began", "b")]))
    }

    @Test("a read receipt requires a visible conversation, and a visible message must not be unread")
    func readers() {
        let received = event(ms(300), "client.received.message", ["conversation": "anna", "sequence": 1], key: "m")
        let receipt = event(ms(400), "client.sent.read_receipt", ["conversation": "anna"], key: "m")
        let open = set(ms(200), "view.conversation", "anna")
        #expect(fails(.readByTheUser, [received, receipt]))
        #expect(!fails(.readByTheUser, [open, received, receipt]))
        #expect(fails(.readByTheUser, [open, event(ms(250), "device.background"), received, receipt]))
        #expect(fails(.readByTheUser, [open, set(ms(250), "view.active", false, key: "anna"), received, receipt]))
        let sent = [open, accepted(ms(300), "m")]
        #expect(fails(.readByTheUser, sent + [receipt]))
        // The message was sent by the previous user of the phone, so the new user may read it.
        let asAnna = [set(ms(100), "app.user", "anna")] + sent
        #expect(!fails(.readByTheUser, asAnna + [set(ms(350), "app.user", "ben"), receipt]))
        // The first value of `app.user` is not a change of user, however late it is reported.
        #expect(fails(.readByTheUser, sent + [set(ms(350), "app.user", "client"), receipt]))
        #expect(fails(.readByTheUser, [open, set(ms(300), "unread", 1, key: "anna")]))
        #expect(!fails(.readByTheUser, [open, set(ms(300), "unread", 1, key: "ben")]))
        let counted = [set(ms(150), "unread", 1, key: "anna"), open]
        #expect(fails(.readByTheUser, counted))
        #expect(!fails(.readByTheUser, counted + [set(ms(200), "unread", 0, key: "anna")]))
        #expect(!fails(.readByTheUser, counted) { $0.readsOnOpening = false })
    }

    @Test("the server must reject marking as read for another user and close its connections when it stops")
    func promises() {
        let forged = event(ms(300), "server.requested.mark_read", ["conversation": "anna", "user": "ben"])
        let answer = event(ms(300), "server.answered.mark_read", ["status": 200])
        // The index of the request's event, which is the first event after those in `connectedAtOnce`.
        let index = connectedAtOnce.count
        var good = answer
        good.cause = index
        #expect(fails(.serverKeepsPromises, [forged, good]))
        var refused = event(ms(300), "server.answered.mark_read", ["status": 403])
        refused.cause = index
        #expect(!fails(.serverKeepsPromises, [forged, refused]))
        // The script has identified the client to the server as Ben, so the request is for the client's own user.
        var allowed = answer
        allowed.cause = index + 1
        #expect(!fails(.serverKeepsPromises, [event(ms(200), "server.identify"), forged, allowed]))
        let stopped = event(ms(300), "server.stopped")
        let cut = event(ms(300), "client.disconnected", ["failure": "end_of_stream"])
        #expect(fails(.serverKeepsPromises, [stopped, cut]))
        #expect(!fails(.serverKeepsPromises, [event(ms(299), "server.crash"), stopped, cut]))
        let fault = event(ms(50), "fault.began", ["fault": "cut"], key: "cut")
        #expect(!fails(.serverKeepsPromises, [fault, stopped, cut]))
        #expect(
            !fails(.serverKeepsPromises, [stopped, event(ms(300), "client.disconnected", ["failure": "closed_1001"])])
        )
    }
}
