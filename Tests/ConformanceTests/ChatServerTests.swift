import ChatWire
import Conformance
import FakeServer
import Simulation
import SquallCore
import Testing
import WebSocketWire

@Suite struct ChatServerTests {
    /// A target that meets every case's requirements.
    private static let full = ChatTarget(
        otherKey: "key-1",
        foreignConversation: "raynor",
        replaysUntilAcknowledged: true,
        locksConversations: true,
        checksFreshness: true,
        listsDeletedLast: true,
        clock: ServerProfile().clock.epoch
    )

    private func failures(
        _ target: ChatTarget = full,
        policy: ServerPolicy = ServerPolicy(),
        of pattern: String = "*"
    ) -> [String] {
        var profile = ServerProfile()
        profile.replay.mode = target.replaysUntilAcknowledged ? .untilAcknowledged : .bySequence
        if target.checksFreshness { profile.auth.window = .seconds(300) }
        if target.listsDeletedLast { profile.page.order = .byIndex }
        let cases = ChatCatalogue.cases(target).filter {
            $0.testedRole == .server && $0.summary.id.matches(pattern)
                && ChatCatalogue.reasonNotRunnable($0, target) == nil
        }
        return cases.compactMap { testCase in
            var profile = profile
            if testCase.needs.contains(.lockedConversations) { profile.work.span = .seconds(60) }
            let server = ChatServer(profile: profile, policy: policy, wire: target.wire, seed: Seed(5))
            var rig = SimulatedChatCase(testCase, target, server)
            let result = rig.play()
            guard let result, [.ok, .informational].contains(result.behavior) else {
                return "\(testCase.summary.id): \(result?.why ?? "no end")"
            }
            return nil
        }
    }

    @Test("The log of a case contains both the request and the response of the opening handshake")
    func handshakeIsLogged() throws {
        let target = ChatTarget()
        let testCase = try #require(ChatCatalogue.cases(target).first { $0.summary.id.description == "P.1.2" })
        let server = ChatServer(profile: ServerProfile(), wire: target.wire, seed: Seed(5))
        var rig = SimulatedChatCase(testCase, target, server)
        let played = rig.play()
        let log = try #require(played).log
        let heads = log.entries.prefix(2).map { String(decoding: $0.bytes.prefix(12), as: UTF8.self) }
        #expect(heads == ["GET /ws HTTP", "HTTP/1.1 101"])
        #expect(log.entries.prefix(2).map(\.direction) == [.sent, .received])
    }

    @Test("The fake server passes every case of its own protocol")
    func fakeServer() {
        #expect(failures() == [])
        #expect(failures(ChatTarget()) == [])
    }

    @Test(
        "A server with a known defect fails the cases that test for that defect",
        arguments: [
            ("noReplay", "P.3.1"), ("noMessageId", "P.3.1"), ("ackNoop", "P.9.3"), ("noReplay", "P.9.1"),
            ("liveNeverReplayed", "P.9.9"),
            ("openStorage", "R.2.8"), ("uploadsIntoAnyChat", "R.11.6"), ("stopEndsAllWork", "P.10.3"),
            ("noSessionLock", "P.11.1"), ("replayableAuth", "P.12.1"),
            ("repeatsStored", "P.2.2"), ("pagesNewestFirst", "R.9.1"), ("openUnreadWrite", "R.10.6"),
            ("openUnreadWrite", "R.10.7"), ("hardDelete", "R.12.3"), ("deletedSortedByDeletion", "R.12.3"),
        ]
    )
    func defects(name: String, id: String) throws {
        var policy = ServerPolicy()
        try #require(ServerDefect.named(name)).change(&policy)
        let failed = failures(policy: policy, of: id)
        #expect(failed.contains { $0.hasPrefix("\(id):") }, "\(failed)")
    }

    @Test("A page in the order that another profile requires fails the case about deleted messages")
    func otherPageOrder() throws {
        for listsDeletedLast in [false, true] {
            let target = ChatTarget(listsDeletedLast: listsDeletedLast)
            let testCase = try #require(ChatCatalogue.cases(target).first { $0.summary.id.description == "R.12.3" })
            var profile = ServerProfile()
            profile.page.order = listsDeletedLast ? .bySequence : .byIndex
            let server = ChatServer(profile: profile, wire: target.wire, seed: Seed(5))
            var rig = SimulatedChatCase(testCase, target, server)
            let played = rig.play()
            let result = try #require(played)
            #expect(result.behavior == .failed, "\(result.why)")
        }
    }

