import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// Returns whether an image that has been downloaded is shown at once.
@Sendable private func showsAnImageOnceItArrives(_ driver: inout Driver) -> Bool {
    driver.startConnected()
    driver.command(.open(conversation: "stukov"))
    driver.answerPage("/conversations/stukov/messages", [picture(1)])
    driver.answer("/thumbnails/", body: [1])
    return driver.text("image.state[m1]") == "shown"
}

@Sendable private func countsNoRejectedDeletion(_ driver: inout Driver) -> Bool {
    let key = driver.deliver()
    driver.delete(key)
    driver.advance(by: .seconds(6))
    driver.answer("/messages/m1", 403)
    return driver["metrics.deletions"] == 0
}

let mediaProofs: [Proof] = [
    Proof("uploadBeforePreview") { driver in
        driver.startConnected()
        driver.attach(1000)
        return driver.open("/uploads/").isEmpty
    },
    Proof("hiddenImagesFetched", profile: { ($0.images.visible, $0.images.margin) = (2, 1) }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", (1...10).map { picture($0) })
        return driver.open("/thumbnails/").count == 3
    },
    Proof("noCompression") { driver in
        driver.startConnected()
        driver.sendImage(10_000_000)
        return driver.imageSize < 2_000_000
    },
    Proof("imageDroppedOffline") { driver in
        driver.start()
        driver.sendImage(1000)
        driver.connect()
        return driver.open("/uploads/").count == 1
    },
    Proof("uploadErrorUnclear") { driver in
        driver.startConnected()
        driver.sendImage(1000)
        driver.failImage()
        return driver.text("message.hint[\(driver.imageKey)]") == "Image not uploaded. Tap to retry"
    },
    Proof("partialUploadAccepted") { driver in
        driver.startConnected()
        driver.sendImage(40_000)
        driver.receipt(16_384, of: 40_000)
        driver.failRequest("/uploads/", .reset)
        driver.advance(by: .seconds(1))
        return driver.sends.isEmpty
    },
    Proof("imageCacheLeak", profile: { $0.images.cache = 10_000 }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations", [])
        for number in 1...30 {
            driver.receive(.message(picture(Int64(number))))
            driver.answer("/thumbnails/", body: [UInt8](repeating: 1, count: 1000))
        }
        // Images that are visible are never evicted.
        return driver["image_cache.bytes"]?.intValue ?? .max <= 12_000
    },
    Proof("unknownContentCrash") { driver in
        driver.startConnected()
        driver.receive(.message(picture(1, type: "video")))
        return driver.crash == nil
    },
    Proof("imagePathShared") { driver in
        driver.startConnected()
        driver.sendImage(1000)
        return !driver.open("/uploads/messages%2Fstukov%2F\(driver.imageKey)%2Fphoto.jpg").isEmpty
    },
    Proof("strictChatRecords") { driver in
        driver.startConnected()
        driver.command(.openList)
        let record = ConversationSummary(id: "kerrigan", name: "kerrigan", unread: nil)
        driver.answer("/conversations", body: ConversationList([record]).encode(driver.wire))
        return driver.list("list.conversations") == ["kerrigan"]
    },
    Proof("strictDecoding") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        return driver.list("conversation.messages[stukov]") == ["m1"]
    },
    Proof("deleteOffered") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.longPress(message: "m1"))
        return driver.list("menu.actions[m1]") == []
    },
    Proof("deletesUnasked") { driver in
        let key = driver.deliver()
        driver.command(.delete(message: key))
        return driver.text("message.text[\(key)]") == "one"
    },
    Proof("deleteWaitsForServer") { driver in
        let key = driver.deliver()
        driver.delete(key)
        return driver.text("message.text[\(key)]") == "Message deleted"
    },
    Proof("deleteDroppedOffline") { driver in
        let key = driver.deliver()
        driver.drop()
        driver.delete(key)
        driver.advance(by: .seconds(6))
        driver.connect()
        return driver.open("/messages/m1").count == 1
    },
    Proof("squareBubbles") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [picture(1)])
        return driver["image.width[m1]"] != nil && driver["image.width[m1]"] != driver["image.height[m1]"]
    },
    Proof("imageStaysLoading", isRight: showsAnImageOnceItArrives),
    Proof("slowImages", isRight: showsAnImageOnceItArrives),
    Proof("deletedImageStays") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [picture(1)])
        driver.answer("/thumbnails/", body: [1])
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m1", at: 9, by: "stukov")))
        return driver["image.state[m1]"] == .null && driver["image.width[m1]"] == .null
    },
    Proof("imageUploadsUntimed") { driver in
        driver.startConnected()
        driver.sendImage(1000)
        driver.advance(by: .seconds(1))
        driver.receipt(1000, of: 1000)
        return driver["metrics.mean_image_upload"]?.intValue == TimeSpan.seconds(1).nanoseconds
    },
    Proof("deletionNotRetried") { driver in
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(6))
        driver.answer("/messages/m1", 503)
        return driver["deletions.pending"] == 1
    },
    Proof("undoIgnored") { driver in
        let key = driver.deliver()
        driver.delete(key)
        driver.command(.undo(message: key))
        return driver.events("client.delete.undone").count == 1
    },
    Proof("undoNeverEnds") { driver in
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(5))
        return driver["message.undo_available[\(key)]"] == false
    },
    Proof("refusalsCountAsDeletions", isRight: countsNoRejectedDeletion),
    Proof("deletionsCountWhenAsked", isRight: countsNoRejectedDeletion),
    Proof("deletionsAllAtOnce") { driver in
        let first = driver.deliver()
        driver.send("two")
        let second = driver.sends.last?.clientMessageID ?? ""
        driver.confirm(second, sequence: 2)
        driver.drop()
        for key in [first, second] { driver.delete(key) }
        driver.advance(by: .seconds(6))
        driver.connect()
        return driver.open("/messages/").count == 1
    },
    Proof("deletionsInMemory") { driver in
        let key = driver.deliver()
        driver.drop()
        driver.delete(key)
        driver.killAndStart()
        return driver["deletions.pending"] == 1
    },
    Proof("refusedDeletionStays") { driver in
        let key = driver.deliver()
        driver.delete(key)
        driver.advance(by: .seconds(6))
        driver.answer("/messages/m1", 403)
        return driver.text("message.status[\(key)]") == "delivered"
    },
]

