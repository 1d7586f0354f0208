import SquallCore
import TemporalLogic
import Testing

@Suite struct FileInvariantTests {
    private func shared(_ time: Instant) -> Entry {
        event(time, "client.shared", ["file": "a.jpg", "bytes": 10], key: "f")
    }

    private func uploaded(_ time: Instant) -> Entry {
        event(time, "server.uploaded", ["name": "x", "bytes": 10], key: "f")
    }

    private var before: [Entry] { connectedAtOnce + [event(ms(0), "server.started"), shared(ms(200))] }

    @Test(
        "files_stored_once fails for a file that is neither stored, in progress nor shown as failed",
        arguments: [
            ("stored", Outcome.pass), ("waiting", .pass), ("uploading", .pass), ("failed", .pass), ("done", .fail),
            ("nothing", .fail),
        ]
    )
    func filesStoredOnce(fate: String, outcome: Outcome) {
        var entries = before
        switch fate {
        case "stored": entries.append(uploaded(ms(300)))
        case "nothing": break
        default: entries.append(set(ms(300), "upload.state", .string(fate), key: "f"))
        }
        #expect(judge(.filesStoredOnce, entries, end: ms(60_000)).outcome == outcome)
    }

    @Test("files_stored_once fails for a file that is stored twice")
    func twice() {
        let verdict = judge(.filesStoredOnce, before + [uploaded(ms(300)), uploaded(ms(400))], end: ms(60_000))
        #expect(verdict.reason.text == "file f was stored a second time at 0.400")
    }

    @Test("files_stored_once requires a user's files to be stored only until that user signs out")
    func otherUser() {
        #expect(judge(.filesStoredOnce, before, end: ms(60_000)).outcome == .fail)
        let left = before + [event(ms(300), "client.signed_out")]
        #expect(judge(.filesStoredOnce, left, end: ms(60_000)).outcome == .pass)
        let later = left + [event(ms(400), "client.shared", ["file": "b.jpg", "bytes": 10], key: "g")]
        #expect(judge(.filesStoredOnce, later, end: ms(60_000)).outcome == .fail)
    }

    @Test("After a kill the new process must show the files that the old process accepted")
    func acrossKill() {
        let waiting = set(ms(201), "upload.state", "waiting", key: "f")
        let killed = before + [waiting, event(ms(5000), "client.killed"), event(ms(6000), "client.started")]
        #expect(judge(.filesStoredOnce, killed, end: ms(7000)).outcome == .skipped)
        #expect(judge(.filesStoredOnce, killed, end: ms(90_000)).outcome == .fail)
        let shown = killed + [set(ms(6001), "upload.state", "waiting", key: "f")]
        #expect(judge(.filesStoredOnce, shown, end: ms(90_000)).outcome == .pass)
    }
}
