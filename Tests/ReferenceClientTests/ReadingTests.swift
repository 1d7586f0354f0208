import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct ReadingTests {
    private func looking(at conversation: String, _ profile: ClientProfile = .exact) -> Driver {
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.open(conversation: conversation))
        driver.answerPage("/conversations/\(conversation)/messages", [])
        return driver
    }

    private func list(_ unread: Int64, through last: ChatMessage) -> ConversationList {
        ConversationList([ConversationSummary(id: "stukov", name: "stukov", unread: unread, lastMessage: last)])
    }

    // MARK: Views

    @Test("Conversation views appear and disappear independently of each other")
    func viewsAppearAndDisappearEachForItself() {
        var driver = looking(at: "stukov")
        driver.command(.open(conversation: "kerrigan"))
        driver.command(.disappear(conversation: "stukov"))
        #expect(driver["view.active[stukov]"] == false && driver["view.active[kerrigan]"] == true)
        driver.command(.disappear(conversation: "kerrigan"))
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        #expect(driver["unread[kerrigan]"] == 1)
        driver.command(.appear(conversation: "kerrigan"))
        #expect(driver["unread[kerrigan]"] == 0)
        #expect(driver.open("/conversations/kerrigan/read").count == 1)
    }

    @Test("In the background no message is marked as read until the app returns to the foreground")
    func theBackgroundReadsNothingUntilTheAppIsBack() {
        var driver = looking(at: "stukov")
        driver.command(.background)
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == 1 && driver["badge.app"] == 1)
        driver.command(.foreground)
        #expect(driver["unread[stukov]"] == 0 && driver["badge.app"] == 0)
        #expect(driver.events("client.conversation_read") == [["conversation": "stukov"]])
    }

    // MARK: Visible messages

    @Test("With clear_on: visible only messages that were on the screen are marked as read")
    func onlySeenMessagesAreRead() {
        var profile = ClientProfile.exact
        profile.unread.clearOn = .visible
        profile.view.height = 2
        var driver = looking(at: "kerrigan", profile)
        for number in 1...5 { driver.receive(.message(message(Int64(number)))) }
        driver.command(.open(conversation: "stukov"))
        #expect(driver["unread[stukov]"] == 3)
        // The new message is below an unseen one, so it is not seen either.
        driver.receive(.message(message(6)))
        #expect(driver["unread[stukov]"] == 4)
        driver.command(.see(message: "m5"))
        driver.command(.see(message: "m3"))
        #expect(driver["unread[stukov]"] == 1)
        driver.command(.see(message: "m6"))
        driver.receive(.message(message(7)))
        #expect(driver["unread[stukov]"] == 0)
        let receipts = driver.said(.readReceipt)
        #expect(receipts == ["m2", "m5", "m6", "m7"].map { .readReceipt(conversation: "stukov", messageID: $0) })
        #expect(driver.open("/conversations/stukov/read").isEmpty)
    }

    // MARK: Counts from the server

    @Test("A message newer than the server's unread count is added to that count")
    func newerMessagesAreAddedToTheServersCount() {
        var driver = looking(at: "kerrigan")
        driver.receive(.message(message(1)))
        driver.command(.openList)
        driver.receive(.message(message(4)))
        driver.answer("/conversations", body: list(3, through: message(3)).encode(driver.wire))
        #expect(driver["unread[stukov]"] == 4)
    }

    @Test("A message read on another device of the user is not unread on this device")
    func readingOnAnotherDeviceCounts() {
        var driver = looking(at: "kerrigan")
        for number in 1...3 { driver.receive(.message(message(Int64(number)))) }
        driver.receive(.readReceipt(conversation: "stukov", messageID: "m2", reader: "client"))
        #expect(driver["unread[stukov]"] == 1)
        driver.command(.openList)
        driver.answer("/conversations", body: list(0, through: message(3)).encode(driver.wire))
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test("A server count that predates a read mark does not undo the read mark")
    func anUnsentReadingOverridesTheServersCount() {
        var driver = looking(at: "kerrigan")
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        driver.failRequest("/conversations/stukov/read")
        driver.command(.openList)
        driver.answer("/conversations", body: list(1, through: message(1)).encode(driver.wire))
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test(
        "An unread count from the server is capped at one billion, and a list with a negative count is ignored",
        arguments: [(.max, 1_000_000_001), (1_000_000_001, 1_000_000_001), (5, 6), (0, 1), (-1, 1)] as [(Int64, Int64)]
    )
    func countsOfTheServerAreBounded(count: Int64, unread: Int64) {
        var driver = looking(at: "kerrigan")
        driver.command(.openList)
        let wild = #"{"conversations":[{"conversation_id":"stukov","name":"s","unread":\#(count)}]}"#
        driver.answer("/conversations", body: Array(wild.utf8))
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == .integer(unread), "the count and the message that came after it")
    }

    // MARK: The list

    @Test("The list of conversations is ordered by the newest message")
    func theListIsOrderedByWhatIsNewest() {
        var driver = looking(at: "kerrigan")
        driver.receive(.message(message(1)))
        #expect(driver["list.conversations"] == nil)
        driver.command(.openList)
        driver.answer("/conversations", body: ConversationList([]).encode(driver.wire))
        driver.receive(.message(message(2, in: "kerrigan", from: "kerrigan")))
        #expect(driver.list("list.conversations") == ["kerrigan", "stukov"])
        driver.receive(.message(message(3)))
        #expect(driver.list("list.conversations") == ["stukov", "kerrigan"])
        #expect(driver.text("list.preview[stukov]") == "text 3")
        #expect(driver.text("badge.text[stukov]") == "2" && driver.text("badge.tone[stukov]") == "blue")
    }

    @Test("The open list of conversations refreshes the unread counts at intervals")
    func countsAreLookedForAtIntervals() {
        var profile = ClientProfile.exact
        profile.unread.refresh = .seconds(20)
        var driver = looking(at: "kerrigan", profile)
        driver.advance(by: .seconds(25))
        #expect(driver.open("/unread").isEmpty)
        driver.command(.openList)
        driver.advance(by: .seconds(21))
        let counts = UnreadCounts([UnreadCount(conversation: "stukov", unread: 2, sequence: 2)])
        driver.answer("/unread", body: counts.encode(driver.wire))
        #expect(driver["unread[stukov]"] == 2)
        driver.advance(by: .seconds(20))
        #expect(driver.open("/unread").count == 1)
    }
}
