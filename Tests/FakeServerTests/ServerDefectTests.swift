import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

@Suite struct ServerDefectTests {
    private func policy(_ name: String) throws -> ServerPolicy {
        var policy = ServerPolicy()
        try #require(ServerDefect.named(name)).change(&policy)
        return policy
    }

    private func stage(_ name: String, _ adjust: (inout ServerProfile) -> Void = { _ in }) throws -> Stage {
        var profile = ServerProfile()
        adjust(&profile)
        return Stage(profile: profile, policy: try policy(name))
    }

    // MARK: The table

    @Test("Every defect changes the server's policy, and no two defects make the same change")
    func everyDefectChangesSomethingAndNoTwoTheSame() throws {
        let policies = try ServerDefect.all.map { try policy($0.name) }
        #expect(!policies.contains(ServerPolicy()))
        #expect(Set(policies).count == policies.count)
        #expect(ServerDefect.all.map(\.name) == ServerDefect.all.map(\.name).sorted())
        #expect(ServerDefect.all.allSatisfy { !$0.rows.isEmpty && !$0.breaks.isEmpty })
    }

    @Test("Any two defects can be applied in either order") func anyTwoCommute() {
        for first in ServerDefect.all {
            for second in ServerDefect.all {
                var one = ServerPolicy()
                var other = ServerPolicy()
                first.change(&one)
                second.change(&one)
                second.change(&other)
                first.change(&other)
                #expect(one == other, "\(first.name) and \(second.name)")
            }
        }
    }

    // MARK: Effects of defects

    @Test("abruptShutdown: a drain resets connections without a notice") func abruptShutdown() throws {
        var stage = try stage("abruptShutdown")
        let anna = stage.join()
        try stage.act("drain")
        #expect(stage.frames(anna).isEmpty)
        stage.advance(.milliseconds(100))
        #expect(stage.close(anna) == nil)
        #expect(stage.end(anna) == .rst)
        stage.advance(.seconds(2))
        let ben = stage.join("ben")
        try stage.act("stop")
        #expect(stage.end(ben) == .rst)
    }

    @Test("ackNoop: an acknowledged message is replayed again") func ackNoop() throws {
        var stage = try stage("ackNoop") { $0.replay.mode = .untilAcknowledged }
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov")))
        stage.say(.messageAck(id: "m1-000001"), on: first)
        stage.hangUp(first)
        let second = stage.connect(session: session)
        #expect(stage.frames(second).replays.first?.messages.count == 1)
    }

    @Test("idsPerConversation: messages in different conversations have the same id") func idsPerConversation() throws {
        var stage = try stage("idsPerConversation")
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov")))
        stage.act(.post(.init(to: "kerrigan")))
        stage.say(.sync(lastSequence: 0), on: anna)
        #expect(stage.frames(anna).replays.last?.messages.map(\.id) == ["m1", "m1"])
    }

    @Test("liveNeverReplayed: a message sent to a connected client is not replayed") func liveNeverReplayed() throws {
        var stage = try stage("liveNeverReplayed") { $0.replay.mode = .untilAcknowledged }
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov")))
        stage.hangUp(first)
        stage.act(.post(.init(to: "stukov")))
        let second = stage.connect(session: session)
        #expect(stage.frames(second).replays.map { $0.messages.map(\.sequence) } == [[2]])
    }

