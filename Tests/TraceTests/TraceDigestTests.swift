import SquallCore
import Testing
import Trace

@Suite struct TraceDigestTests {
    @Test("The digest of a trace is reproducible and equals a recorded constant")
    func stable() {
        #expect(recording(variety).digest == recording(variety).digest)
        #expect(recording([]).digest == "22d85fb801f1b909")
        #expect(recording(variety).digest == "1edbee2f8220dc1d")
    }

    @Test("The digest of a trace does not depend on the header")
    func header() {
        var other = recording(variety)
        other.header.tool = "squall 2.0"
        #expect(other.digest == recording(variety).digest)
    }

    @Test("Any change to the events or the end of a trace changes its digest")
    func sensitivity() {
        let base = recording(variety)
        var changed: [Recording] = []
        func vary(_ change: (inout Recording) -> Void) {
            var copy = base
            change(&copy)
            changed.append(copy)
        }
        vary { $0.end = ms(999) }
        vary { $0.events.removeLast() }
        vary { $0.events.swapAt(0, 1) }
        for index in base.events.indices {
            vary { $0.events[index].time = $0.events[index].time + TimeSpan(nanoseconds: 1) }
            vary { $0.events[index].client = nil }
            vary { $0.events[index].client = ClientID("ben") }
            vary { $0.events[index].cause = 0 }
            vary { $0.events[index].observation.name += "x" }
            vary { $0.events[index].observation.key = "x" }
            vary {
                $0.events[index].observation.provenance =
                    .injected == $0.events[index].observation.provenance ? .observed : .injected
            }
            for change in [
                Change.happened([:]), .set([]), .inserted(at: 0, []), .removed(at: 0), .removed(at: 1),
                .replaced(at: 0, []),
            ] {
                vary { $0.events[index].observation.change = change }
            }
        }
        let digests = Set(changed.map(\.digest) + [base.digest])
        #expect(digests.count == changed.count + 1)
    }

    @Test("The digest of adjacent texts depends on where each text ends")
    func boundaries() {
        let pairs: [(Observation, Observation)] = [
            (happened("ab", key: "c"), happened("a", key: "bc")), (happened("a", key: ""), happened("a")),
            (.set("a", to: ["b", "c"]), .set("a", to: ["bc"])),
            (.set("a", to: [["b"], "c"]), .set("a", to: [["b", "c"]])),
            (.set("a", to: 1), .set("a", to: "1")), (.set("a", to: nil), .set("a", to: false)),
        ]
        for (one, other) in pairs { #expect(recording([one]).digest != recording([other]).digest) }
    }
}
