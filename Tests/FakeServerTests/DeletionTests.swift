import ChatWire
import FakeServer
import SquallCore
import Testing

@Suite struct DeletionTests {
    private func delete(_ stage: inout Stage, _ id: String, by client: String = "anna") throws -> ChatResponse {
        try stage.fetch(.delete(message: id), of: client)
    }

    @Test("A deleted message keeps its place in the history, without its text") func itsPlaceAndItsRecordStay() throws {
        var stage = Stage()
        let anna = stage.join()
        let ben = stage.join("ben")
        stage.say(.send("c1", "secret"), on: anna)
        stage.act(.post(.init(to: "stukov")))
        _ = (stage.frames(anna), stage.frames(ben))
        let answer = try ChatMessage.decode(delete(&stage, "m1-000001").body, stage.wire)
        #expect(answer.isDeleted == true)
        #expect(answer.deletedBy == "anna")
        #expect(answer.text.isEmpty)
        #expect(stage.frames(anna).isEmpty, "the client that deleted it has the HTTP response")
        let told = stage.frames(ben)
        #expect(told.roles == [.deleted])
        #expect(!"\(told)".contains("secret"))
        let fields = try #require(stage.named("server.deleted").first?.fields)
        #expect(fields["kept"] == true)
        #expect(fields["is_deleted"] == true)
        #expect(fields["deleted_by"] == "anna")
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 10)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        #expect(page.messages.map(\.isDeleted) == [true, nil])
        #expect(page.messages.map(\.text) == ["", "Message 2"])
    }

    @Test("Deleting a message twice gives the same answer and one event") func aRepeatChangesNothing() throws {
        var stage = Stage()
        let anna = stage.join()
        let ben = stage.join("ben")
        stage.say(.send("c1"), on: anna)
        let first = try delete(&stage, "m1-000001")
        stage.advance(.seconds(9))
        _ = stage.frames(ben)
        let second = try delete(&stage, "m1-000001")
        #expect(second.status == 200)
        #expect(second.body == first.body)
        #expect(stage.named("server.deleted").count == 1)
        #expect(stage.frames(ben).isEmpty)
        stage.say(.send("c1"), on: anna)
        #expect(
            stage.frames(anna).confirmations.last?.duplicate == true,
            "the deleted message is still known as a duplicate"
        )
    }

    @Test("Only the sender may delete a message") func onlyTheSenderMay() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        let refused = try delete(&stage, "m1-000001", by: "ben")
        #expect(refused.status == 403)
        #expect(try ServerFrame.ServerError.decode(refused.body, stage.wire).code == .notSender)
        #expect(stage.named("server.delete_refused").map(\.fields) == [["by": "ben", "sender": "anna"]])
        #expect(stage.named("server.deleted").isEmpty)
        #expect(try delete(&stage, "m1-000009").status == 404)
        #expect(try stage.fetch(.delete(message: "m1-000001"), key: nil).status == 401)
    }

    @Test("Any device of the sender may delete a message") func anyDeviceOfTheSenderMay() throws {
        var stage = Stage()
        for device in ["phone", "tablet"] {
            try stage.act("identify", [("client", .text(device)), ("user", .text("anna"))])
        }
        let phone = stage.join("phone")
        stage.say(.send("c1"), on: phone)
        _ = stage.frames(phone)
        #expect(try delete(&stage, "m1-000001", by: "tablet").status == 200)
        #expect(stage.frames(phone).roles == [.deleted])
    }

    @Test("A sync reports the deletion of a message that the client already has") func syncReportsDeletions() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        _ = try delete(&stage, "m1-000001")
        let ben = stage.join("ben")
        stage.say(.sync(lastSequence: 2), on: ben)
        #expect(stage.frames(ben).roles == [.replay, .deleted])
        stage.say(.sync(lastSequence: 0), on: ben)
        let frames = stage.frames(ben)
        #expect(frames.roles == [.replay], "the replay itself marks the message as deleted")
        #expect(frames.replays.first?.messages.map(\.isDeleted) == [true, nil])
        stage.say(.send("c3"), on: anna)
        stage.say(.sync(lastSequence: 3), on: ben)
        #expect(stage.frames(ben).roles == [.message, .replay], "the deletion was reported before")
    }

    @Test("A deleted message does not count as unread") func deletedIsNotUnread() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        _ = try delete(&stage, "m1-000001")
        let counts = try UnreadCounts.decode(stage.fetch(.unread, of: "ben").body, stage.wire).counts
        #expect(counts.map(\.unread) == [1])
    }

    @Test("A page sorted by index lists deleted messages after all others") func aPageByIndexHasThemLast() throws {
        var stage = Stage { $0.page.order = .byIndex }
        let anna = stage.join()
        for id in ["c1", "c2", "c3"] { stage.say(.send(id, id), on: anna) }
        _ = try delete(&stage, "m1-000002")
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 10)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        #expect(page.messages.map(\.text) == ["c1", "c3", ""])
        #expect(
            stage.named("server.listed").map(\.fields) == [
                [
                    "conversation": "stukov", "messages": ["c1", "c3", ""], "sequences": ["1", "3", "2"], "deleted": 1,
                ]
            ]
        )
    }
}