    @Test("limitSharedByClients: a client may not send because another has used up the limit")
    func limitSharedByClients() throws {
        var stage = try stage("limitSharedByClients") { $0.rateLimit.count = 1 }
        let (anna, ben) = (stage.join("anna"), stage.join("ben"))
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: ben)
        #expect(stage.frames(ben).confirmations.isEmpty)
    }

    @Test("lostUpdate: a read receipt resets the whole unread count") func lostUpdate() throws {
        var stage = try stage("lostUpdate")
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov", count: 3)))
        stage.say(.readReceipt(conversation: "stukov", messageID: "m1-000001"), on: anna)
        let counts = try UnreadCounts.decode(stage.fetch(.unread).body, stage.wire).counts
        #expect(counts.map(\.unread) == [0])
    }

    @Test("refusalKeepsOpen: a rejected login leaves the connection open") func refusalKeepsOpen() throws {
        var stage = try stage("refusalKeepsOpen")
        let anna = stage.open("anna")
        stage.say(.connect(.init(key: "wrong")), on: anna)
        #expect(stage.close(anna) == nil)
    }

    @Test("noMessageId: messages contain no message_id") func noMessageId() throws {
        var stage = try stage("noMessageId")
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov")))
        stage.say(.sync(lastSequence: 0), on: anna)
        stage.say(.send("c1"), on: anna)
        // Without a `message_id`, neither message is a valid frame of the protocol.
        #expect(stage.oddities(anna).count == 2)
        #expect(stage.oddities(anna).allSatisfy { !"\($0)".contains("message_id") })
        #expect(stage.frames(anna).confirmations.count == 1)
    }

    @Test("noReplay: missed messages are not replayed") func noReplay() throws {
        var stage = try stage("noReplay") { $0.replay.mode = .untilAcknowledged }
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov")))
        stage.hangUp(first)
        let second = stage.connect(session: session)
        stage.say(.sync(lastSequence: 0), on: second)
        #expect(stage.frames(second).roles == [.hello, .connected])
    }

    @Test("noSessionLock: a second prompt is accepted while the first runs") func noSessionLock() throws {
        var stage = try stage("noSessionLock") { $0.work.span = .seconds(10) }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).errors.isEmpty)
        #expect(stage.named("server.prompt.began").count == 2)
    }

    @Test("replySentOnce: a prompt that is sent again is answered with its confirmation only") func replySentOnce()
        throws
    {
        var stage = try stage("replySentOnce") { $0.work.span = .seconds(10) }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.advance(.seconds(11))
        _ = stage.frames(anna)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).count == 1)
    }

    @Test("refusalNamesTheByte: the refusal of a key with the right length names the first wrong byte")
    func refusalNamesTheByte() throws {
        var stage = try stage("refusalNamesTheByte")
        let refusals = ["kex-1", "key-12"].map { key in
            let link = stage.open()
            stage.say(.connect(.init(key: key)), on: link)
            return stage.frames(link).last
        }
        let texts = refusals.map { if case .authError(let text) = $0 { text } else { "" } }
        #expect(texts == ["Byte 2 of the key is wrong", ServerProfile().auth.message])
    }

    @Test("replayableAuth: a repeated login is accepted") func replayableAuth() throws {
        var stage = try stage("replayableAuth") { $0.auth.window = .seconds(300) }
        let freshness = ClientFrame.Freshness(nonce: "n1", timestamp: ServerProfile().clock.epoch)
        for _ in 0..<2 {
            let link = stage.open()
            stage.say(.connect(.init(key: "key-1", freshness: freshness)), on: link)
            #expect(stage.frames(link).roles.last == .connected)
        }
    }

    @Test("stopRefused: stopping a prompt that is not running is answered with an error") func stopRefused() throws {
        var stage = try stage("stopRefused")
        let anna = stage.join()
        stage.say(.stop(id: "stukov"), on: anna)
        #expect(stage.frames(anna).roles.last == .error)
    }

    @Test("openStorage: uploads need neither a key nor membership") func openStorage() throws {
        var stage = try stage("openStorage")
        #expect(try stage.fetch(.upload(name: "a"), key: nil, body: [1]).status == 201)
        #expect(try stage.fetch(.unread, key: nil).status == 401)
        try stage.act("restrict", [("conversation", .text("stukov")), ("to", .text("ben"))])
        #expect(try stage.fetch(.upload(name: "messages/stukov/c1/x"), body: [1]).status == 201)
    }

    @Test("pagesNewestFirst: a page begins with its newest message") func pagesNewestFirst() throws {
        var stage = try stage("pagesNewestFirst")
        stage.act(.history(.init(conversation: "stukov", count: 3)))
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 50)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        #expect(page.messages.map(\.sequence) == [3, 2, 1])
    }

    @Test("stopEndsAllWork: stopping an unknown id ends the prompt in progress") func stopEndsAllWork() throws {
        var stage = try stage("stopEndsAllWork") { $0.work.span = .seconds(10) }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.stop(id: "unknown"), on: anna)
        #expect(stage.named("server.prompt.ended").count == 1)
    }

    @Test("uploadsIntoAnyChat: uploads need a key, but no membership") func uploadsIntoAnyChat() throws {
        var stage = try stage("uploadsIntoAnyChat")
        #expect(try stage.fetch(.upload(name: "messages/stukov/c1/x"), key: nil, body: [1]).status == 401)
        try stage.act("restrict", [("conversation", .text("stukov")), ("to", .text("ben"))])
        #expect(try stage.fetch(.upload(name: "messages/stukov/c1/x"), body: [1]).status == 201)
    }

    @Test("clientOnlyAuthorisation: any user may delete a message") func clientOnlyAuthorisation() throws {
        var stage = try stage("clientOnlyAuthorisation")
        stage.act(.post(.init(to: "stukov")))
        #expect(try stage.fetch(.delete(message: "m1-000001")).status == 200)
        #expect(stage.named("server.deleted").count == 1)
    }

    @Test("deletedBySystem: the record of a deletion does not name the user") func deletedBySystem() throws {
        var stage = try stage("deletedBySystem")
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        #expect(try stage.fetch(.delete(message: "m1-000001")).status == 200)
        #expect(stage.named("server.deleted").first?.fields["deleted_by"] == "system")
    }

    @Test("deletedSortedByDeletion: a page has its deleted messages in the order of their deletion")
    func deletedSortedByDeletion() throws {
        var stage = try stage("deletedSortedByDeletion") { $0.page.order = .byIndex }
        let anna = stage.join()
        for id in ["c1", "c2", "c3"] { stage.say(.send(id, id), on: anna) }
        for id in ["m1-000003", "m1-000001"] { #expect(try stage.fetch(.delete(message: id)).status == 200) }
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 10)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        #expect(page.messages.map(\.sequence) == [2, 3, 1])
    }

    @Test("hardDelete: a deleted message is not kept") func hardDelete() throws {
        var stage = try stage("hardDelete")
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        #expect(try stage.fetch(.delete(message: "m1-000001")).status == 200)
        #expect(stage.named("server.deleted").first?.fields["kept"] == false)
        stage.say(.sync(lastSequence: 0), on: anna)
        #expect(stage.frames(anna).replays.first?.messages.isEmpty == true)
    }

    @Test("presencePerDevice: a user goes offline when the first device disconnects") func presencePerDevice() throws {
        var stage = try stage("presencePerDevice") { $0.presence.announced = true }
        for device in ["phone", "tablet"] {
            try stage.act("identify", [("client", .text(device)), ("user", .text("anna"))])
        }
        let ben = stage.join("ben")
        let phone = stage.join("phone")
        _ = stage.join("tablet")
        _ = stage.frames(ben)
        stage.hangUp(phone)
        #expect(stage.frames(ben).roles == [.presence])
    }

    @Test("presenceStuck: a silent client is never disconnected") func presenceStuck() throws {
        var stage = try stage("presenceStuck") {
            $0.presence.announced = true
            $0.heartbeat.silenceLimit = .seconds(60)
        }
        let anna = stage.join("anna")
        stage.advance(.seconds(3600))
        #expect(stage.end(anna) == nil)
    }

    @Test("queueLostOnRestart: a restart loses messages that were not delivered", arguments: ReplayMode.allCases)
    func queueLostOnRestart(_ mode: ReplayMode) throws {
        var stage = try stage("queueLostOnRestart") { $0.replay.mode = mode }
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov", count: 2)))
        try stage.act("restart", [("down", .duration(.seconds(1)))])
        stage.advance(.seconds(1))
        stage.act(.post(.init(to: "stukov")))
        let second = stage.connect(session: session)
        let replayed = stage.frames(second).replays.flatMap(\.messages).map(\.sequence)
        #expect(replayed == (mode == .untilAcknowledged ? [3] : []))
        stage.say(.sync(lastSequence: 0), on: second)
        let replay = try #require(stage.frames(second).replays.first)
        #expect(replay.messages.map(\.sequence) == [3])
        #expect(!replay.complete)
    }
}
