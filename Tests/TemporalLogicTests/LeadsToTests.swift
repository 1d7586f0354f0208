import SquallCore
import TemporalLogic
import Testing

@Suite struct LeadsToTests {
    private let formula = Formula.leadsTo(
        when: happens("server.stopped"),
        then: level("connection.state", "reconnecting")
    )

    @Test(
        "'leads_to' accepts a response exactly at the bound and rejects a later one",
        arguments: [
            (ms(100), Outcome.pass), (ms(1100), .pass), (ms(1100, 1), .fail),
        ]
    )
    func bound(answer: Instant, outcome: Outcome) {
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(100), "server.stopped"),
            set(answer, "connection.state", "reconnecting"),
        ]
        let verdict = judge(formula, within: .seconds(1), entries, end: ms(5000))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "connection.state was connected from 0.100 to 1.100; expected reconnecting within 1s of server.stopped "
                    + "at 0.100"
            )
            #expect(verdict.reason.events == [1])
        }
    }

    @Test("'leads_to' accepts a state that already holds as the response")
    func alreadyThere() {
        let entries = [set(ms(0), "connection.state", "reconnecting"), event(ms(100), "server.stopped")]
        #expect(judge(formula, within: .zero, entries, end: ms(5000)).outcome == .pass)
    }

    @Test("'leads_to' requires a response to each trigger, and one response serves all pending triggers")
    func triggers() {
        let entries = [
            event(ms(100), "server.stopped"), event(ms(200), "server.stopped"),
            set(ms(300), "connection.state", "reconnecting"), set(ms(400), "connection.state", "connected"),
            event(ms(500), "server.stopped"),
        ]
        #expect(judge(formula, within: .milliseconds(200), entries, end: ms(5000)).outcome == .fail)
        let answered = entries + [set(ms(700), "connection.state", "reconnecting")]
        #expect(judge(formula, within: .milliseconds(200), answered, end: ms(5000)).outcome == .pass)
        #expect(judge(formula, within: .milliseconds(199), answered, end: ms(5000)).outcome == .fail)
    }

    @Test("'leads_to' is inconclusive if the trigger never occurs")
    func vacuous() {
        let verdict = judge(
            formula,
            within: .seconds(1),
            [set(ms(0), "connection.state", "reconnecting")],
            end: ms(5000)
        )
        #expect(verdict.outcome == .inconclusive)
        #expect(verdict.reason.text == "server.stopped never happened")
    }

    @Test("'leads_to' is inconclusive if the run ends before the bound of a pending trigger")
    func cut() {
        let entries = [event(ms(100), "server.stopped")]
        #expect(judge(formula, within: .seconds(1), entries, end: ms(1099)).outcome == .inconclusive)
        #expect(judge(formula, within: .seconds(1), entries, end: ms(1100)).outcome == .fail)
    }

    @Test("'leads_to' requires the response to follow its trigger")
    func eventOrder() {
        let formula = Formula.leadsTo(when: happens("client.sent.ping"), then: happens("client.received.pong"))
        let ping = event(ms(100), "client.sent.ping")
        let pong = event(ms(100), "client.received.pong")
        #expect(judge(formula, within: .seconds(1), [ping, pong], end: ms(5000)).outcome == .pass)
        #expect(judge(formula, within: .seconds(1), [pong, ping], end: ms(5000)).outcome == .fail)
    }

    @Test("'leads_to' does not accept the trigger event itself as its response")
    func itself() {
        let formula = Formula.leadsTo(when: happens("client.sent.ping"), then: happens("client.sent"))
        let one = [event(ms(100), "client.sent.ping")]
        #expect(judge(formula, .run, within: .seconds(1), one, end: ms(5000)).outcome == .fail)
        let two = one + [event(ms(200), "client.sent.sync")]
        #expect(judge(formula, .run, within: .seconds(1), two, end: ms(5000)).outcome == .pass)
    }

    @Test("'leads_to' with a state as the trigger accepts a response at the same instant as the change")
    func stateAsTrigger() {
        let formula = Formula.leadsTo(when: connected, then: happens("client.sent.sync"))
        let sync = event(ms(100), "client.sent.sync")
        let state = set(ms(100), "connection.state", "connected")
        #expect(judge(formula, within: .zero, [sync, state], end: ms(5000)).outcome == .pass)
        #expect(judge(formula, within: .zero, [state, sync], end: ms(5000)).outcome == .pass)
        let early = event(ms(99), "client.sent.sync")
        #expect(judge(formula, within: .seconds(1), [early, state], end: ms(5000)).outcome == .fail)
    }

    @Test("A state triggers leads_to each time it begins to hold and when the scope opens")
    func risings() {
        let formula = Formula.leadsTo(when: connected, then: happens("client.sent.sync"))
        let entries = [
            set(ms(0), "connection.state", "connected"), event(ms(10), "client.sent.sync"),
            set(ms(20), "connection.state", "offline"), set(ms(30), "connection.state", "connected"),
        ]
        #expect(judge(formula, within: .milliseconds(20), entries, end: ms(5000)).outcome == .fail)
        let woken = [set(ms(0), "connection.state", "connected"), event(ms(50), "client.woke")]
        let scope = Scope.after(happens("client.woke"))
        #expect(judge(formula, scope, within: .milliseconds(20), woken, end: ms(5000)).outcome == .fail)
        let synced = woken + [event(ms(70), "client.sent.sync")]
        #expect(judge(formula, scope, within: .milliseconds(20), synced, end: ms(5000)).outcome == .pass)
    }

    @Test("'leads_to' with an ordinal uses only that occurrence of the event as the trigger")
    func ordinal() {
        let formula = Formula.leadsTo(when: happens("client.connected", ordinal: 2), then: happens("client.sent.sync"))
        let one = [event(ms(100), "client.connected")]
        #expect(judge(formula, within: .seconds(1), one, end: ms(5000)).outcome == .inconclusive)
        let two = one + [event(ms(2000), "client.connected"), event(ms(2100), "client.sent.sync")]
        #expect(judge(formula, within: .seconds(1), two, end: ms(5000)).outcome == .pass)
        let early = one + [event(ms(200), "client.sent.sync"), event(ms(2000), "client.connected")]
        #expect(judge(formula, within: .seconds(1), early, end: ms(5000)).outcome == .fail)
    }

    @Test("'leads_to' requires the response before the scope closes")
    func scope() {
        let scope = Scope.between(happens("client.connected"), happens("client.disconnected"))
        let formula = Formula.leadsTo(when: happens("client.sent.ping"), then: happens("client.received.pong"))
        let entries = [
            event(ms(0), "client.connected"), event(ms(100), "client.sent.ping"), event(ms(200), "client.disconnected"),
            event(ms(300), "client.received.pong"),
        ]
        let verdict = judge(formula, scope, within: .seconds(1), entries, end: ms(5000))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "client.received.pong did not happen from 0.100 to 0.200; expected before the scope closed at 0.200"
        )
    }
}
