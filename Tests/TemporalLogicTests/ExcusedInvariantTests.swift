import SquallCore
import TemporalLogic
import Testing

/// Tests that the invariants excuse the client for effects of the network, the server or the user, but for nothing
/// else.
@Suite struct ExcusedInvariantTests {
    @Test(
        "a client that was asked to stay disconnected need not connect until its user asks for it",
        arguments: [
            [event(ms(500), "user.disconnect").of("client")],
            [event(ms(500), "user.sign_out").of("client"), event(ms(500), "client.signed_out")],
            [event(ms(500), "client.disconnected", ["failure": "closed_1000"])],
        ]
    )
    func away(reason: [Entry]) {
        let gone = connectedAtOnce + reason + [connection(ms(500), "idle")]
        #expect(judge(.liveness, gone, end: ms(90_000)).outcome == .pass)
        let opened = gone + [event(ms(600), "user.open").of("client")]
        #expect(judge(.liveness, opened, end: ms(90_000)).outcome == .pass)
        let attempt = opened + [event(ms(700), "client.attempt.began", ["number": 1])]
        #expect(judge(.terminalMeansStop, attempt, end: ms(90_000)).outcome == .fail)
        let back = gone + [event(ms(600), "user.sign_in").of("client")]
        #expect(judge(.liveness, back, end: ms(90_000)).outcome == .fail)
    }

    @Test("liveness: opening a conversation does not restart the time limit for connecting")
    func openedMeanwhile() {
        let lost = connectedAtOnce + [event(ms(500), "client.disconnected"), connection(ms(500), "reconnecting")]
        let opened = lost + [event(ms(29_000), "user.open").of("client")]
        #expect(judge(.liveness, opened, end: ms(31_000)).outcome == .fail)
    }

    @Test("a server that has lost its state may store a message again, but only once")
    func forgotten() {
        let entries = [stored(ms(1), "m"), event(ms(2), "server.state_lost"), stored(ms(3), "m")]
        #expect(judge(.noDuplicateEffect, entries, end: ms(9)).outcome == .pass)
        #expect(judge(.noDuplicateEffect, entries + [stored(ms(4), "m")], end: ms(9)).outcome == .fail)
    }

    @Test("a network fault excuses reordered messages only on the connection that it affected")
    func reordered() {
        let send = [accepted(ms(200), "a"), accepted(ms(200), "b")]
        let wire = [event(ms(201), "client.sent.send", key: "a"), event(ms(201), "client.sent.send", key: "b")]
        let late = [stored(ms(300), "b"), stored(ms(301), "a", 2)]
        let network = event(ms(202), "network.frames", ["direction": "upstream", "action": "reorder"]).of("client")
        #expect(judge(.order, connectedAtOnce + send + wire + late, end: ms(900)).outcome == .fail)
        #expect(judge(.order, connectedAtOnce + send + wire + [network] + late, end: ms(900)).outcome != .fail)
        let again = [
            event(ms(203), "client.attempt.began", ["number": 2]), event(ms(204), "client.sent.send", key: "b"),
        ]
        #expect(judge(.order, connectedAtOnce + send + wire + [network] + again + late, end: ms(900)).outcome == .fail)
    }

    @Test("a duplicate that appears while the network corrupts bytes is excused, but a later one is not")
    func corrupted() {
        let noise = event(ms(100), "fault.began", ["fault": "corrupt"], key: "noise")
        let quiet = event(ms(400), "fault.ended", ["fault": "corrupt"], key: "noise")
        func twice(_ time: Instant, _ key: JSON) -> Entry {
            set(time, "conversation.messages", .array([key, key]), key: "stukov")
        }
        #expect(judge(.noDuplicateEffect, [noise, twice(ms(200), "m"), quiet], end: ms(900)).outcome == .pass)
        #expect(judge(.noDuplicateEffect, [noise, quiet, twice(ms(500), "m")], end: ms(900)).outcome == .fail)
    }

    @Test("a label assigned after a message was created refers to the same message")
    func lateLabel() {
        func post(_ key: String, _ sequence: Int64) -> Entry {
            let fields: JSON = ["conversation": "stukov", "sequence": .integer(sequence), "origin": "post"]
            return event(ms(200), "server.stored", fields, key: key)
        }
        let posts = [post("one", 1), post("m1-000002", 2), post("three", 3)]
        let label = event(ms(300), "server.pushed", ["message_id": "m1-000002", "label": "two"], key: "two")
        let shown = set(ms(400), "conversation.messages", ["one", "two", "three"], key: "stukov")
        let all = connectedAtOnce + posts + [label, shown]
        #expect(judge(.noSilentGap, all, end: ms(90_000)).outcome == .pass)
        let partial = set(ms(400), "conversation.messages", ["one", "three"], key: "stukov")
        #expect(judge(.noSilentGap, connectedAtOnce + posts + [label, partial], end: ms(90_000)).outcome == .fail)
    }

    @Test("a gap that the client detects but never closes is a violation")
    func noticedForEver() {
        func post(_ key: String, _ sequence: Int64) -> Entry {
            let fields: JSON = ["conversation": "stukov", "sequence": .integer(sequence), "origin": "post"]
            return event(ms(200), "server.stored", fields, key: key)
        }
        let hole = [
            post("one", 1), post("two", 2), post("three", 3),
            set(ms(300), "conversation.messages", ["one", "three"], key: "stukov"),
            event(ms(300), "client.gap_detected"), event(ms(301), "client.refresh.began", ["cause": "gap"]),
        ]
        #expect(judge(.noSilentGap, connectedAtOnce + hole, end: ms(90_000)).outcome == .fail)
    }

    @Test("the messages of a user who has signed out must be delivered once that user signs in again")
    func signedOut() {
        let sent =
            connectedAtOnce + [
                event(ms(0), "server.started"), accepted(ms(200), "m"), status(ms(200), "m", "queued"),
                set(ms(300), "app.user", .null),
                event(ms(400), "client.killed"), event(ms(500), "client.started"),
            ]
        #expect(judge(.acceptedNeverLost, sent, end: ms(90_000)).outcome == .pass)
        let other = sent + [set(ms(600), "app.user", "una")]
        #expect(judge(.acceptedNeverLost, other, end: ms(90_000)).outcome == .pass)
        let back = sent + [set(ms(600), "app.user", "client")]
        #expect(judge(.acceptedNeverLost, back, end: ms(90_000)).outcome == .fail)
    }
}
