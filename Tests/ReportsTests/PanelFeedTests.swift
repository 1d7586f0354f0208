import Reports
import SquallCore
import Testing
import Trace

@Suite("Batches of events for the panel's pages")
struct PanelFeedTests {
    private static func trace(_ build: (inout TraceSketch) -> Void) -> [TraceEvent] {
        var sketch = TraceSketch()
        build(&sketch)
        return sketch.recorder.events
    }

    private static func many(_ count: Int) -> [TraceEvent] {
        trace { sketch in
            for number in 0..<count {
                sketch.wait(1)
                sketch.happened("server.stored", "m\(number)")
            }
        }
    }

    /// Reads the feed to its end. Returns the number of events in each batch, and the number of events that had already
    /// been dropped.
    private static func read(_ feed: PanelFeed, from first: Int = 0) -> (counts: [Int], dropped: Int64) {
        var (position, counts, dropped) = (PanelFeed.Position(next: first), [Int](), Int64(0))
        while feed.hasMore(after: position) {
            let before = position.next
            let batch = feed.batch(after: position, at: .zero)
            let missed = batch.json["dropped"]?.intValue ?? 0
            dropped += missed
            counts.append(batch.position.next - before - Int(missed))
            position = batch.position
        }
        return (counts, dropped)
    }

    @Test("The panel page gets every event once, in batches of limited size")
    func batches() {
        var feed = PanelFeed(clients: [.only], batchLimit: 100)
        let events = Self.many(250)
        feed.append(Array(events[..<40]))
        feed.append(Array(events[40...]))
        #expect(Self.read(feed).counts == [100, 100, 50])
        #expect(Self.read(feed).dropped == 0)
        #expect(Self.read(feed, from: 230).counts == [20])
        #expect(Self.read(feed, from: 9_999).counts == [-9_749])
    }

    @Test("Events that the feed has discarded are counted and reported to the panel page")
    func dropped() {
        var feed = PanelFeed(clients: [.only], limit: 100, batchLimit: 1_000)
        for event in Self.many(1_000) { feed.append([event]) }
        let (counts, dropped) = Self.read(feed)
        #expect(counts.reduce(0, +) + Int(dropped) == 1_000)
        #expect(100...125 ~= counts.reduce(0, +))
    }

    @Test("The panel counts the connections that the client keeps open, not dead ones that the relay has yet to close")
    func connections() throws {
        let events = Self.trace { sketch in
            sketch.happened("network.accepted")
            sketch.shows("connection.open_sockets", nil, 1)
            sketch.happened("network.accepted")
            sketch.shows("connection.open_sockets", nil, 1)
        }
        func shown(_ events: ArraySlice<TraceEvent>) -> JSON? {
            var feed = PanelFeed(clients: [.only])
            feed.append(Array(events))
            return feed.batch(after: .init(), at: .zero).json["board"]?["clients"]?[0]?["connections"]
        }
        #expect(shown(events[...]) == 1)
        #expect(shown([events[0], events[2]]) == 2, "a client without observables is counted at the relay")
    }

    @Test("The panel lists an active fault until the fault ends")
    func faults() throws {
        func faults(_ feed: PanelFeed) -> [JSON] {
            feed.batch(after: .init(), at: .zero).json["board"]?["faults"]?.arrayValue ?? []
        }
        let events = Self.trace { sketch in
            sketch.happened("fault.began", "tunnel", ["fault": "blackhole"])
            sketch.wait(500)
            sketch.happened("fault.ended", "tunnel", ["fault": "blackhole"])
        }
        var feed = PanelFeed(clients: [.only])
        feed.append([events[0]])
        #expect(faults(feed).first?["label"] == "tunnel")
        #expect(faults(feed).first?["ended"]?.isNull == true)
        feed.append([events[1]])
        #expect(faults(feed).first?["ended"] == .integer(500_000_000))
    }

    @Test("The panel's state is sent again only after it has changed")
    func board() {
        var feed = PanelFeed(clients: [.only])
        let first = feed.batch(after: .init(), at: .zero)
        #expect(first.json["board"] != nil)
        #expect(!feed.hasMore(after: first.position))
        feed.append(Self.many(1))
        #expect(feed.batch(after: first.position, at: .zero).json["board"] == nil)
        feed.show([PanelLight(name: "liveness", state: .broken, why: "late", evidence: [0])])
        let light = feed.batch(after: first.position, at: .zero).json["board"]?["lights"]?[0]
        #expect(light?["state"] == "broken")
        #expect(light?["why"] == "late")
        feed.end("FAIL")
        #expect(feed.batch(after: first.position, at: .zero).json["board"]?["verdict"] == "FAIL")
    }
}
