import SquallCore
import TemporalLogic
import Testing
import Trace

@Suite struct ConditionWatchTests {
    /// Creates a watch on the condition, lets it observe the entries, settling after each, and returns it.
    private func watch(_ condition: Condition, clients: [ClientID] = [.only], _ entries: [Entry]) -> ConditionWatch {
        board(condition, clients: clients, entries)[0]
    }

    private func board(_ condition: Condition, clients: [ClientID] = [.only], _ entries: [Entry]) -> ConditionWatches {
        var board = ConditionWatches([condition], clients: clients)
        var state = ObservedState()
        for event in recording(entries, end: ms(9000)).events {
            let route = state.apply(event)
            board.observe(event, route, in: state)
            _ = board.settle()
        }
        return board
    }

    /// The call is wrapped because `#expect` does not accept mutating calls.
    private func settles(_ board: inout ConditionWatches) -> Bool { board.settle() }

    @Test("A state watch reports whether the state holds and counts each time it begins to hold")
    func levels() {
        let up = [set(ms(10), "connection.state", "connected")]
        let down = up + [set(ms(20), "connection.state", "offline")]
        let again = down + [set(ms(30), "connection.state", "connected")]
        #expect(!watch(connected, []).holds)
        #expect(watch(connected, up).holds)
        #expect(!watch(connected, down).holds)
        #expect(watch(connected, up).wasMet(after: -1))
        #expect(!watch(connected, up).wasMet(after: 0))
        #expect(watch(connected, again).wasMet(after: 0))
        #expect(watch(connected, again).evidence == 2)
    }

    @Test("An event watch holds once the event has occurred")
    func events() {
        let entries = [event(ms(10), "server.stored", key: "hello"), event(ms(20), "server.stored", key: "bye")]
        let seen = watch(happens("server.stored", key: "hello"), entries)
        #expect(seen.holds)
        #expect(seen.wasMet(after: -1))
        #expect(!seen.wasMet(after: 0))
        #expect(!watch(happens("server.stored", key: "other"), entries).holds)
    }

    @Test("An offset delays the time at which a watched condition holds")
    func offset() {
        var seen = board(
            happens("client.connected", offset: .milliseconds(500)),
            [event(ms(10), "client.connected")]
        )
        #expect(!seen[0].holds)
        #expect(seen.nextDue == ms(510))
        seen.advance(to: ms(509))
        #expect(!seen[0].holds)
        seen.advance(to: ms(510))
        #expect(seen[0].holds)
        #expect(seen.nextDue == nil)
    }

    @Test("A step that changes no watched observable causes no evaluation")
    func displayDelay() {
        var board = ConditionWatches([connected], clients: [.only])
        var state = ObservedState()
        let events = recording(
            [
                set(ms(1), "connection.state", "connected"), set(ms(2), "toast.text", "Hello"),
                set(ms(3), "connection.state", "offline"),
            ],
            end: ms(9)
        ).events
        func happens(_ event: TraceEvent) {
            let route = state.apply(event)
            board.observe(event, route, in: state)
        }
        happens(events[0])
        #expect(settles(&board))
        #expect(!settles(&board))
        happens(events[1])
        #expect(!settles(&board))
        happens(events[2])
        #expect(settles(&board))
        #expect(!board[0].holds)
    }

    @Test("A retired condition is no longer evaluated")
    func retired() {
        var board = board(connected, [])
        board.retire(0)
        var state = ObservedState()
        for event in recording([set(ms(3), "connection.state", "connected")], end: ms(9)).events {
            let route = state.apply(event)
            board.observe(event, route, in: state)
        }
        _ = board.settle()
        #expect(!board[0].holds)
    }

    @Test("A wait for a group ends when the condition holds for the last client")
    func groups() {
        let crowd = [ClientID("anna"), ClientID("ben")]
        let condition = level("connection.state", "connected", of: .each)
        let one = [set(ms(1), "connection.state", "connected").of("anna")]
        #expect(!watch(condition, clients: crowd, one).holds)
        #expect(watch(condition, clients: crowd, one + [set(ms(2), "connection.state", "connected").of("ben")]).holds)
    }

    @Test("The reason for a failed wait contains the observed value")
    func shortfall() {
        let seen = watch(connected, [set(ms(10), "connection.state", "offline")])
        #expect(
            seen.shortfall(from: ms(5), to: ms(1000))
                == "connection.state was offline from 0.010 to 1.000; expected connected"
        )
        #expect(
            watch(happens("client.connected"), []).shortfall(from: ms(5), to: ms(1000))
                == "client.connected did not happen from 0.005 to 1.000"
        )
    }
}