extension Driver {
    mutating func attach(_ bytes: Int64, width: Int64 = 1200, height: Int64 = 900) {
        command(
            .attach(
                ChosenImage(
                    file: "photo.jpg",
                    source: .camera,
                    bytes: bytes,
                    width: width,
                    height: height,
                    conversation: "stukov"
                )
            )
        )
    }

    mutating func sendImage(_ bytes: Int64, label: String? = nil) {
        attach(bytes)
        command(.sendImage(label: label))
    }

    /// The client's id for the user's last message.
    var imageKey: String {
        observations.map(\.observation).last { $0.name == "client.accepted" }?.key ?? ""
    }

    /// The size in bytes of the file whose upload has begun.
    var imageSize: Int64 {
        requests.last { $0.request.target.hasPrefix("/uploads/") }?.request.target
            .split(separator: "=").last.flatMap { Int64($0) } ?? .max
    }

    /// Fails all of the client's upload attempts.
    mutating func failImage() {
        for _ in 0..<3 {
            answer("/uploads/", 500)
            advance(by: .seconds(2))
        }
    }

    /// Sends a message that the server stores as `m1`, and returns its key.
    mutating func deliver() -> String {
        startConnected()
        send("one")
        let key = key
        confirm(key, sequence: 1)
        return key
    }

    mutating func delete(_ key: String) {
        command(.delete(message: key))
        command(.confirmDelete)
    }
}

/// Returns an image message from another user.
func picture(_ sequence: Int64, type: String = "image") -> ChatMessage {
    var picture = message(sequence)
    picture.media = MessageMedia(
        type: type,
        url: "/media/\(sequence)",
        thumbnailURL: "/thumbnails/\(sequence)",
        metadata: MediaMetadata(width: 4000, height: 1000)
    )
    return picture
}
