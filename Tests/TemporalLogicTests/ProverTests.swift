import SquallCore
import TemporalLogic
import Testing
import Trace

@Suite struct ProverTests {
    private let trace = recording(
        [
            set(ms(0), "connection.state", "connected"), set(ms(0), "toast.text", nil),
            event(ms(10), "fault.began", key: "tunnel"),
            event(ms(100), "server.stored", ["conversation": "stukov", "sequence": 1], key: "a"),
            set(ms(100), "conversation.messages", ["a"], key: "stukov"),
            event(ms(200), "server.stopped"), set(ms(210), "connection.state", "reconnecting"),
            set(ms(220), "message.status", "delivered", key: "a"),
            event(ms(1000), "client.connected", ["resumed": true]), set(ms(1000), "connection.state", "connected"),
            set(ms(1000), "toast.text", "Reconnected."), event(ms(1100), "client.sent.ping"),
            event(ms(1200), "client.connected", ["resumed": false]), event(ms(1300), "fault.ended", key: "tunnel"),
        ],
        end: ms(3000)
    )

    @Test(
        "The prover finds a change to the trace that makes the expectation fail",
        arguments: [
            expectation(.eventually(connected), within: .milliseconds(1)),
            expectation(
                .leadsTo(when: happens("server.stopped"), then: level("connection.state", "reconnecting")),
                within: .seconds(1)
            ),
            expectation(
                .leadsTo(when: happens("client.connected"), then: level("toast.text", "Reconnected.")),
                within: .seconds(1)
            ),
            expectation(.never(offline)),
            expectation(.never(happens("client.crashed"))),
            expectation(.never(happens("client.connected", ordinal: 3))),
            expectation(.never(offline), .during(fault: "tunnel")),
            expectation(.never(level("message.status", "failed", key: .any))),
            expectation(.always(state("connection.state", "connected")), .before(happens("server.stopped"))),
            expectation(.until(state("connection.state", "connected"), happens("server.stopped")), within: .seconds(1)),
            expectation(
                .inOrder([happens("server.stopped"), happens("client.connected")], strict: false),
                within: .seconds(2)
            ),
            expectation(.count(happens("client.sent.ping"), .exactly(1), inAny: nil)),
            expectation(.count(happens("client.sent.ping"), .atLeast(1), inAny: nil)),
            expectation(.count(happens("client.crashed"), .exactly(0), inAny: nil)),
            expectation(.count(happens("client.connected"), .atMost(2), inAny: .milliseconds(300))),
            expectation(.count(offline, .exactly(0), inAny: nil)),
            expectation(
                .transitions(
                    of: ObservableReference("connection.state"),
                    are: [.equals("connected"), .equals("reconnecting"), .equals("connected")],
                    exhaustive: true
                )
            ),
            expectation(.delivered(Delivery(conversation: "stukov", lost: .exactly(0)))),
            expectation(.delivered(Delivery(conversation: "stukov", duplicated: .exactly(0)))),
            expectation(.delivered(Delivery(conversation: "stukov", unexpected: .exactly(0)))),
            expectation(.eventually(level("toast.text", "Reconnected.")), .atEnd),
            expectation(.same(ObservableReference("toast.text"), ObservableReference("toast.text")), .atEnd),
        ]
    )
    func falsifiable(claim: Claim) {
        let proof = Prover(claim).prove(trace)
        if claim.formula == .same(ObservableReference("toast.text"), ObservableReference("toast.text")) {
            // An observable compared with itself is always equal.
            guard case .unprovable = proof else {
                Issue.record("\(proof)")
                return
            }
            return
        }
        guard case .falsifiable(let mutation, let reason) = proof else {
            Issue.record("\(proof)")
            return
        }
        #expect(!mutation.text(in: trace).isEmpty)
        #expect(!reason.isEmpty)
    }

    @Test(
        "The prover stops after a limited number of tries if no change makes the expectation fail",
        arguments: [
            // No mutation can violate this expectation, because every value is either set or not set.
            expectation(
                .always(
                    StateCondition([
                        ObservablePredicate(ObservableReference("toast.text"), .not(.all([.set(true), .set(false)])))
                    ])
                )
            ),
            expectation(.count(happens("client.connected"), .atLeast(0), inAny: nil)),
            expectation(.delivered(Delivery(conversation: "stukov", lost: .atLeast(0)))),
        ]
    )
    func unprovable(claim: Claim) {
        guard case .unprovable(let tries) = Prover(claim).prove(trace) else {
            Issue.record("it was flipped")
            return
        }
        #expect(tries <= Prover.maximumTries)
    }

    @Test("The prover does not try to prove an expectation that does not pass")
    func notPassing() {
        #expect(Prover(expectation(.never(connected))).prove(trace) == .notPassing(.fail))
        let vacuous = expectation(.leadsTo(when: happens("client.crashed"), then: connected), within: .seconds(1))
        #expect(Prover(vacuous).prove(trace) == .notPassing(.inconclusive))
    }

