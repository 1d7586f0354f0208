import SquallCore
import Testing
import Trace

@Suite struct ParityTests {
    private func rule(_ name: String) -> ParityRule {
        switch name {
        case "connection.rtt": ParityRule(.measured)
        case "client.attempt.began", "client.backoff.began": ParityRule(.log, measured: ["delay"])
        case "client.requested.messages": ParityRule(.unordered, measured: ["ms"])
        default: ParityRule(.exact)
        }
    }

    private func project(_ observations: [Observation]) -> ParityProjection {
        ParityProjection(of: recording(observations), rule: rule)
    }

    private func difference(_ left: [Observation], _ right: [Observation]) -> ParityDifference? {
        let (one, other) = (recording(left), recording(right))
        let (mine, theirs) = (ParityProjection(of: one, rule: rule), ParityProjection(of: other, rule: rule))
        let difference = mine.firstDifference(from: theirs, one, other)
        #expect((difference == nil) == (mine == theirs))
        if difference == nil { #expect(mine.hashValue == theirs.hashValue) }
        return difference
    }

    private func state(_ word: JSON) -> Observation { .set("connection.state", to: word) }
    private func toast(_ text: JSON) -> Observation { .set("toast.text", to: text) }

    @Test("Exact: values are compared in sequence, with consecutive repeats merged")
    func exact() {
        #expect(difference([toast("a"), toast("b")], [toast("a"), toast("a"), toast("b")]) == nil)
        let wrong = difference([toast("a"), toast("b")], [toast("b"), toast("a")])
        #expect(wrong?.name.name == "toast.text")
        #expect(wrong?.position == 0)
        #expect(wrong?.left.change == .set("a"))
        #expect(wrong?.right.change == .set("b"))
        let short = difference([toast("a"), toast("b")], [toast("a")])
        #expect(short?.position == 1)
        #expect(short?.left.change == .set("b"))
        #expect(short?.right.change == nil)
        #expect(short?.right.before == [.set("a")])
        #expect(difference([], [toast("a")])?.position == 0)
    }

    /// Compares two recordings that have pings at the seconds in `left` and `right` and end at the times in `ends`.
    private func differing(_ left: [Int64], _ right: [Int64], ends: (Int64, Int64), _ name: String) -> [ObservedName] {
        func projection(_ seconds: [Int64], _ end: Int64) -> ParityProjection {
            var recorder = TraceRecorder()
            for second in seconds {
                let ping = happened(name, ["number": .integer(second)])
                recorder.record(ping, client: .only, at: .zero + .seconds(second), cause: nil)
            }
            return ParityProjection(of: recorder.recording(header(), end: .zero + .seconds(end)), rule: rule)
        }
        return projection(left, ends.0).differing(
            from: projection(right, ends.1),
            ends: (.zero + .seconds(ends.0), .zero + .seconds(ends.1)),
            grace: .milliseconds(100)
        )
    }

    @Test("A value that occurs after the end of the other run is not a difference, ordered or unordered")
    func upToTheEarlierEnd() {
        for name in ["client.sent.ping", "client.requested.messages"] {
            #expect(differing([30], [30, 61], ends: (60, 62), name) == [], "\(name)")
            #expect(differing([30, 61], [30], ends: (62, 60), name) == [], "\(name)")
            #expect(differing([30], [30, 50], ends: (60, 62), name).map(\.name) == [name])
            #expect(differing([30], [31], ends: (60, 62), name).map(\.name) == [name])
        }
        // Values are compared in alphabetical order, in which 10 precedes 9. The value 10 must nevertheless be ignored,
        // because it occurred after the end of the shorter recording.
        #expect(differing([9], [9, 10], ends: (9, 12), "client.requested.messages") == [])
    }

    @Test("Each observable and each key is compared separately, and instants are not compared")
    func apart() {
        #expect(difference([toast("a"), state("x"), toast("b")], [state("x"), toast("a"), toast("b")]) == nil)
        let one: [Observation] = [.set("unread", key: "a", to: 1), .set("unread", key: "b", to: 2)]
        #expect(difference(one, one.reversed()) == nil)
        #expect(difference(one, [.set("unread", key: "a", to: 1), .set("unread", key: "c", to: 2)])?.name.key == "b")
    }

    @Test("Each client is compared separately")
    func clients() {
        let mine = ParityProjection(of: recording([toast("a")], client: ClientID("anna")), rule: rule)
        let theirs = ParityProjection(of: recording([toast("a")], client: ClientID("ben")), rule: rule)
        #expect(mine != theirs)
    }

    @Test("Lists are compared by their edits, and an edit that changes nothing is ignored")
    func lists() {
        let rows: [Observation] = [.set("view.rows", to: ["a"]), edit("view.rows", .inserted(at: 1, "b"))]
        #expect(difference(rows, rows + [edit("view.rows", .replaced(at: 1, "b"))]) == nil)
        #expect(difference(rows, rows + [edit("view.rows", .replaced(at: 1, "c"))])?.position == 2)
        #expect(difference(rows, [rows[0], edit("view.rows", .inserted(at: 0, "b"))])?.position == 1)
    }

    @Test("Log: every payload is compared in order, except for measured fields")
    func log() {
        func backoff(_ attempt: JSON, _ delay: JSON) -> Observation {
            happened("client.backoff.began", ["attempt": attempt, "delay": delay])
        }
        #expect(difference([backoff(1, 10), backoff(2, 20)], [backoff(1, 11), backoff(2, 23)]) == nil)
        #expect(difference([backoff(1, 10), backoff(2, 20)], [backoff(2, 10), backoff(1, 20)]) != nil)
        #expect(difference([backoff(1, 10)], [backoff(1, 10), backoff(1, 10)])?.position == 1)
    }

    @Test("Unordered: events between two changes of the connection state may be in any order")
    func unordered() {
        func request(_ page: JSON, _ span: JSON = 1) -> Observation {
            happened("client.requested.messages", ["page": page, "ms": span])
        }
        let left = [state("a"), request(1, 5), request(2), state("b"), request(3)]
        #expect(difference(left, [state("a"), request(2, 7), request(1), state("b"), request(3)]) == nil)
        #expect(difference(left, [state("a"), request(1), state("b"), request(2), request(3)]) != nil)
        #expect(difference(left, [state("a"), request(1), request(1), state("b"), request(3)]) != nil)
        // Reporting an observable again with the same value does not count as a change.
        #expect(difference(left, [state("a"), request(2), state("a"), request(1), state("b"), request(3)]) == nil)
    }

    @Test("Measured: values are not compared")
    func measured() {
        #expect(
            difference([.set("connection.rtt", to: 1)], [.set("connection.rtt", to: 2), .set("connection.rtt", to: 3)])
                == nil
        )
    }

