import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct MediaTests {
    // MARK: Sending images

    @Test("An image is uploaded first, and then a message with its URL is sent")
    func anImageIsUploadedAndThenSentByItsAddress() throws {
        var driver = connectedDriver()
        driver.sendImage(1000, label: "photo")
        let key = driver.imageKey
        #expect(driver.sends.isEmpty)
        #expect(
            driver.requests.last?.request.target == "/uploads/messages%2Fstukov%2F\(key)%2Fphoto.jpg?offset=0&size=1000"
        )
        #expect(driver.text("message.status[\(key)]") == "sending")
        #expect(driver.text("message.kind[\(key)]") == "image")
        #expect(driver.text("image.state[\(key)]") == "shown")
        let receipt = UploadReceipt(received: 1000, isComplete: true, url: "/media/x", thumbnailURL: "/thumbnails/x")
        driver.answer("/uploads/", 201, body: receipt.encode(driver.wire))
        let media = MessageMedia(
            type: "image",
            url: "/media/x",
            thumbnailURL: "/thumbnails/x",
            metadata: MediaMetadata(width: 1200, height: 900)
        )
        #expect(driver.sends.map(\.media) == [media])
        #expect(driver.sends.map(\.clientMessageID) == [key])
        #expect(driver["image.progress[\(key)]"] == 100)
        driver.confirm(key, sequence: 1)
        #expect(driver.text("message.status[\(key)]") == "delivered")
        #expect(driver["uploads.pending"] == 0, "an image is no file of its own")
    }

    @Test("An image whose deletion is undone is shown again")
    func anUndoneDeletionShowsTheImageAgain() {
        var driver = connectedDriver()
        driver.sendImage(1000)
        let key = driver.imageKey
        let receipt = UploadReceipt(received: 1000, isComplete: true, url: "/media/x", thumbnailURL: "/thumbnails/x")
        driver.answer("/uploads/", 201, body: receipt.encode(driver.wire))
        driver.confirm(key, sequence: 1)
        driver.delete(key)
        #expect(driver["image.state[\(key)]"] == .null)
        #expect(driver["image.width[\(key)]"] == .null)
        driver.command(.undo(message: key))
        #expect(driver.text("image.state[\(key)]") == "shown")
        #expect(driver["image.width[\(key)]"] == 240)
    }

    @Test("Cancelling the preview of an image prevents its upload and its message")
    func nothingLeavesThePreview() {
        var driver = connectedDriver()
        driver.attach(5000)
        #expect(driver.text("preview.file") == "photo.jpg")
        #expect(driver["preview.bytes"] == 5000)
        driver.command(.cancelImage)
        driver.command(.sendImage(label: nil))
        #expect(driver["preview.file"] == .null)
        #expect(driver.requests.allSatisfy { !$0.request.target.hasPrefix("/uploads/") })
        #expect(driver.events("client.accepted").isEmpty)
    }

    @Test(
        "An image that is too large is compressed once at lower quality",
        arguments: [(1_999_999, 1_999_999), (2_000_000, 1_600_000), (2_500_000, 1_600_000), (0, 0)] as [(Int64, Int64)]
    )
    func qualityGoesDownUntilItFits(_ bytes: Int64, _ sent: Int64) {
        var driver = connectedDriver()
        driver.attach(bytes)
        #expect(driver["preview.bytes"] == .integer(sent))
    }

    @Test("A text message is sent before an earlier image that is still uploading")
    func wordsPassAnImageBy() {
        var driver = connectedDriver()
        driver.sendImage(40_000)
        driver.send("two")
        #expect(driver.sends.map(\.text) == ["two"])
    }

    @Test("An image waits for the network and is kept after a kill")
    func itWaitsForANetworkAndThroughAKill() throws {
        var driver = Driver(.exact)
        driver.start()
        driver.sendImage(1000)
        let key = driver.imageKey
        #expect(driver.text("message.status[\(key)]") == "queued")
        driver.killAndStart()
        #expect(driver.text("message.status[\(key)]") == "queued")
        driver.connectAgain()
        #expect(driver.open("/uploads/").count == 1)
        driver.receipt(1000, of: 1000)
        let sent = try #require(driver.sends.first)
        #expect(sent.clientMessageID == key)
        #expect(
            sent.media?.url == "/media/messages%2Fstukov%2F\(key)%2Fphoto.jpg",
            "where no answer says it, it is where it was put"
        )
    }

    @Test("When an upload fails, its message fails, and the user can retry it")
    func anUploadThatFailsIsOnItsMessageAndCanBeRetried() {
        var driver = connectedDriver()
        driver.sendImage(1000, label: "photo")
        let key = driver.imageKey
        driver.failImage()
        #expect(driver.text("message.status[\(key)]") == "failed")
        #expect(driver["message.retry_available[\(key)]"] == true)
        driver.advance(by: .seconds(20))
        #expect(driver.open("/uploads/").isEmpty, "not by itself")
        driver.command(.retry(label: "photo"))
        #expect(driver.open("/uploads/").count == 1)
        driver.receipt(1000, of: 1000)
        #expect(driver.sends.count == 1)
        #expect(driver["metrics.image_success_percent"] == 50)
    }

    @Test("An image that the server has refused cannot be retried")
    func refusedImageCannotBeRetried() {
        var driver = connectedDriver()
        driver.sendImage(1000)
        driver.answer("/uploads/", 403)
        #expect(driver.text("message.hint[\(driver.imageKey)]") == "The server does not take this image here.")
        #expect(driver["message.retry_available[\(driver.imageKey)]"] == false)
    }

    @Test("The progress of an upload never goes back")
    func progressNeverGoesBack() {
        var driver = connectedDriver()
        driver.sendImage(40_000)
        driver.receipt(16_384, of: 40_000)
        // The server has lost the parts that it had received.
        driver.answer("/uploads/", 409)
        driver.advance(by: .seconds(2))
        driver.receipt(10_000, of: 40_000)
        #expect(driver["image.progress[\(driver.imageKey)]"] == 40)
    }

    @Test("The progress of an upload does not go back when the app is killed before it is on disk")
    func progressSurvivesAKill() {
        var driver = connectedDriver()
        driver.sendImage(40_000)
        let key = driver.imageKey
        driver.receipt(16_384, of: 40_000)
        driver.diskIsFast = false
        driver.receipt(32_768, of: 40_000)
        #expect(driver["image.progress[\(key)]"] == 40)
        driver.killAndStart()
        #expect(driver["image.progress[\(key)]"] == 40)
    }

    // MARK: Displaying images

    private func reader(_ count: Int64, visible: Int64 = 3, margin: Int64 = 1) -> Driver {
        var driver = connectedDriver {
            $0.images.visible = visible
            $0.images.margin = margin
        }
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations", (1...count).map { picture($0) })
        return driver
    }

    @Test("Only thumbnails in the visible area and its margin are fetched")
    func onlyWhatIsInSightIsFetched() {
        var driver = reader(20)
        #expect(driver.open("/thumbnails/").count == 4)
        driver.command(.scroll(to: .message("m5")))
        #expect(driver.open("/thumbnails/").count == 9)
        #expect(driver.requests.map(\.request.target).contains("/thumbnails/4"))
        #expect(driver.text("image.state[m20]") == "loading")
        #expect(driver["image.state[m12]"] == nil)
    }

    @Test("A thumbnail that failed to load is fetched again on the next connection")
    func failedThumbnailIsFetchedAgain() {
        var driver = reader(1)
        driver.answer("/thumbnails/", 500)
        #expect(driver.text("image.state[m1]") == "failed")
        driver.comeBack()
        #expect(driver.open("/thumbnails/").count == 1)
    }

    @Test("A thumbnail on another host is not fetched")
    func anAddressElsewhereIsNotFollowed() {
        var driver = connectedDriver()
        driver.command(.open(conversation: "stukov"))
        var unknown = picture(1)
        unknown.media?.thumbnailURL = "https://elsewhere.test/x"
        driver.answerPage("/conversations", [unknown])
        #expect(driver.text("image.state[m1]") == "failed")
    }

    @Test(
        "The bubble of an image keeps the image's proportions",
        arguments: [
            (4000, 1000, 240, 60), (1000, 4000, 80, 320), (100, 100, 240, 240), (1, 65_535, 1, 320),
            (65_535, 1, 240, 1),
        ]
            as [(Int64, Int64, Int64, Int64)]
    )
    func bubblesKeepProportions(_ width: Int64, _ height: Int64, _ shownWidth: Int64, _ shownHeight: Int64) {
        var driver = connectedDriver()
        driver.command(.open(conversation: "stukov"))
        var odd = picture(1)
        odd.media?.metadata = MediaMetadata(width: width, height: height)
        driver.answerPage("/conversations", [odd])
        #expect(driver["image.width[m1]"] == .integer(shownWidth))
        #expect(driver["image.height[m1]"] == .integer(shownHeight))
    }

    @Test(
        "An image with any dimensions is accepted",
        arguments: [(0, 0), (.max, .max), (.max, 1), (1, .max)] as [(Int64, Int64)]
    )
    func anySizeIsSurvived(_ width: Int64, _ height: Int64) {
        var driver = connectedDriver()
        driver.command(.open(conversation: "stukov"))
        var odd = picture(1)
        odd.media?.metadata = MediaMetadata(width: width, height: height)
        driver.answerPage("/conversations", [odd])
        #expect(driver.text("image.state[m1]") == "loading")
    }

    @Test("A message with an unknown media type is shown as unsupported", arguments: ["video", "", "IMAGE"])
    func contentOfUnknownKindsIsUnsupported(_ type: String) {
        var driver = connectedDriver()
        driver.receive(.message(picture(1, type: type)))
        #expect(driver.text("message.kind[m1]") == "unsupported")
        #expect(driver.text("message.text[m1]") == "This app cannot show this message. Please update.")
        driver.killAndStart()
        #expect(driver.text("message.kind[m1]") == "unsupported")
    }

    // MARK: Stored records

    @Test("The client can read records stored by an older version of the app")
    func recordsOfAnOlderAppAreRead() {
        let record: JSON = [
            "key": "m1", "id": "m1", "conversation": "stukov", "sender": "stukov", "text": "old", "timestamp": 1,
            "sequence": 1, "own": false,
        ]
        let store = StoreImage([.init(key: "cache/stukov/m1", value: record)])
        var driver = Driver(.exact, store: store)
        driver.start()
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        #expect(driver.text("message.text[m1]") == "old")
        #expect(driver["message.deleted[m1]"] == nil)
    }
}
