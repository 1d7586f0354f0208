import SquallCore
import Testing
import Trace

@Suite struct TraceDiffTests {
    private let base = recording(variety)

    @Test("Two traces with the same events do not differ, even if their headers do")
    func equal() {
        var other = base
        other.header.tool = "another"
        #expect(TraceDiff.between(base, other) == nil)
    }

    @Test("The diff names the first different event and the part of it that differs")
    func parts() {
        func part(_ change: (inout TraceEvent) -> Void) -> [TraceDiff.Part]? {
            var other = base
            change(&other.events[4])
            other.events[6].observation.name = "later"
            let diff = TraceDiff.between(base, other)
            #expect(diff?.index == 4)
            return diff?.parts
        }
        #expect(part { $0.time = $0.time + TimeSpan(nanoseconds: 1) } == [.time])
        #expect(part { $0.client = nil } == [.client])
        #expect(part { $0.observation.name = "x" } == [.name])
        #expect(part { $0.observation.key = nil } == [.key])
        #expect(part { $0.observation.change = .removed(at: 0) } == [.change])
        #expect(part { $0.observation.provenance = .injected } == [.provenance])
        #expect(part { $0.cause = 1 } == [.cause])
        #expect(
            part { event in
                event.cause = 1
                event.observation.name = "x"
            } == [.name, .cause]
        )
    }

    @Test("A trace whose script was stuck differs from a trace whose script finished")
    func endings() throws {
        var other = base
        other.ending.script = .stuck(at: SourceLocation(file: "a.yaml", line: 3, column: 5), why: "w", by: base.end)
        let diff = try #require(TraceDiff.between(base, other))
        #expect(diff.parts == [.ending])
        let lines = "  - the script finished\n  + the script was stuck at a.yaml:3:5 by \(base.end): w"
        #expect(diff.description.hasSuffix(lines))
    }

    @Test("The diff contains the events around the difference")
    func context() {
        var other = base
        other.events[4].observation.name = "x"
        let diff = TraceDiff.between(base, other, context: 2)
        #expect(diff?.before.map(\.index) == [2, 3])
        #expect(diff?.leftAfter.map(\.index) == [5, 6])
        #expect(diff?.rightAfter.map(\.index) == [5, 6])
        #expect(TraceDiff.between(base, other, context: -1)?.before == [])
    }

    @Test("A trace that ends earlier differs at the first missing event")
    func presence() {
        var short = base
        short.events.removeLast(2)
        #expect(TraceDiff.between(base, short)?.parts == [.presence])
        #expect(TraceDiff.between(base, short)?.index == 7)
        #expect(TraceDiff.between(short, base)?.right?.index == 7)
        var later = base
        later.end = later.end + .seconds(1)
        #expect(TraceDiff.between(base, later)?.parts == [.end])
    }

    @Test("The trace diff is printed with minus and plus lines, like a text diff")
    func text() {
        let left = recording([variety[0], happened("a", ["n": 1])])
        let right = recording([variety[0], happened("a", ["n": 2])])
        #expect(
            TraceDiff.between(left, right)?.description == """
                event 1 differs (change)
                    #0 0.000 connection.state = "connected"
                  - #1 0.010 a {"n":1}
                  + #1 0.010 a {"n":2}
                """
        )
        var late = left
        late.events[1].time = late.events[1].time + TimeSpan(nanoseconds: 1)
        #expect(TraceDiff.between(left, late)?.description.contains("at 10000000 ns and at 10000001 ns") == true)
        var short = left
        short.events.removeLast()
        #expect(TraceDiff.between(left, short)?.description.hasSuffix("  + the run ends at 0.020") == true)
    }

    @Test("A trace event is printed on one line")
    func lines() {
        let lines = base.events.map(\.description)
        #expect(lines[2] == "#2 0.020 server.stored[hello] {\"conversation\":\"stukov\",\"sequence\":1}")
        #expect(lines[4] == "#4 0.040 conversation.messages[stukov] + \"c\" at 1")
        #expect(lines[5] == "#5 0.050 conversation.messages[stukov] item 0 = \"d\"")
        #expect(lines[6] == "#6 0.060 conversation.messages[stukov] - item 2")
        var caused = base.events[0]
        caused.cause = 7
        caused.client = ClientID("ben")
        #expect(caused.description == "#0 0.000 ben.connection.state = \"connected\" (after #7)")
    }
}
