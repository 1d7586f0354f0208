import SquallCore
import TemporalLogic
import Testing
import Trace

@testable import ScenarioModel

/// Tests which events satisfy waits that were started outside a script, and at what time.
@Suite struct ConductorTests {
    private var conductor = Conductor(clients: [.only])

    private static func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }

    /// Passes one step's observations to the conductor at the given time, and describes the waits that they satisfied.
    private mutating func see(_ observations: Observation..., at seconds: Int64) -> [String] {
        for observation in observations {
            let event = TraceEvent(index: count, time: Self.seconds(seconds), client: .only, observation: observation)
            count += 1
            conductor.observe(event)
        }
        return pass(to: seconds)
    }

    private var count = 0

    private mutating func pass(to seconds: Int64) -> [String] {
        conductor.advance(to: Self.seconds(seconds)).map { output in
            switch output {
            case .met(let number, let event): "\(number) met by \(event.map { "\($0.index)" } ?? "nothing")"
            case .missed(let number, let why): "\(number) missed: \(why)"
            case .done(let number, _): "\(number) done"
            case .seen(let number, _): "\(number) seen"
            case .judged(let number, _): "\(number) judged"
            case .refused(let number, let why): "\(number) refused: \(why)"
            case .held: "held"
            case .saw(let events): "saw \(events.count)"
            }
        }
    }

    private mutating func next(_ number: Int, _ name: String, offset: TimeSpan = .zero, at seconds: Int64) {
        let condition = Condition.event(EventPattern(name, key: nil, of: .any, ordinal: nil), offset: offset)
        conductor.begin(number, ConductedWait(condition, next: true, within: .seconds(5)), at: Self.seconds(seconds))
    }

    private static func happened(_ name: String) -> Observation { .happened(name, by: .observed) }

    @Test("An event after the last action satisfies one later wait and no more")
    mutating func anEventAfterTheLastActionIsNotMissed() {
        #expect(see(Self.happened("client.connected"), at: 1) == [])
        conductor.acts()
        #expect(see(Self.happened("client.disconnected"), at: 2) == [])
        #expect(see(Self.happened("client.connected"), at: 3) == [])
        next(1, "client.disconnected", at: 4)
        #expect(pass(to: 4) == ["1 met by 1"])
        next(2, "client.connected", at: 4)
        #expect(pass(to: 4) == ["2 met by 2"])
        // An event satisfies only one wait.
        next(3, "client.connected", at: 4)
        #expect(pass(to: 4) == [])
        #expect(see(Self.happened("client.connected"), at: 5) == ["3 met by 3"])
    }

    @Test("An event before the last action does not satisfy a wait")
    mutating func anEventBeforeTheActionDoesNotCount() {
        #expect(see(Self.happened("client.connected"), at: 1) == [])
        conductor.acts()
        next(1, "client.connected", at: 2)
        #expect(conductor.nextDeadline == Self.seconds(7))
        #expect(pass(to: 6) == [])
        let missed = pass(to: 7)
        #expect(missed.count == 1 && missed[0].hasPrefix("1 missed: client.connected did not happen"))
        #expect(missed[0].hasSuffix("within 5s"))
        #expect(conductor.nextDeadline == nil)
    }

    @Test("A state that already holds satisfies a wait for it at once")
    mutating func aStateThatHoldsMeetsALevelAtOnce() {
        let connected = ObservableReference("link.state", key: .none, of: .one(.only))
        let condition = Condition(
            event: nil,
            state: StateCondition([ObservablePredicate(connected, .equals("connected"))])
        )
        let wait = ConductedWait(condition, next: false, within: .seconds(1))
        conductor.begin(1, wait, at: .zero)
        #expect(pass(to: 0) == [])
        #expect(see(.set("link.state", to: "connected", by: .observed), at: 1) == ["1 met by 0"])
        // A wait that begins late is satisfied by the current state.
        conductor.begin(2, wait, at: Self.seconds(2))
        #expect(pass(to: 2) == ["2 met by 0"])
        #expect(see(.set("link.state", to: "none", by: .observed), at: 3) == [])
        conductor.begin(3, wait, at: Self.seconds(3))
        #expect(pass(to: 3) == [])
    }

    @Test("A wait with an offset is satisfied exactly at that offset after its event")
    mutating func anOffsetComesInItsTime() {
        next(1, "server.stopped", offset: .seconds(2), at: 0)
        #expect(see(Self.happened("server.stopped"), at: 1) == [])
        #expect(conductor.nextDeadline == Self.seconds(3))
        #expect(pass(to: 2) == [])
        #expect(pass(to: 3).count == 1)
    }

    @Test("A withdrawn wait is never answered")
    mutating func aWithdrawnWaitIsNotAnswered() {
        next(1, "server.stopped", at: 0)
        conductor.cancelWait(1)
        #expect(conductor.nextDeadline == nil)
        #expect(see(Self.happened("server.stopped"), at: 1) == [])
    }
}
