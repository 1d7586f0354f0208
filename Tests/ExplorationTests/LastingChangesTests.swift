import ScenarioModel
import SquallCore
import Testing

@testable import Exploration

struct LastingChangesTests {
    /// A profile whose server sends no pings.
    private static let profile = Profile()

    /// Steps that change something until another step undoes it.
    private static func lasting() throws -> [Move] {
        [
            try move(.server, "limit", [("count", .integer(2)), ("per", .duration(.seconds(10)))]),
            try move(.server, "auth", [("accept", .flag(false))]),
            try move(.server, "auth", [("key", .text("another"))]),
            try move(.server, "pong", [("on", .flag(false))]),
            try move(.server, "heartbeat", [("on", .flag(true))]),
            try move(.server, "crash"),
            try move(.server, "down", [("host", .text("one.example"))]),
            try move(.server, "hold", [("frame", .text("message"))]),
            try move(.server, "hold", [("frame", .text("pong"))], label: "held"),
            try move(.server, "delay", [("frame", .text("message")), ("by", .duration(.seconds(1)))]),
            try move(.device, "network", [("state", .text("off"))]),
        ]
    }

    @Test("Every change lasts until its own undo step, and no other, is performed")
    func changesLastUntilUndone() throws {
        let steps = try Self.lasting()
        let all = LastingChanges(of: steps, Self.profile).all
        #expect(all.map(\.step) == steps)
        for (index, change) in all.enumerated() {
            let left = LastingChanges(of: steps + [change.undo], Self.profile).all
            #expect(left.map(\.step) == steps.indices.filter { $0 != index }.map { steps[$0] }, "\(change.undo)")
        }
        #expect(LastingChanges(of: steps + all.map(\.undo), Self.profile).all == [])
    }

    @Test("Faults, posts and rules for one frame are not lasting changes")
    func otherStepsDoNotLast() throws {
        let steps = [
            try move(.network, "drop"), try move(.network, "refuse"),
            try move(.server, "post", [("to", .text("stukov"))]),
            try move(.server, "delay", [("frame", .text("message")), ("count", .integer(1))]),
            try move(.server, "crash", [("down", .duration(.seconds(1)))]), Move.rest(.seconds(1)),
        ]
        #expect(LastingChanges(of: steps, Self.profile).all == [])
    }

    @Test("A network that is turned on for all clients is on for each of them")
    func networkForAllReplacesThatOfOne() throws {
        var off = try move(.device, "network", [("state", .text("off"))])
        off.clients = [ClientID("ben")]
        let on = try move(.device, "network", [("state", .text("on"))])
        #expect(LastingChanges(of: [off], Self.profile).all.map(\.undo.clients) == [[ClientID("ben")]])
        #expect(LastingChanges(of: [off, on], Self.profile).all == [])
    }

    @Test("A heartbeat with another interval lasts until the usual one is set again")
    func anotherIntervalLasts() throws {
        let faster = try move(.server, "heartbeat", [("on", .flag(true)), ("every", .duration(.seconds(1)))])
        let change = try #require(LastingChanges(of: [faster], Self.profile).all.first)
        #expect(LastingChanges(of: [faster, change.undo], Self.profile).all == [])
    }

    @Test("A later change of the same setting replaces the earlier one")
    func changesAreReplaced() throws {
        let limits = try [1, 2].map {
            try move(.server, "limit", [("count", .integer($0)), ("per", .duration(.seconds(10)))])
        }
        #expect(LastingChanges(of: limits, Self.profile).all.map(\.step) == [limits[1]])
    }
}
