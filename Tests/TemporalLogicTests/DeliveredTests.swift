import SquallCore
import TemporalLogic
import Testing
import Trace

@Suite struct DeliveredTests {
    private func stored(
        _ time: Instant,
        _ key: String,
        _ sequence: Int64,
        in conversation: String = "stukov",
        origin: String = "post"
    )
        -> Entry
    {
        let fields: JSON = [
            "conversation": .string(conversation), "sequence": .integer(sequence), "origin": .string(origin),
        ]
        return event(time, "server.stored", fields, key: key)
    }

    private func accepted(_ time: Instant, _ key: String) -> Entry {
        event(time, "client.accepted", ["conversation": "stukov"], key: key)
    }

    private func shown(_ time: Instant, _ keys: [JSON]) -> Entry {
        set(time, "conversation.messages", .array(keys), key: "stukov")
    }

    private func judged(
        _ delivery: Delivery,
        _ entries: [Entry],
        _ scope: Scope = .run,
        within bound: TimeSpan? = nil,
        finished: Bool = true,
        end: Instant = ms(9000)
    ) -> Verdict {
        judge(.delivered(delivery), scope, within: bound, entries, end: end, finished: finished)
    }

    private let all = Delivery(
        conversation: "stukov",
        lost: .exactly(0),
        duplicated: .exactly(0),
        unexpected: .exactly(0),
        reordered: .exactly(0)
    )

    @Test("'delivered' passes if every message is stored and shown once and in order")
    func good() {
        let entries = [
            accepted(ms(10), "mine"), shown(ms(10), ["mine"]), stored(ms(100), "mine", 1, origin: "client"),
            stored(ms(200), "a", 2), change(ms(210), "conversation.messages", .inserted(at: 1, "a"), key: "stukov"),
        ]
        let verdict = judged(all, entries)
        #expect(verdict.outcome == .pass)
        #expect(verdict.reason.events == [2, 4])
    }

