import SquallCore
import Testing
import Trace

@Suite struct ObservedStateTests {
    private func fold(_ observations: [Observation]) -> ObservedState {
        var state = ObservedState()
        for event in recording(observations).events { state.apply(event) }
        return state
    }

    private let rows = ObservedName(client: .only, name: "view.rows", key: nil)

    @Test("The observed state holds the last value for each name, key and client")
    func values() {
        let state = fold([
            .set("unread", key: "a", to: 1), .set("unread", key: "b", to: 2), .set("unread", key: "a", to: 3),
        ])
        #expect(state[ObservedName(client: .only, name: "unread", key: "a")] == 3)
        #expect(state[ObservedName(client: .only, name: "unread", key: "b")] == 2)
        #expect(state[ObservedName(client: .only, name: "unread", key: nil)] == nil)
        #expect(state[ObservedName(client: ClientID("ben"), name: "unread", key: "a")] == nil)
        #expect(state[ObservedName(client: nil, name: "unread", key: "a")] == nil)
    }

    @Test("Events do not change the observed state")
    func events() {
        #expect(fold([happened("view.rows", ["a": 1])])[rows] == nil)
    }

    @Test("List edits are applied in order, and an edit with an invalid index changes nothing")
    func edits() {
        var observations: [Observation] = [.set("view.rows", to: ["a"])]
        func rowsAfter(_ change: Change) -> JSON? {
            observations.append(edit("view.rows", change))
            return fold(observations)[rows]
        }
        #expect(rowsAfter(.inserted(at: 1, "c")) == ["a", "c"])
        #expect(rowsAfter(.inserted(at: 1, "b")) == ["a", "b", "c"])
        #expect(rowsAfter(.replaced(at: 2, "d")) == ["a", "b", "d"])
        #expect(rowsAfter(.removed(at: 0)) == ["b", "d"])
        for wrong in [
            Change.inserted(at: 3, "x"), .inserted(at: -1, "x"), .removed(at: 2), .removed(at: -1),
            .replaced(at: 2, "x"),
        ] {
            #expect(rowsAfter(wrong) == ["b", "d"])
        }
    }

    @Test("An edit of a value that is not a list replaces the value by a list")
    func noList() {
        #expect(fold([edit("view.rows", .inserted(at: 0, "a"))])[rows] == ["a"])
        #expect(fold([.set("view.rows", to: "text"), edit("view.rows", .inserted(at: 0, "a"))])[rows] == ["a"])
    }

    @Test("Observed names are printed as they are written in a scenario")
    func names() {
        #expect(ObservedName(client: .only, name: "unread", key: "a").description == "unread[a]")
        #expect(ObservedName(client: ClientID("ben"), name: "toast.text", key: nil).description == "ben.toast.text")
    }
}
