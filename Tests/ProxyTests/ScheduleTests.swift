import SquallCore
import TestSupport
import Testing

@testable import Proxy

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ScheduleTests {
    @Test("A sleeping reactor is woken only for an earlier deadline") func earliestWake() {
        func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
        var wake = EarliestWake()
        #expect([5, 5, 6, 5, 4].map { wake.schedules(at($0)) } == [true, false, false, false, true])
        wake.clearIfPassed(by: at(3))
        #expect([4].map { wake.schedules(at($0)) } == [false])
        wake.clearIfPassed(by: at(4))
        #expect([6, 7].map { wake.schedules(at($0)) } == [true, false])
        wake.clearIfPassed(by: at(6))
        #expect([Instant.never].map { wake.schedules($0) } == [false])
    }

    @Test("Overdue schedule steps are performed in the order of their times") func stepOrder() throws {
        let text = #"""
            {"name": "s", "steps": [
              {"at": 10, "every": 20, "reset": true}, {"at": 25, "disable": "p"}, {"at": 30, "enable": "p"}]}
            """#
        var schedule = try Schedule(try JSON.decode(text))
        schedule.begin(at: .zero)
        var done: [String] = []
        while let next = schedule.next(by: .zero + .milliseconds(50)) {
            done.append("\(next.step) at \(next.due.nanoseconds / 1_000_000)")
        }
        #expect(done == ["0 at 10", "1 at 25", "0 at 30", "2 at 30", "0 at 50"])
    }

    @Test(
        "An invalid schedule step is refused with the reason",
        arguments: [
            (#"{"at":5,"reset":false}"#, "schedule.steps[0].reset: expected true"),
            (#"{"at":5,"reset":"chat"}"#, "schedule.steps[0].reset: expected true"),
            (
                #"{"on":"link.acepted","reset":true}"#,
                "schedule.steps[0].on: unknown event 'link.acepted'; did you mean 'link.accepted'?"
            ),
            (
                #"{"on":{"event":"link.close"},"reset":true}"#,
                "schedule.steps[0].on.event: unknown event 'link.close'; did you mean 'link.closed'?"
            ),
        ]
    )
    func invalidSteps(_ step: String, _ words: String) throws {
        try Bench.with { bench in
            let reply = try bench.call("POST", "/schedules", #"{"name":"s","steps":[\#(step)]}"#)
            #expect(reply.status == 400 && reply["error"].stringValue == "bad request body: \(words)", "\(reply.body)")
        }
    }

    /// If a toxic lasts until its next repetition, it is removed just before it is added again.
    @Test("A toxic that lasts as long as its repeat interval is removed and added again each time")
    func repeatedToxic() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let schedule = #"""
                {"name": "day", "steps": [
                  {"at": 0, "every": 20, "add": {"proxy": "p", "toxic": {"type": "noop", "name": "n"}}, "for": 20}]}
                """#
            #expect(try bench.call("POST", "/schedules", schedule).status == 201)
            func added() -> [JSON] { bench.events.filter { $0["event"] == "toxic.added" } }
            while added().count < 6, bench.event("trouble", within: 0.02) == nil {}
            #expect(bench.event("trouble", within: 0) == nil)
            let changes = bench.events.compactMap { $0["event"]?.stringValue }.filter { $0.hasPrefix("toxic.") }
            #expect(
                changes.prefix(5) == ["toxic.added", "toxic.removed", "toxic.added", "toxic.removed", "toxic.added"]
            )
        }
    }

    /// A toxic added by a request is not part of the schedule, even if it has the same name as one of the schedule's
    /// toxics.
    @Test("A schedule removes only the toxics that the schedule has added") func expiry() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let schedule = #"""
                {"name": "day", "steps": [
                  {"at": 0, "add": {"proxy": "p", "toxic": {"type": "noop", "name": "n"}}, "for": 300},
                  {"at": 0, "add": {"proxy": "p", "toxic": {"type": "noop", "name": "other"}}, "for": 300}]}
                """#
            #expect(try bench.call("POST", "/schedules", schedule).status == 201)
            #expect(bench.event("toxic.added") { $0["toxic"] == "other" } != nil)
            #expect(try bench.call("DELETE", "/proxies/p/toxics/n").status == 204)
            #expect(try bench.call("POST", "/proxies/p/toxics", #"{"type":"noop","name":"n"}"#).status == 200)
            #expect(try bench.call("DELETE", "/schedules/day").status == 204)
            #expect(bench.event("toxic.removed") { $0["toxic"] == "other" } != nil)
            #expect(try bench.call("GET", "/proxies/p/toxics/n").status == 200)
        }
    }

    @Test(
        "A malformed schedule in a config file is refused with the reason",
        arguments: [
            (#"{"proxies":[],"schedules":{"name":"a"}}"#, "schedules: expected a list of schedules, found object"),
            (
                #"{"proxies":[],"schedules":[{"name":"a","steps":[{"at":0,"reset":true}]},{"name":"a","steps":[{"at":1,"reset":true}]}]}"#,
                "schedules[1]: duplicate name 'a'"
            ),
            (
                #"{"proxies":[],"schedules":[{"name":"a","steps":[{"at":0,"evry":5,"reset":true}]}]}"#,
                "schedules[0].steps[0]: unknown key 'evry'; did you mean 'every'?"
            ),
        ]
    )
    func aFileOfSchedulesIsReadStrictly(_ file: String, _ words: String) throws {
        let mistake = #expect(throws: ProxyFile.Mistake.self) { try ProxyFile(Array(file.utf8)) }
        #expect(mistake?.description == words)
    }
}