    @Test("The earliest of several differences is reported with the events around it")
    func first() {
        let left = [state("a"), toast("x"), state("b"), toast("y")]
        let right = [state("a"), toast("z"), state("c"), toast("y")]
        let found = difference(left, right)
        #expect(found?.name.name == "toast.text")
        #expect(found?.left.event == 1)
        #expect(found?.left.context.map(\.index) == [0, 1, 2, 3])
        #expect(
            found?.description == """
                toast.text, value 1: "x" (at 0.010) in one run, "z" (at 0.010) in the other
                  one run: after nothing
                      #0 0.000 connection.state = "a"
                    > #1 0.010 toast.text = "x"
                      #2 0.020 connection.state = "b"
                      #3 0.030 toast.text = "y"
                  the other: after nothing
                      #0 0.000 connection.state = "a"
                    > #1 0.010 toast.text = "z"
                      #2 0.020 connection.state = "c"
                      #3 0.030 toast.text = "y"
                """
        )
    }

    @Test("A missing event is reported together with the last events of the run that lacks it")
    func missing() {
        let left = (0..<10).map { toast(.integer($0)) } + [state("a")]
        let found = difference(left, Array(left.dropLast()))
        #expect(found?.name.name == "connection.state")
        #expect(found?.right.event == nil)
        #expect(found?.right.context.map(\.index) == Array(2..<10))
        #expect(
            found?.description.hasPrefix(
                "connection.state, value 1: \"a\" (at 0.100) in one run, none in the other\n"
            ) == true
        )
    }

    @Test("A registry entry specifies how its name is compared")
    func registry() {
        let entry = RegistryEntry(.event, "x", .fields(["a"], measured: ["b"]), parity: .log, "A thing.")
        #expect(ParityRule(entry) == ParityRule(.log, measured: ["b"]))
        #expect(ParityRule(RegistryEntry(.observable, "y", .flag, "A flag.")) == ParityRule(.exact))
    }
}