    @Test("'lost' counts a stored message that is not shown at the end of the run")
    func lostFromServer() {
        let entries = [stored(ms(100), "a", 1), stored(ms(100), "b", 2), shown(ms(200), ["a"])]
        let verdict = judged(all, entries)
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.text == "of 2 messages in stukov: 1 lost (b), expected exactly 0")
        #expect(verdict.reason.events == [1])
        let late = entries + [shown(ms(300), ["a", "b"])]
        #expect(judged(all, late).outcome == .pass)
        #expect(judged(all, late + [shown(ms(400), ["b"])]).outcome == .fail)
    }

    @Test("'lost' counts an accepted message that is never stored, unless it is shown as failed")
    func lostFromClient() {
        let entries = [accepted(ms(10), "mine"), shown(ms(10), ["mine"])]
        #expect(judged(all, entries).outcome == .fail)
        let queued = entries + [set(ms(20), "message.status", "queued", key: "mine")]
        #expect(judged(all, queued).outcome == .fail)
        let failed = entries + [set(ms(20), "message.status", "failed", key: "mine")]
        #expect(judged(all, failed).outcome == .pass)
        #expect(judged(all, failed + [set(ms(30), "message.status", "sending", key: "mine")]).outcome == .fail)
    }

    @Test("'duplicated' counts a message that is stored twice or shown twice at the end of an instant")
    func duplicated() {
        let base = [stored(ms(100), "a", 1), shown(ms(200), ["a"])]
        #expect(judged(all, base + [stored(ms(300), "a", 2)]).outcome == .fail)
        let again = change(ms(300), "conversation.messages", .inserted(at: 0, "a"), key: "stukov")
        let gone = change(ms(300), "conversation.messages", .removed(at: 1), key: "stukov")
        #expect(judged(all, base + [again, gone]).outcome == .pass)
        let goneLater = change(ms(301), "conversation.messages", .removed(at: 1), key: "stukov")
        let verdict = judged(all, base + [again, goneLater])
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.text == "of 1 message in stukov: 1 duplicated (a), expected exactly 0")
        let replaced = change(ms(300), "conversation.messages", .replaced(at: 0, "a"), key: "stukov")
        #expect(judged(all, base + [replaced]).outcome == .pass)
    }

    @Test("'unexpected' counts a shown message that was neither stored, accepted nor part of the history")
    func unexpected() {
        let history = [stored(ms(0), "old", 1, origin: "history"), stored(ms(100), "a", 2)]
        #expect(judged(all, history + [shown(ms(200), ["old", "a"])]).outcome == .pass)
        let verdict = judged(all, history + [shown(ms(200), ["a", "ghost"])])
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.text == "of 3 messages in stukov: 1 unexpected (ghost), expected exactly 0")
    }

    @Test("'reordered' counts a message shown after one that was stored later")
    func reordered() {
        let stores = [stored(ms(1), "a", 1), stored(ms(2), "b", 2), stored(ms(3), "c", 3)]
        #expect(judged(all, stores + [shown(ms(9), ["a", "b", "c"])]).outcome == .pass)
        let verdict = judged(all, stores + [shown(ms(9), ["c", "a", "b"])])
        #expect(verdict.outcome == .fail)
        #expect(verdict.reason.text == "of 3 messages in stukov: 2 reordered (a, b), expected exactly 0")
        // A temporarily wrong order passes if the final order is correct.
        #expect(
            judged(all, stores + [shown(ms(9), ["c", "a", "b"]), shown(ms(10), ["a", "b", "c"])]).outcome == .pass
        )
    }

    @Test("A run continues while messages are out of order or unexpected, because the client can still correct them")
    func openWhileWrong() {
        var monitors = MonitorSet([expectation(.delivered(all), within: .milliseconds(500))])
        var seen = 0
        func see(_ entry: Entry) {
            monitors.observe(
                TraceEvent(index: seen, time: entry.time, client: entry.client, observation: entry.observation)
            )
            seen += 1
        }
        see(stored(ms(1), "a", 1))
        see(stored(ms(2), "b", 2))
        #expect(monitors.requiredRunEnd == ms(502))
        see(shown(ms(100), ["b", "a"]))
        #expect(monitors.requiredRunEnd == ms(600))
        see(shown(ms(200), ["a", "b"]))
        #expect(monitors.requiredRunEnd == nil)
        see(shown(ms(300), ["a", "b", "c"]))
        #expect(monitors.requiredRunEnd == ms(800))
        see(stored(ms(310), "c", 3))
        #expect(monitors.requiredRunEnd == nil)
        // The server has now stored the message twice. No later event can correct this, so the run may end.
        see(stored(ms(320), "c", 4))
        #expect(monitors.requiredRunEnd == nil)
    }

    @Test(
        "'stale' counts a message shown too long after it was stored and the client connected",
        arguments: [
            (ms(700), Outcome.pass), (ms(700, 1), .fail),
        ]
    )
    func stale(time: Instant, outcome: Outcome) {
        let delivery = Delivery(conversation: "stukov", stale: .exactly(0))
        let entries = [
            set(ms(0), "connection.state", "connected"), set(ms(50), "connection.state", "offline"),
            stored(ms(100), "a", 1),
            set(ms(500), "connection.state", "connected"), shown(time, ["a"]),
        ]
        #expect(judged(delivery, entries, within: .milliseconds(200)).outcome == outcome)
        let online = [set(ms(0), "connection.state", "connected"), stored(ms(500), "a", 1), shown(time, ["a"])]
        #expect(judged(delivery, online, within: .milliseconds(200)).outcome == outcome)
    }

    @Test("'delivered' judges only the named conversation, or all conversations if none is named")
    func conversations() {
        let entries = [stored(ms(1), "a", 1), shown(ms(2), ["a"]), stored(ms(3), "x", 2, in: "kerrigan")]
        #expect(judged(all, entries).outcome == .pass)
        #expect(judged(Delivery(conversation: nil, lost: .exactly(0)), entries).outcome == .fail)
        #expect(judged(Delivery(conversation: nil, lost: .atMost(1)), entries).outcome == .pass)
        #expect(judged(Delivery(conversation: "kerrigan", lost: .atLeast(1)), entries).outcome == .pass)
    }

    @Test("'delivered' is inconclusive if no message was stored or sent")
    func vacuous() {
        let verdict = judged(all, [shown(ms(2), [])])
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "no message was stored or sent in stukov")
        let history = [stored(ms(0), "old", 1, origin: "history"), shown(ms(2), ["old"])]
        #expect(judged(all, history).outcome == .inconclusive)
    }

    @Test("An unfinished script excuses missing messages, but not failures that cannot be corrected")
    func unfinished() {
        let missing = [stored(ms(1), "a", 1)]
        #expect(judged(all, missing, finished: false).outcome == .inconclusive)
        #expect(judged(all, [stored(ms(1), "a", 1), shown(ms(2), ["a"])], finished: false).outcome == .inconclusive)
        #expect(judged(all, missing + [stored(ms(2), "a", 2)], finished: false).outcome == .fail)
    }

    @Test("'delivered' in a scope ignores messages stored before the scope")
    func scope() {
        let scope = Scope.after(happens("client.woke"))
        let entries = [stored(ms(1), "a", 1), event(ms(5), "client.woke"), stored(ms(6), "b", 2), shown(ms(7), ["b"])]
        #expect(judged(all, entries, scope).outcome == .pass)
        let lost = [event(ms(5), "client.woke"), stored(ms(6), "b", 2)]
        #expect(judged(all, lost, scope).outcome == .fail)
        #expect(judged(all, [stored(ms(1), "a", 1), event(ms(5), "client.woke")], scope).outcome == .inconclusive)
    }

    @Test("'delivered' judges each client by its own list of messages")
    func ofOneClient() {
        let ben = ClientID("ben")
        let delivery = Delivery(conversation: "stukov", of: .each, lost: .exactly(0))
        let entries = [stored(ms(1), "a", 1), shown(ms(2), ["a"]), shown(ms(2), ["a"]).of("ben")]
        let both = judge(.delivered(delivery), .run, entries, end: ms(50), clients: [.only, ben])
        #expect(both.outcome == .pass)
        let one = judge(.delivered(delivery), .run, Array(entries.dropLast()), end: ms(50), clients: [.only, ben])
        #expect(one.outcome == .fail)
        #expect(one.reason.text == "ben: of 1 message in stukov for ben: 1 lost (a), expected exactly 0")
    }

    @Test("A shown message that was never sent, or is shown twice, fails even if nothing was stored")
    func ghosts() {
        let ghost = [shown(ms(10), ["ghost", "ghost"])]
        let unexpected = judged(Delivery(conversation: "stukov", unexpected: .exactly(0)), ghost)
        #expect(unexpected.outcome == .fail)
        #expect(unexpected.reason.text == "of 1 message in stukov: 1 unexpected (ghost), expected exactly 0")
        let duplicated = judged(Delivery(conversation: "stukov", duplicated: .exactly(0)), ghost)
        #expect(duplicated.outcome == .fail)
        #expect(judged(Delivery(conversation: "stukov", lost: .exactly(0)), ghost).outcome == .inconclusive)
        // A claim that at least one message is lost is inconclusive if there are no messages.
        #expect(judged(Delivery(conversation: "stukov", lost: .atLeast(1)), []).outcome == .inconclusive)
        #expect(judged(all, []).outcome == .inconclusive)
    }
}