    @Test(
        "A server that replays nothing fails the cases that expect a confirmed message to be replayed",
        arguments: [
            ("P.3.1", CaseBehavior.nonStrict), ("P.3.4", .nonStrict), ("P.3.5", .failed), ("P.3.8", .failed),
            ("P.9.1", .failed), ("P.9.2", .failed),
        ]
    )
    func neverReplays(id: String, behavior: CaseBehavior) throws {
        var profile = ServerProfile()
        profile.replay.mode = .untilAcknowledged
        let testCase = try #require(ChatCatalogue.cases(Self.full).first { $0.summary.id.description == id })
        let server = ChatServer(profile: profile, wire: Self.full.wire, seed: Seed(5))
        var rig = SimulatedChatCase(testCase, Self.full, server) { text in
            guard var json = try? JSON.decode(text), json["type"] == "replay" else { return text }
            json.set("messages", to: [])
            json.set("complete", to: false)
            return json.description
        }
        let played = rig.play()
        let result = try #require(played)
        #expect(result.behavior == behavior, "\(result.why)")
        #expect(result.why.contains("the replay is incomplete and lacks the message"), "\(result.why)")
    }

    @Test("The fake server passes every case with a wire profile that renames all names")
    func renamed() {
        var wire = WireProfile(timestampForm: .milliseconds, webSocketPath: "/chat/live")
        for role in FrameRole.allCases { wire[type: role] = "x-\(role.rawValue)" }
        for field in WireField.allCases { wire[field] = "f\(field.rawValue)" }
        for kind in RouteKind.allCases { wire[path: kind] = "/v2\(kind.defaultPath)" }
        #expect(failures(ChatTarget(wire: wire, otherKey: "key-1", replaysUntilAcknowledged: true)) == [])
    }

    @Test("Every field of every client frame is covered by conformance cases")
    func generated() {
        let cases = ChatCatalogue.cases(ChatTarget())
        #expect(Set(cases.map(\.summary.id)).count == cases.count)
        let fields = FrameShape.all.filter { $0.origin == .client && $0.role != .connect }.flatMap(\.testedFields)
        #expect(cases.filter { $0.summary.id.matches("P.7") }.count == fields.count)
        #expect(cases.filter { $0.summary.id.matches("P.6") }.count == fields.filter(\.required).count)
        #expect(cases.filter { $0.summary.id.matches("P.4") }.count == FrameRole.fromClient.count - 3 + 2)
        #expect(cases.contains { $0.testedRole == .client })
    }

    @Test("Every route and every field of its request body is covered by conformance cases")
    func routes() {
        let cases = ChatCatalogue.cases(ChatTarget()).map(\.summary.id)
        for group in ["R.1", "R.2", "R.3", "R.4", "R.5"] {
            #expect(cases.filter { $0.matches(group) }.count == RouteKind.tested.count)
        }
        let shapes = RouteKind.allCases.compactMap { kind in ObjectShape.all.first { $0.name == kind.body } }
        // For each shape, the cases cover four bodies that are not objects, an invalid value for each field, and the
        // omission of each required field.
        let wanted = shapes.reduce(0) { $0 + 4 + $1.testedFields.count + $1.testedFields.count(where: \.required) }
        #expect(cases.filter { $0.matches("R.6") }.count == wanted)
        #expect(wanted > 8)
    }

    @Test("A case that cannot be played states the missing requirement")
    func obstacles() {
        let cases = ChatCatalogue.cases(ChatTarget())
        func reasons(_ target: ChatTarget, _ means: ChatCatalogue.Facilities = .init()) -> Set<String> {
            Set(cases.compactMap { ChatCatalogue.reasonNotRunnable($0, target, means) })
        }
        let other = "needs the key of another user in the conversation: --other-key"
        let foreign = "needs a conversation without the user: --foreign-conversation"
        let own = "needs a client that is started for this case only: --client with an adapter"
        let profiles: Set = [
            "the profile's server.work.span is 0, so that no prompt is in progress",
            "the profile's server.auth.window is 0, without a check of recorded logins",
        ]
        #expect(reasons(ChatTarget()) == profiles.union([other, foreign, own]))
        #expect(
            reasons(ChatTarget(otherKey: "key-2", foreignConversation: "raynor"), .init(hasOwnClients: true))
                == profiles.union([
                    "the profile's replay.mode is by_sequence, without unsolicited replays",
                    "needs a client that supports the command 'send': --client with an adapter that supports it",
                ])
        )
        let means = ChatCatalogue.Facilities(hasOwnClients: true, commands: ["send"])
        #expect(cases.allSatisfy { ChatCatalogue.reasonNotRunnable($0, Self.full, means) == nil })
    }
}
