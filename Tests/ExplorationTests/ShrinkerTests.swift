import ScenarioModel
import SquallCore
import Testing

@testable import Exploration

@Suite("Shrinking drafts")
struct ShrinkerTests {
    private static let profiles = ["default": Profile(), "other": Profile(name: "other")]

    /// Shrinks a draft, accepting each candidate for which `fails` returns true, and returns the finished shrinker.
    private static func shrunk(_ draft: Draft, while fails: (Draft) -> Bool) -> Shrinker {
        var shrinker = Shrinker(draft, profiles: profiles)
        while let candidate = shrinker.next() { shrinker.take(fails(candidate) ? .fails : .passes) }
        return shrinker
    }

    private static func storm() throws -> Draft {
        var draft = Draft(profile: "other", clients: ["anna", "ben"].map { ClientID($0) })
        draft.settings = [Draft.Setting("history.page", .integer(5))]
        draft.opening = [try move(.user, "open", [("conversation", .text("stukov"))]), .rest(.seconds(1))]
        for number in 1...10 {
            var send = try move(.user, "send", [("text", .text("a"))], label: "m\(number)")
            send.clients = [ClientID("anna")]
            draft.body += [
                try move(.network, "stall", [("for", .duration(.seconds(17))), ("toxicity", .integer(30))]),
                .rest(.milliseconds(12_345)), send, try move(.network, "drop"), .rest(.seconds(3)),
            ]
        }
        draft.body.append(try move(.user, "retry", [("message", .text("m7"))]))
        return draft
    }

    @Test("Shrinking removes all steps, settings, clients and arguments that the failure does not need")
    func everythingGoes() throws {
        let shrinker = Self.shrunk(try Self.storm()) { draft in
            draft.skeleton.contains("network.stall") && draft.skeleton.contains("network.drop")
        }
        #expect(shrinker.best.skeleton.sorted() == ["network.drop", "network.stall"])
        #expect(shrinker.best.size == 2)
        #expect(shrinker.best.settings.isEmpty)
        #expect(shrinker.best.clients == [.only])
        #expect(shrinker.best.profile == "default")
        #expect(shrinker.best.moves.allSatisfy { $0.action?.arguments.values.isEmpty ?? true })
        #expect(shrinker.isMinimal)
        #expect(shrinker.tried <= 100)
    }

    @Test("Shrinking keeps the message that a retry refers to, and the conversation of that message")
    func labelsStay() throws {
        let shrinker = Self.shrunk(try Self.storm()) { $0.skeleton.contains("user.retry") }
        #expect(shrinker.best.skeleton == ["user.open", "user.send", "user.retry"])
        #expect(shrinker.best.body.first { $0.is(.user, "send") }?.action?.arguments.label == "m7")
    }

    @Test("Every shrunk draft keeps the undisturbed period at its end")
    func calmStays() throws {
        let profile = try #require(Self.profiles["default"])
        var seen: [[Move]] = []
        _ = Self.shrunk(try Self.storm()) { draft in
            seen.append(draft.script(draft.tuned(profile)))
            return draft.skeleton.contains("network.drop")
        }
        #expect(seen.count > 10)
        for script in seen {
            #expect(script.last?.rest ?? .zero >= .seconds(75))
            let breaks = script.contains { $0.is(.network, "stall") || $0.is(.network, "drop") }
            #expect(script.contains { $0.is(.network, "heal_all") } == breaks)
        }
    }

    @Test("A draft whose smaller versions all pass stays unchanged after at most 400 runs")
    func bounded() throws {
        let draft = try Self.storm()
        let shrinker = Self.shrunk(draft) { _ in false }
        #expect(shrinker.best == draft)
        #expect(shrinker.tried <= Shrinker.most)
        #expect(shrinker.tried > draft.size)
    }
}
