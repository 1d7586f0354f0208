import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests the detection of expectations that were already satisfied before the script disturbed anything.
@Suite struct EarlyPassTests {
    private let trace = recording(
        [
            set(ms(0), "connection.state", "connecting"), set(ms(1), "connection.state", "connected"),
            set(ms(1), "toast.text", "Hello"), event(ms(2), "client.connected"),
            event(ms(10), "fault.began", ["fault": "drop"]), set(ms(11), "connection.state", "reconnecting"),
            set(ms(20), "toast.text", nil),
        ],
        end: ms(90_000)
    )

    private func found(_ formula: Formula, _ scope: Scope = .run, in recording: Recording? = nil) -> EarlyPass? {
        Prover(expectation(formula, scope, within: .seconds(10)))
            .earlyPass(in: recording ?? trace) { $0.name == "fault.began" }
    }

    @Test("The check finds a state that began before the first disturbance and ended after it, with both times")
    func beginners() {
        let early = found(.eventually(connected))
        #expect(early?.met == ms(1))
        #expect(early?.disturbance.time == ms(10))
        #expect(found(.until(state("connection.state", "connecting"), connected)) != nil)
        #expect(found(.inOrder([happens("client.connected"), connected], strict: false)) != nil)
    }

    @Test("The check does not report an expectation that has a scope or is judged at the end")
    func meant() {
        #expect(found(.eventually(connected), .after(happens("client.connected"))) == nil)
        #expect(found(.eventually(connected), .before(happens("fault.began"))) == nil)
        #expect(found(.eventually(connected), .atEnd) == nil)
        #expect(found(.eventually(level("connection.state", "reconnecting"))) == nil)
        #expect(found(.leadsTo(when: happens("client.connected"), then: connected)) == nil)
    }

    @Test("The check does not report events, lasting states and states that ended before the disturbance")
    func spared() {
        #expect(found(.eventually(happens("client.connected"))) == nil)
        #expect(found(.eventually(level("connection.state", "connecting"))) == nil)
        var staying = trace
        staying.events.removeLast()
        #expect(found(.eventually(level("toast.text", "Hello"))) != nil)
        #expect(found(.eventually(level("toast.text", "Hello")), in: staying) == nil)
        var calm = trace
        calm.events.remove(at: 4)
        #expect(found(.eventually(connected), in: calm) == nil)
    }
}
