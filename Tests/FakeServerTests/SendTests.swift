import ChatWire
import FakeServer
import SquallCore
import Testing

@Suite struct SendTests {
    @Test("A sent message is stored, confirmed and delivered to the other clients")
    func aSendIsStoredConfirmedAndHandedOn() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.forgetNotes()
        stage.advance(.milliseconds(1500))
        stage.say(.send("c1", "hello"), on: anna)

        let epoch: Int64 = 1_767_225_600_000
        let confirmation = ServerFrame.Confirmation(
            clientMessageID: "c1",
            messageID: "m1-000001",
            sequence: 1,
            timestamp: epoch + 1500,
            duplicate: false
        )
        #expect(stage.frames(anna) == [.confirm(confirmation)])
        let message = ChatMessage(
            id: "m1-000001",
            conversation: "stukov",
            sender: "anna",
            sequence: 1,
            timestamp: epoch + 1500,
            text: "hello",
            clientMessageID: "c1"
        )
        #expect(stage.frames(ben) == [.message(message)])
        #expect(
            stage.notes.map { "\($0.client?.name ?? "-") \($0.name)[\($0.key ?? "")]" } == [
                "anna server.received.send[c1]", "anna server.stored[c1]", "anna server.sent.confirm[c1]",
                "ben server.sent.message[c1]",
            ]
        )
        #expect(
            stage.named("server.stored").first?.fields == [
                "conversation": "stukov", "sequence": 1, "sender": "anna", "origin": "client",
                "message_id": "m1-000001",
            ]
        )
    }

    @Test("A duplicate message is confirmed as a duplicate and is not stored")
    func aRepeatIsConfirmedAndChangesNothing() {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.say(.send("c1"), on: anna)
        stage.advance(.seconds(5))
        stage.say(.send("c1"), on: anna)
        let confirmations = stage.frames(anna).confirmations
        #expect(confirmations.map(\.duplicate) == [false, true])
        #expect(Set(confirmations.map(\.sequence)) == [1])
        #expect(Set(confirmations.map(\.timestamp)).count == 1)
        #expect(stage.frames(ben).messages.count == 1)
        #expect(stage.named("server.stored").count == 1)
        #expect(stage.named("server.dropped_duplicate").map(\.key) == ["c1"])
    }

    @Test("A duplicate over HTTP of a message sent over WebSocket is recognised")
    func aRepeatMayTakeTheOtherWay() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1", "hello"), on: anna)
        let body = SendBody(clientMessageID: "c1", text: "hello").encode(stage.wire)
        let response = try stage.fetch(.send(conversation: "stukov"), body: body)
        #expect(response.status == 200)
        #expect(try ServerFrame.Confirmation.decode(response.body, stage.wire).duplicate)
        #expect(stage.named("server.stored").count == 1)
    }

    @Test("Two senders may use the same client message ID") func twoSendersMayUseTheSameID() {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c1"), on: ben)
        #expect(stage.named("server.stored").count == 2)
        #expect(stage.frames(ben).confirmations.map(\.duplicate) == [false])
    }

    @Test("A client message ID that was used for another message is refused")
    func anIDUsedForAnotherMessageIsRefused() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1", "one"), on: anna)
        stage.say(.send("c1", "two"), on: anna)
        stage.say(.send("c1", "one", to: "kerrigan"), on: anna)
        let frames = stage.frames(anna)
        #expect(frames.roles == [.confirm, .error, .error])
        #expect(frames.errors.map(\.clientMessageID) == ["c1", "c1"])
        let body = SendBody(clientMessageID: "c1", text: "three").encode(stage.wire)
        #expect(try stage.fetch(.send(conversation: "stukov"), body: body).status == 409)
        #expect(stage.named("server.stored").count == 1)
    }

    @Test("A message without a client message ID is never a duplicate") func aSendWithoutIDIsNeverARepeat() {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send(nil), on: anna)
        stage.say(.send(nil), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == ["", ""])
        #expect(stage.named("server.stored").map(\.key) == ["m1-000001", "m1-000002"])
    }

    @Test("Sequence numbers are shared by all conversations") func sequencesGoOverAllConversations() {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1", to: "stukov"), on: anna)
        stage.act(.post(.init(to: "kerrigan")))
        stage.say(.send("c2", to: "raynor"), on: anna)
        #expect(stage.named("server.stored").map { $0.fields["sequence"]?.intValue } == [1, 2, 3])
    }

    @Test("Read receipts and typing are forwarded to the other clients") func readingAndTypingArePassedOn() {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.say(.send("c1"), on: anna)
        _ = (stage.frames(anna), stage.frames(ben))
        stage.say(.readReceipt(conversation: "stukov", messageID: "m1-000001"), on: ben)
        stage.say(.typing(conversation: "stukov", active: true), on: ben)
        #expect(
            stage.frames(anna) == [
                .readReceipt(conversation: "stukov", messageID: "m1-000001", reader: "ben"),
                .typing(conversation: "stukov", user: "ben", active: true),
            ]
        )
        #expect(stage.frames(ben).isEmpty)
        // The trace identifies the message by the ID that its sender assigned.
        #expect(stage.named("server.received.read_receipt").map(\.key) == ["c1"])
        #expect(stage.named("server.sent.read_receipt").map(\.key) == ["c1"])
    }

    @Test("A skewed server clock changes timestamps and nothing else") func aWrongClockShowsInTimestampsOnly() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("clock", [("skew", .duration(.seconds(-7200)))])
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.timestamp) == [1_767_225_600_000 - 7_200_000])
        stage.say(.sync(lastSequence: 0), on: anna)
        #expect(stage.frames(anna).replays.map(\.messages.count) == [1])
    }

    // MARK: The rate limit

    @Test("The 61st message within a minute is refused") func sixtyInAMinuteAreTakenAndTheNextIsNot() {
        var stage = Stage()
        let anna = stage.join()
        for number in 1...60 {
            stage.say(.send("c\(number)"), on: anna)
            stage.advance(.milliseconds(500))
        }
        #expect(stage.frames(anna).roles == Array(repeating: .confirm, count: 60))
        stage.say(.send("c61"), on: anna)
        let refused = ServerFrame.ServerError(
            code: .rateLimited,
            message: "Message rate limit exceeded.",
            retryAfter: .seconds(30),
            clientMessageID: "c61"
        )
        #expect(stage.frames(anna) == [.error(refused)])
        #expect(stage.named("server.stored").count == 60)
        #expect(stage.named("server.rejected.send").map(\.key) == ["c61"])
        #expect(stage.end(anna) == nil)
    }

    @Test("The rate limit uses a sliding window") func theWindowSlides() {
        var stage = Stage()
        let anna = stage.join()
        for number in 1...60 {
            stage.say(.send("c\(number)"), on: anna)
            stage.advance(.seconds(1))
        }
        // The first message has just left the rate limit's window, and the second will leave it in 1 s.
        stage.say(.send("c61"), on: anna)
        stage.say(.send("c62"), on: anna)
        let frames = stage.frames(anna)
        #expect(frames.confirmations.count == 61)
        #expect(frames.errors.map(\.retryAfter) == [.seconds(1)])
        stage.advance(.seconds(1))
        stage.say(.send("c62"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
    }

    @Test("The window of the rate limit ends exactly after its duration") func oneNanosecondTooEarlyIsTooEarly() {
        var stage = Stage { $0.rateLimit.count = 1 }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.advance(TimeSpan(nanoseconds: 59_999_999_999))
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm, .error])
        stage.advance(TimeSpan(nanoseconds: 1))
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
    }

    @Test("A duplicate message does not count towards the rate limit") func aRepeatDoesNotCount() {
        var stage = Stage { $0.rateLimit.count = 1 }
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm, .confirm])
    }

    @Test("Each client has its own rate limit") func eachClientHasItsOwnLimit() {
        var stage = Stage { $0.rateLimit.count = 1 }
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: ben)
        #expect(stage.frames(ben).confirmations.count == 1)
    }

    @Test("HTTP and WebSocket share one rate limit") func theLimitIsOneForBothWays() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("limit", [("count", .integer(1)), ("per", .duration(.seconds(10)))])
        stage.say(.send("c1"), on: anna)
        stage.advance(.milliseconds(8500))
        let body = SendBody(clientMessageID: "c2", text: "hello").encode(stage.wire)
        let response = try stage.fetch(.send(conversation: "stukov"), body: body)
        #expect(response.status == 429)
        #expect(response.header("retry-after") == "2")
        #expect(try ServerFrame.ServerError.decode(response.body, stage.wire).retryAfter == .milliseconds(1500))
        stage.advance(.milliseconds(1500))
        #expect(try stage.fetch(.send(conversation: "stukov"), body: body).status == 201)
    }

    @Test("The rate limit may be lowered below the number of messages already counted", arguments: [Int64(0), 1, 5])
    func aLimitMayBeLoweredBelowWhatIsUnderWay(_ count: Int64) throws {
        var stage = Stage()
        let anna = stage.join()
        for number in 1...10 {
            stage.say(.send("c\(number)"), on: anna)
            stage.advance(.seconds(1))
        }
        try stage.act("limit", [("count", .integer(count)), ("per", .duration(.seconds(60)))])
        _ = stage.frames(anna)
        stage.say(.send("next"), on: anna)
        let wait = try #require(stage.frames(anna).errors.first?.retryAfter)
        stage.advance(wait)
        stage.say(.send("next"), on: anna)
        #expect(stage.frames(anna).roles == [count == 0 ? .error : .confirm])
    }

    @Test("A window of zero disables the rate limit") func aWindowOfZeroIsNoLimit() throws {
        var stage = Stage()
        let anna = stage.join()
        try stage.act("limit", [("count", .integer(0)), ("per", .duration(.zero))])
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
    }
}
