import SquallCore
import TemporalLogic
import Testing

@Suite struct MessageInvariantTests {
    @Test(
        "accepted_never_lost: every one must be stored, in progress or shown as failed",
        arguments: [
            ("stored", Outcome.pass), ("queued", .pass), ("sending", .pass), ("failed", .pass), ("delivered", .fail),
            ("nothing", .fail),
        ]
    )
    func acceptedNeverLost(fate: String, outcome: Outcome) {
        var entries =
            connectedAtOnce + [
                event(ms(0), "server.started"), accepted(ms(200), "m"), accepted(ms(200), "other"),
                stored(ms(250), "other"),
                status(ms(200), "other", "sending"),
            ]
        switch fate {
        case "stored": entries.append(stored(ms(300), "m", 2))
        case "nothing": break
        default: entries.append(status(ms(300), "m", .string(fate)))
        }
        let verdict = judge(.acceptedNeverLost, entries, end: ms(60_000))
        #expect(verdict.outcome == outcome)
        if fate == "nothing" {
            #expect(
                verdict.reason.text
                    == "message m, accepted at 0.200, was not stored by the server, and its status at the end was null; expected "
                    + "queued, sending or failed"
            )
        }
    }

    @Test("After a kill the new process must show the messages that the old process accepted")
    func acceptedAcrossKill() {
        let before =
            connectedAtOnce + [
                event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "queued"),
                event(ms(5000), "client.killed"),
            ]
        #expect(judge(.acceptedNeverLost, before, end: ms(90_000)).outcome == .skipped)
        let restarted = before + [event(ms(6000), "client.started")]
        #expect(judge(.acceptedNeverLost, restarted, end: ms(7000)).outcome == .skipped)
        #expect(judge(.acceptedNeverLost, restarted, end: ms(90_000)).outcome == .fail)
        let again = restarted + [connection(ms(6500), "connected")]
        #expect(judge(.acceptedNeverLost, again, end: ms(7000)).outcome == .fail)
        let shown = restarted + [status(ms(6001), "m", "queued")]
        #expect(judge(.acceptedNeverLost, shown, end: ms(90_000)).outcome == .pass)
    }

    @Test("A message that was still being written to the client's store at a kill may be lost")
    func writeTime() {
        var patient = everything
        patient.writeTime = .milliseconds(50)
        func outcome(_ kill: Instant) -> Outcome {
            let entries =
                connectedAtOnce + [
                    event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "queued"),
                    event(kill, "client.killed"), event(ms(6000), "client.started"),
                ]
            return judge(.acceptedNeverLost, entries, end: ms(90_000), settings: patient).outcome
        }
        #expect(outcome(ms(250)) == .pass)
        #expect(outcome(ms(250, 1)) == .fail)
    }

    @Test("The storing of messages is not judged if the server is not observed")
    func foreignServer() {
        let entries = connectedAtOnce + [accepted(ms(200), "m"), status(ms(201), "m", "delivered")]
        #expect(judge(.acceptedNeverLost, entries, end: ms(90_000)).outcome == .skipped)
    }

    @Test("no_duplicate_effect: a message must not be stored, listed or shown twice")
    func noDuplicateEffect() {
        let good = [
            stored(ms(1), "m"), set(ms(2), "conversation.messages", ["m"], key: "stukov"),
            set(ms(2), "view.rows", ["m"]),
        ]
        #expect(judge(.noDuplicateEffect, good, end: ms(99)).outcome == .pass)
        #expect(judge(.noDuplicateEffect, good + [stored(ms(3), "m")], end: ms(99)).outcome == .fail)
        for (name, key) in [("conversation.messages", "stukov"), ("view.rows", nil)] as [(String, String?)] {
            let again = good + [change(ms(5), name, .inserted(at: 1, "m"), key: key)]
            let verdict = judge(.noDuplicateEffect, again, end: ms(99))
            #expect(verdict.reason.text == "\(name) contained message m twice at 0.005")
            let undone = again + [change(ms(5), name, .removed(at: 0), key: key)]
            #expect(judge(.noDuplicateEffect, undone, end: ms(99)).outcome == .pass)
        }
    }

    @Test("order: messages must be stored in the order of acceptance unless they have failed")
    func order() {
        let sent = [accepted(ms(1), "a"), accepted(ms(2), "b")]
        #expect(judge(.order, sent + [stored(ms(3), "a"), stored(ms(4), "b")], end: ms(99)).outcome == .pass)
        let verdict = judge(.order, sent + [stored(ms(3), "b"), stored(ms(4), "a")], end: ms(99))
        #expect(verdict.reason.text == "message a was stored at 0.004, after a message that the user sent later")
        let failed = sent + [status(ms(2), "a", "failed"), stored(ms(3), "b"), stored(ms(4), "a")]
        #expect(judge(.order, failed, end: ms(99)).outcome == .pass)
        #expect(judge(.order, sent + [stored(ms(3), "b")], end: ms(99)).outcome == .skipped)
        // A message with an image is stored only once the image is uploaded, so a later message may be stored first.
        var image = stored(ms(4), "a")
        image.observation.change = .happened(["conversation": "stukov", "media": "image"])
        #expect(judge(.order, sent + [stored(ms(3), "b"), image], end: ms(99)).outcome != .fail)
        // The order of messages is checked separately for each conversation.
        let apart = [
            accepted(ms(1), "a"), event(ms(2), "client.accepted", ["conversation": "kerrigan"], key: "b"),
            stored(ms(3), "b"), stored(ms(4), "a"),
        ]
        #expect(judge(.order, apart, end: ms(99)).outcome == .skipped)
    }

    @Test("order: a refused message may be stored after frames in flight, but not after frames sent later")
    func orderAfterRefusal() {
        func sent(_ time: Int64, _ key: String) -> Entry { event(ms(time), "client.sent.send", key: key) }
        let refused = event(ms(3), "client.received.error", key: "a")
        let accepted = [accepted(ms(1), "a"), accepted(ms(1), "b"), sent(2, "a")]
        let stored = [stored(ms(5), "b"), stored(ms(6), "a")]
        #expect(judge(.order, accepted + [sent(2, "b"), refused] + stored, end: ms(99)).outcome == .pass)
        #expect(judge(.order, accepted + [refused, sent(4, "b")] + stored, end: ms(99)).outcome == .fail)
        #expect(judge(.order, accepted + [sent(2, "b")] + stored, end: ms(99)).outcome == .fail)
    }

    @Test(
        "no_silent_gap: the client must request a detected gap within the time limit",
        arguments: [
            (ms(3000), Outcome.pass), (ms(3000, 1), .fail),
        ]
    )
    func noticedGap(refresh: Instant, outcome: Outcome) {
        let entries =
            connectedAtOnce + [
                event(ms(1000), "client.gap_detected", ["from": 2, "to": 3]), event(refresh, "client.refresh.began"),
            ]
        #expect(judge(.noSilentGap, entries, end: ms(9000)).outcome == outcome)
        let partial =
            connectedAtOnce + [
                event(ms(1000), "client.received.replay", ["complete": false]), event(refresh, "client.sent.sync"),
            ]
        #expect(judge(.noSilentGap, partial, end: ms(9000)).outcome == outcome)
    }

    @Test("no_silent_gap: a fault or a lost connection extends the time limit")
    func gapInTrouble() {
        let gap = connectedAtOnce + [event(ms(1000), "client.gap_detected", ["from": 2, "to": 3])]
        let faulty = gap + [event(ms(1100), "fault.began", key: "x")]
        #expect(judge(.noSilentGap, faulty, end: ms(9000)).outcome == .pass)
        let lost = gap + [event(ms(1100), "client.disconnected"), connection(ms(1100), "reconnecting")]
        #expect(judge(.noSilentGap, lost, end: ms(9000)).outcome == .pass)
        #expect(judge(.noSilentGap, gap, end: ms(9000)).outcome == .fail)
    }

    @Test("no_silent_gap: a message missing between shown messages is a violation")
    func hole() {
        let stores = ["a", "b", "c"].enumerated().map {
            stored(ms(Int64($0.offset) + 200), $0.element, Int64($0.offset) + 1)
        }
        func shown(_ keys: JSON...) -> [Entry] {
            connectedAtOnce + stores + [set(ms(300), "conversation.messages", .array(keys), key: "stukov")]
        }
        let verdict = judge(.noSilentGap, shown("a", "c"), end: ms(9000))
        #expect(
            verdict.reason.text
                == "message b is not shown at the end, although messages before and after it are"
        )
        #expect(judge(.noSilentGap, shown("a", "b", "c"), end: ms(9000)).outcome == .pass)
        // It is not sufficient that the client detects the gap and requests the message: the message must be shown.
        let noticed =
            shown("a", "c") + [
                event(ms(250), "client.gap_detected", ["from": 2, "to": 2]), event(ms(260), "client.sent.sync"),
            ]
        #expect(judge(.noSilentGap, noticed, end: ms(9000)).outcome == .fail)
        // The first list shows no message before the missing one, so the missing message may be on another page. In the
        // second case the client still has time to fill the gap.
        #expect(judge(.noSilentGap, shown("b", "c"), end: ms(9000)).outcome == .pass)
        #expect(judge(.noSilentGap, shown("a", "c"), end: ms(2299)).outcome != .fail)
    }
}
