import Exploration
import ScenarioModel
import SquallCore
import Testing

@Suite("The ledger of findings")
struct LedgerTests {
    private static func violation(_ sentence: String, state: String = "idle", faults: [String] = []) -> Violation {
        let cause = Cause(judge: "invariant order", sentence: sentence, state: state)
        return Violation(cause: cause, faults: faults, why: sentence, story: [], time: .zero)
    }

    private static func finding(_ violation: Violation, _ verbs: [String]) throws -> Finding {
        var draft = Draft()
        draft.body = try verbs.map { try #require(Move(.user, $0)) }
        return Finding(
            violation: violation,
            draft: draft,
            seed: Seed(1),
            run: 1,
            foundSize: 9,
            tries: 1,
            isMinimal: true
        )
    }

    @Test("A violation is examined once per cause and set of faults, and at most four times per expectation")
    func sightings() {
        var ledger = FindingLedger()
        let notes = [
            ledger.note(Self.violation("a", faults: ["drop"]).sighting),
            ledger.note(Self.violation("a", faults: ["drop"]).sighting),
            ledger.note(Self.violation("a", faults: ["stall"]).sighting),
            ledger.note(Self.violation("a", state: "connected").sighting),
            ledger.note(Self.violation("b").sighting),
            ledger.note(Self.violation("a", faults: ["cut"]).sighting),
            ledger.note(Self.violation("a", faults: ["flap"]).sighting),
        ]
        #expect(notes == [true, false, true, true, true, true, false])
    }

    @Test("Two findings with the same steps and failure are merged, and their runs are counted together")
    func stories() throws {
        var ledger = FindingLedger()
        let first = try Self.finding(Self.violation("a"), ["refresh", "leave"])
        for _ in 1...3 { _ = ledger.note(first.violation.sighting) }
        let places = [
            ledger.add(first),
            ledger.add(try Self.finding(Self.violation("a", state: "connected"), ["refresh", "leave"])),
            ledger.add(try Self.finding(Self.violation("a"), ["leave", "refresh"])),
            ledger.add(try Self.finding(Self.violation("b"), ["refresh", "leave"])),
        ]
        #expect(places == [0, nil, 1, 2])
        #expect(ledger.count(of: first) == 3)
    }
}
