import Exploration
import ScenarioModel
import SquallCore
import Testing
import Trace

@Suite("Comparing two clients")
struct BehaviourTests {
    private static func behaviour(_ observations: [Observation]) -> Behaviour {
        let header = TraceHeader(
            language: 1,
            tool: "",
            scenario: "",
            variant: nil,
            profile: "",
            seed: Seed(1),
            clock: .sim,
            defects: []
        )
        let events = observations.enumerated().map { index, observation in
            TraceEvent(index: index, time: Instant(nanoseconds: Int64(index)), client: .only, observation: observation)
        }
        return Behaviour(Recording(header: header, events: events, end: Instant(nanoseconds: 1_000)))
    }

    private static func banner(_ kinds: JSON...) -> [Observation] { kinds.map { .set("banner.kind", to: $0) } }

    private static func sent(_ count: Int) -> [Observation] {
        (0..<count).map { _ in .happened("client.sent.read_receipt", by: .observed) }
    }

    private static func kinds(
        _ tested: [Observation],
        _ others: [[Observation]],
        areAlike: Bool = true
    ) -> [BehaviourDifference.Kind] {
        let baseline = BehaviourBaseline(others.map(behaviour))
        return BehaviourDifference.all(of: behaviour(tested), from: baseline, areAlike: areAlike).map(\.kind)
    }

    @Test("equal runs have no difference; a different end, value or number of requests is a difference")
    func differences() {
        let usual = Self.banner(.null, "offline", .null) + Self.sent(1)
        #expect(Self.kinds(usual, [usual, usual]) == [])
        #expect(Self.kinds(Self.banner(.null, "offline") + Self.sent(1), [usual, usual]) == [.ends])
        #expect(Self.kinds(Self.banner(.null) + Self.sent(1), [usual, usual]) == [.shows])
        #expect(Self.kinds(Self.banner(.null, "offline", .null) + Self.sent(2), [usual, usual]) == [.asks])
    }

    @Test("differences that also occur between runs of the other client are attributed to chance and ignored")
    func chance() {
        let (one, other) = (Self.banner(.null, "offline"), Self.banner(.null, "polling"))
        #expect(Self.kinds(Self.banner(.null, "unavailable"), [one, other]) == [])
        #expect(Self.kinds(Self.banner(.null, "unavailable"), [one, one]) == [.ends, .shows])
    }

    @Test("a baseline that was saved as JSON is the same when it is read again")
    func saving() throws {
        let runs = [
            Self.banner(.null, "offline") + Self.sent(1) + [.set("message.status", key: "a", to: "sent")],
            Self.banner(.null, "polling") + Self.sent(1) + [.set("view.rows", to: ["a", "b"])],
        ]
        let baseline = BehaviourBaseline(runs.map(Self.behaviour))
        let text = baseline.json.description
        let again = try #require(BehaviourBaseline(try JSON.decode(text)))
        #expect(again == baseline)
        #expect(again.json.description == text)
        for broken: JSON in [.null, [], .object([JSONMember("names", [])])] {
            #expect(BehaviourBaseline(broken) == nil)
        }
    }

    @Test("only observables that both clients show are compared")
    func offers() {
        #expect(Self.kinds(Self.sent(1), [Self.banner("offline") + Self.sent(1)], areAlike: false) == [])
        #expect(Self.kinds(Self.sent(2), [Self.banner("offline") + Self.sent(1)], areAlike: false) == [.asks])
    }

    @Test("differences in times and metrics are ignored")
    func times() {
        let early: [Observation] = [.set("message.timestamp", key: "a", to: 1), .set("metrics.attempts", to: 1)]
        let late: [Observation] = [.set("message.timestamp", key: "a", to: 2), .set("metrics.attempts", to: 2)]
        #expect(Self.kinds(early, [late]) == [])
    }
}