    @Test("A change that makes the expectation inconclusive does not count as a proof")
    func inconclusiveIsNoFlip() {
        // The response always precedes the trigger, so removing the trigger only makes the expectation inconclusive.
        let claim = expectation(
            .leadsTo(
                when: happens("server.stopped"),
                then: .state(ObservablePredicate(ObservableReference("toast.text"), .set(false)))
            ),
            within: .seconds(1)
        )
        guard case .falsifiable(let mutation, _) = Prover(claim).prove(trace) else {
            Issue.record("a toast that is there all the time should break it")
            return
        }
        if case .remove(let index) = mutation { #expect(trace.events[index].name != "server.stopped") }
    }

    @Test("The number of tries is limited for a long trace too")
    func limit() {
        var entries: [Entry] = []
        for step in 0..<500 { entries.append(set(ms(Int64(step)), "outbox.count", .integer(Int64(step)))) }
        let neverBoth = ValuePredicate.not(.all([.equals("x"), .equals("y")]))
        let claim = expectation(
            .always(StateCondition([ObservablePredicate(ObservableReference("outbox.count"), neverBoth)]))
        )
        guard case .unprovable(let tries) = Prover(claim).prove(recording(entries, end: ms(600))) else {
            Issue.record("nothing is an x and a y at once")
            return
        }
        #expect(tries == Prover.maximumTries)
    }

    @Test("The prover first tries the value that a negation excludes")
    func negation() {
        let claim = expectation(
            .always(
                StateCondition([ObservablePredicate(ObservableReference("connection.label"), .not(.equals("OFFLINE")))])
            )
        )
        let trace = recording([set(ms(1), "connection.label", "ONLINE")], end: ms(600))
        guard case .falsifiable = Prover(claim).prove(trace) else {
            Issue.record("the label that is refused should break it")
            return
        }
    }

    @Test("The prover removes several events with the same effect together")
    func crowd() {
        let entries = (0..<50).flatMap { number in
            [event(ms(number), "server.sent.draining"), event(ms(100 + number), "server.closed")]
        }.sorted { $0.time < $1.time }
        let crowd = recording(entries, end: ms(900))
        let claims = [
            expectation(
                .inOrder([happens("server.sent.draining"), happens("server.closed")], strict: false),
                within: .seconds(1)
            ),
            expectation(.eventually(happens("server.closed")), within: .seconds(1)),
        ]
        for claim in claims {
            guard case .falsifiable(.removeAll(let name), _) = Prover(claim).prove(crowd) else {
                Issue.record("\(Prover(claim).prove(crowd))")
                continue
            }
            #expect(["server.sent.draining", "server.closed"].contains(name))
        }
    }

    @Test("The prover can prove an expectation about a long list of messages")
    func manyMessages() {
        var entries: [Entry] = []
        for number in 0..<100 {
            let fields: JSON = ["conversation": "stukov", "sequence": .integer(Int64(number)), "origin": "post"]
            entries.append(event(ms(Int64(number)), "server.stored", fields, key: "m\(number)"))
        }
        let keys = (0..<100).map { JSON.string("m\($0)") }
        entries.append(set(ms(200), "conversation.messages", .array(keys), key: "stukov"))
        for number in 0..<100 {
            entries.append(set(ms(300), "message.status", "delivered", key: "m\(number)"))
        }
        let long = recording(entries, end: ms(900))
        let claims: [Delivery] = [
            Delivery(conversation: "stukov", lost: .exactly(0)),
            Delivery(conversation: "stukov", duplicated: .exactly(0)),
            Delivery(conversation: "stukov", unexpected: .exactly(0)), Delivery(conversation: nil, lost: .atMost(0)),
            Delivery(conversation: "stukov", reordered: .exactly(0)),
        ]
        for claim in claims {
            guard case .falsifiable = Prover(expectation(.delivered(claim))).prove(long) else {
                Issue.record("\(claim)")
                continue
            }
        }
    }

    @Test("The prover describes the change that it made to the trace")
    func text() {
        #expect(Mutation.remove(5).text(in: trace) == "without #5 0.200 server.stopped")
        #expect(Mutation.removeAll(named: "server.stopped").text(in: trace) == "without any server.stopped")
        #expect(Mutation.delay(5, by: .seconds(1)).text(in: trace) == "with 1s more before #5 0.200 server.stopped")
        #expect(Mutation.double(5).text(in: trace) == "with #5 0.200 server.stopped twice")
        #expect(
            Mutation.change(6, to: .set("offline")).text(in: trace)
                == "with = \"offline\" instead in #6 0.210 connection.state = \"reconnecting\""
        )
        let insertion = Mutation.insert([.happened("client.crashed", by: .observed)], client: .only, at: ms(70))
        #expect(insertion.text(in: trace) == "with client.crashed added at 0.070")
    }
}
