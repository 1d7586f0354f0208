import ChatWire
import FakeServer
import SquallCore
import Testing

@Suite struct MediaRouteTests {
    private static let name = "messages/stukov/c1/photo.jpg"

    @Test("An uploaded image and its thumbnail are served once the upload is complete")
    func anImageIsServedOnceComplete() throws {
        var stage = Stage()
        let first = UploadPart(offset: 0, size: 10_000)
        let body = [UInt8](repeating: 0, count: 6000)
        let part = try stage.fetch(.upload(name: Self.name, part: first), body: body)
        #expect(try UploadReceipt.decode(part.body, stage.wire).url == nil)
        #expect(try stage.fetch(.media(name: Self.name)).status == 404)
        let rest = UploadPart(offset: 6000, size: 10_000)
        let whole = try stage.fetch(.upload(name: Self.name, part: rest), body: Array(body.prefix(4000)))
        let receipt = try UploadReceipt.decode(whole.body, stage.wire)
        #expect(receipt.url == "/media/messages%2Fstukov%2Fc1%2Fphoto.jpg")
        #expect(receipt.thumbnailURL == "/thumbnails/messages%2Fstukov%2Fc1%2Fphoto.jpg")
        let image = try stage.fetch(.media(name: Self.name))
        #expect(image.status == 200)
        #expect(image.body.count == 10_000)
        #expect(image.header("content-type") == "application/octet-stream")
        #expect(try stage.fetch(.thumbnail(name: Self.name)).body.count == 8192)
        #expect(try stage.fetch(.media(name: Self.name), key: nil).status == 401)
    }

    @Test("The receipt for an uploaded file that belongs to no message has no URL")
    func otherFilesHaveNoAddress() throws {
        var stage = Stage()
        for name in ["a", "messages/stukov/photo.jpg", "messages//c1/photo.jpg", "files/stukov/c1/photo.jpg"] {
            let response = try stage.fetch(.upload(name: name), body: [1])
            #expect(try UploadReceipt.decode(response.body, stage.wire) == UploadReceipt(received: 1, isComplete: true))
        }
    }

    @Test("Users outside a restricted conversation can neither upload to it nor send messages to it")
    func aForeignChatTakesNothing() throws {
        var stage = Stage()
        try stage.act("restrict", [("conversation", .text("stukov")), ("to", .text("ben cora"))])
        let refused = try stage.fetch(.upload(name: Self.name), body: [1])
        #expect(refused.status == 403)
        #expect(stage.named("server.upload_part").isEmpty)
        #expect(try stage.fetch(.upload(name: Self.name), of: "ben", body: [1]).status == 201)
        #expect(try stage.fetch(.upload(name: "messages/other/c1/x"), body: [1]).status == 201)
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).errors.map(\.code) == [.notMember])
        let body = SendBody(clientMessageID: "c2", text: "hi").encode(stage.wire)
        #expect(try stage.fetch(.send(conversation: "stukov"), body: body).status == 403)
    }

    @Test("The record of a stored message states how many bytes of its image have been uploaded")
    func aMessageSaysWhatOfItsImageIsHere() throws {
        var stage = Stage()
        let anna = stage.join()
        _ = try stage.fetch(.upload(name: Self.name), body: [1, 2, 3])
        let media = MessageMedia(type: "image", url: ChatRoute.media(name: Self.name).target(stage.wire))
        let send = ClientFrame.SendRequest(clientMessageID: "c1", conversation: "stukov", text: "", media: media)
        stage.say(.send(send), on: anna)
        #expect(stage.named("server.stored").last?.fields["media_bytes"] == 3)
        stage.say(.send(send), on: anna)
        var other = send
        other.media = nil
        stage.say(.send(other), on: anna)
        #expect(stage.frames(anna).roles == [.confirm, .confirm, .error], "a duplicate must have the same image")
    }

    @Test("The image of a posted message can be fetched") func postedImagesCanBeFetched() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act(
            "post",
            [
                ("to", .text("stukov")), ("count", .integer(2)), ("media", .text("image")),
                ("every", .duration(.seconds(1))),
            ]
        )
        #expect(stage.frames(anna).messages.count == 1)
        stage.advance(.seconds(1))
        let second = try #require(stage.frames(anna).messages.first?.media)
        #expect(second.metadata == MediaMetadata(width: 1200, height: 900))
        let url = try #require(second.url)
        let route = try #require(ChatRoute.parse(method: "GET", target: url, stage.wire))
        #expect(try stage.fetch(route).body.count == 100_000)
    }
}
