import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct UploadsTests {
    @Test("A file is uploaded chunk by chunk")
    func aFileGoesChunkByChunk() throws {
        var driver = connectedDriver()
        driver.share(40_000)
        let file = try #require(driver.files.first)
        #expect(driver["uploads.pending"] == 1)
        #expect(driver.chunks == ["offset=0&size=40000 16384"])
        #expect(driver.requests.first?.request.contentType == "application/octet-stream")
        driver.receipt(16_384, of: 40_000)
        #expect(driver["upload.progress[\(file)]"] == 40)
        #expect(driver.text("upload.state[\(file)]") == "uploading")
        #expect(driver.chunks == ["offset=16384&size=40000 16384"])
        driver.receipt(32_768, of: 40_000)
        #expect(driver.chunks == ["offset=32768&size=40000 7232"])
        driver.receipt(40_000, of: 40_000)
        #expect(driver.text("upload.state[\(file)]") == "done")
        #expect(driver["upload.progress[\(file)]"] == 100)
        #expect(driver["uploads.pending"] == 0)
        #expect(driver.chunks == [])
    }

    @Test("A file is uploaded only after it is written to disk")
    func nothingLeavesBeforeItIsOnDisk() {
        var driver = connectedDriver()
        driver.diskIsFast = false
        driver.share(10)
        #expect(driver.chunks == [])
        while !driver.unwritten.isEmpty { driver.writeOne() }
        #expect(driver.chunks == ["offset=0&size=10 10"])
    }

    @Test("An empty file is uploaded as one empty chunk")
    func anEmptyFileIsOneEmptyChunk() {
        var driver = connectedDriver()
        driver.share(0)
        #expect(driver.chunks == ["offset=0&size=0 0"])
        driver.receipt(0, of: 0)
        #expect(driver["uploads.pending"] == 0)
    }

    @Test("Files are uploaded in order and have unique names")
    func filesGoInTheirOrderAndHaveNamesOfTheirOwn() throws {
        var driver = connectedDriver()
        driver.share(10, "a.txt")
        driver.share(20, "a.txt")
        #expect(Set(driver.files).count == 2)
        #expect(driver.chunks == ["offset=0&size=10 10"])
        driver.receipt(10, of: 10)
        #expect(driver.chunks == ["offset=0&size=20 20"])
    }

    // MARK: Priority

    @Test("An upload waits until the connection is authenticated")
    func waitsForAConnectionThatIsComplete() {
        var driver = Driver(.exact)
        driver.start()
        driver.share(10)
        driver.open()
        driver.upgrade()
        #expect(driver.chunks == [])
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        driver.receive(.connected(ServerFrame.Connected(session: "s1", resumed: false, lastSequence: 0)))
        #expect(driver.chunks.count == 1)
    }

    @Test("An upload pauses until a message in flight is confirmed")
    func waitsForAMessageToBeConfirmed() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.send("hello")
        driver.receipt(16_384, of: 40_000)
        #expect(driver.chunks == [])
        driver.confirm(driver.key, sequence: 1)
        #expect(driver.chunks == ["offset=16384&size=40000 16384"])
    }

    @Test("An upload pauses while the connection is slow")
    func waitsWhileTheLinkIsSlow() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.advance(by: .seconds(34))
        #expect(driver.text("connection.quality") == "slow")
        #expect(driver.open("/uploads/") == [], "timed out, and not begun again")
        driver.receive(.pong(id: "ping-1"))
        driver.advance(by: .seconds(26))
        driver.receive(.pong(id: "ping-2"))
        #expect(driver.text("connection.quality") == "good")
        #expect(driver.chunks == ["offset=0&size=40000 8192"])
    }

    @Test("A lost connection cancels the current chunk, which is sent again on the next connection")
    func aLostConnectionGivesItsChunkUp() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.drop()
        #expect(driver.cancelled.count == 1)
        #expect(driver.chunks == [])
        driver.advance(by: .seconds(2))
        driver.connect()
        driver.replay([], through: 0)
        #expect(driver.chunks == ["offset=16384&size=40000 16384"])
    }

    // MARK: Chunk sizes

    @Test("The chunk size is halved after two failures and doubled after four successes")
    func chunksAreHalvedAfterTwoFailuresAndDoubledAfterFour() {
        var driver = connectedDriver()
        driver.share(1_000_000)
        for size in [16_384, 16_384, 8192, 8192, 4096] {
            #expect(driver.chunks == ["offset=0&size=1000000 \(size)"])
            driver.failRequest("/uploads/", .reset)
            driver.advance(by: .seconds(2))
        }
        var received: Int64 = 0
        for size: Int64 in [4096, 4096, 4096, 4096, 8192, 8192] {
            #expect(driver.chunks == ["offset=\(received)&size=1000000 \(size)"])
            received += size
            driver.receipt(received, of: 1_000_000)
        }
    }

    @Test("The chunk size stays within the limits of the profile")
    func chunksStayWithinTheirBounds() {
        var driver = connectedDriver {
            $0.upload.chunkMin = 5000
            $0.upload.chunkMax = 20_000
            $0.upload.lowerAfter = 1
            $0.upload.raiseAfter = 1
        }
        driver.share(1_000_000)
        for _ in 0..<3 {
            driver.failRequest("/uploads/")
            driver.advance(by: .seconds(2))
        }
        #expect(driver["upload.chunk_size"] == 5000)
        for count: Int64 in 1...3 { driver.receipt(count * 5000, of: 1_000_000) }
        #expect(driver["upload.chunk_size"] == 20_000)
    }

    @Test("A slow chunk halves the chunk size at once")
    func aChunkThatTakesLongIsHalvedAtOnce() {
        var driver = connectedDriver()
        driver.share(1_000_000)
        driver.advance(by: .milliseconds(1001))
        driver.receipt(16_384, of: 1_000_000)
        #expect(driver["upload.chunk_size"] == 8192)
        for count: Int64 in 1...6 {
            driver.advance(by: .milliseconds(501))
            driver.receipt(16_384 + count * 8192, of: 1_000_000)
        }
        #expect(driver["upload.chunk_size"] == 8192, "twice as much would take too long")
    }

    // MARK: Server responses

    @Test("A chunk that the server rejects temporarily is repeated after a delay", arguments: [500, 503, 302, 429])
    func aChunkThatIsNotTakenWaits(_ status: Int) {
        var driver = connectedDriver()
        driver.share(10)
        driver.answer("/uploads/", status)
        #expect(driver["uploads.pending"] == 1)
        #expect(driver.chunks == [])
        driver.advance(by: .seconds(2))
        #expect(driver.chunks == ["offset=0&size=10 10"])
    }

    @Test("A chunk that is refused because of its key waits for another key while the connection stays open")
    func aChunkWithARefusedKeyWaitsForAnother() {
        var driver = connectedDriver()
        driver.share(10)
        driver.answer("/uploads/", 401)
        #expect(driver["connection.state"] == "auth_required")
        driver.advance(by: .seconds(60))
        #expect(driver["uploads.pending"] == 1)
        #expect(driver.chunks == [])
    }

    @Test("An HTML page from a captive portal does not count as an upload receipt")
    func aPortalsPageIsNoReceipt() {
        var driver = connectedDriver()
        driver.share(10)
        driver.answer("/uploads/", 200, headers: [(name: "content-type", value: "text/html")], body: Array("<p>".utf8))
        #expect(driver["uploads.pending"] == 1)
    }

    @Test("An upload pauses for the time in the server's Retry-After")
    func theServersPauseIsKept() {
        var driver = connectedDriver()
        driver.share(10)
        driver.answer("/uploads/", 503, headers: [(name: "retry-after", value: "7")])
        driver.advance(by: .milliseconds(6999))
        #expect(driver.chunks == [])
        driver.advance(by: .milliseconds(1))
        #expect(driver.chunks.count == 1)
    }

    @Test("A file that is refused permanently fails, and the next file is uploaded", arguments: [400, 403, 404])
    func refusedFileFailsAndTheNextFollows(_ status: Int) throws {
        var driver = connectedDriver()
        driver.share(10)
        driver.share(20)
        driver.answer("/uploads/", status)
        #expect(driver.text("upload.state[\(driver.files[0])]") == "failed")
        driver.advance(by: .seconds(2))
        #expect(driver.chunks == ["offset=0&size=20 20"])
    }

    @Test("After status 409 the file is uploaded from its beginning")
    func aServerThatHasForgottenGetsItAllAgain() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.answer("/uploads/", 409)
        driver.advance(by: .seconds(2))
        #expect(driver.chunks == ["offset=0&size=40000 16384"])
    }

    @Test("An upload continues from the offset in the server's receipt")
    func aServerThatHasMoreIsBelieved() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.receipt(33_000, of: 40_000)
        #expect(driver.chunks == ["offset=33000&size=40000 7000"])
    }

    // MARK: Across restarts

    @Test("After a kill an upload resumes at the last confirmed offset")
    func aKillResumesWhereTheServerIsKnownToBe() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.killAndStart()
        #expect(driver["uploads.pending"] == 1)
        driver.connectAgain()
        #expect(driver.chunks == ["offset=16384&size=40000 16384"])
    }

    @Test("A file is removed from the disk once it is uploaded")
    func aFileThatIsUploadedLeavesTheDisk() {
        var driver = connectedDriver()
        driver.share(10)
        driver.receipt(10, of: 10)
        #expect(!driver.store.entries.contains { $0.key.hasPrefix("uploads/") })
        driver.killAndStart()
        driver.connectAgain()
        #expect(driver["uploads.pending"] == 0)
        #expect(driver.chunks == [])
    }

    @Test("When the app goes to the background, the phone takes over the rest of the upload")
    func theBackgroundHandsTheRestOver() throws {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.command(.background)
        let transfer = try #require(driver.transfers.first)
        #expect(transfer.name == driver.files.first)
        #expect(transfer.requests.map(\.body.count) == [16_384, 7232])
        #expect(transfer.requests.map(\.authorization) == ["Bearer key-1", "Bearer key-1"])
        #expect(driver.cancelled.count == 1)
        #expect(driver.chunks == [])
        driver.command(.foreground)
        #expect(driver.chunks == [], "the phone goes on with it")
        let receipt = UploadReceipt(received: 40_000, isComplete: true).encode(driver.wire)
        driver.feed(.transferred(transfer.name, ChatResponse(status: 201, body: receipt)))
        #expect(driver["uploads.pending"] == 0)
    }

    @Test("A transfer that the phone is still performing is not started again by the app")
    func runningTransfersAreLeftToThePhone() throws {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.command(.background)
        let file = try #require(driver.files.first)
        driver.killAndStart(Phone(transfers: [file]))
        driver.connectAgain()
        #expect(driver.chunks == [])
        #expect(driver.text("upload.state[\(file)]") == "uploading")
        driver.feed(.transferred(file, ChatResponse(status: 413)))
        driver.advance(by: .seconds(2))
        #expect(driver.chunks.count == 1, "given back")
    }

    @Test("A transfer that the phone has lost is uploaded by the app")
    func lostTransfersAreUploadedByTheApp() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.command(.background)
        driver.killAndStart()
        driver.connectAgain()
        #expect(driver.chunks == ["offset=0&size=40000 16384"])
    }

    @Test("The result of a transfer that the phone is not performing is ignored")
    func oldAnswersMeanNothing() {
        var driver = connectedDriver()
        driver.share(40_000)
        driver.feed(.transferred("unknown", ChatResponse(status: 201)))
        driver.feed(.transferred(driver.files[0], ChatResponse(status: 404)))
        #expect(driver.text("upload.state[\(driver.files[0])]") == "uploading")
    }
}
