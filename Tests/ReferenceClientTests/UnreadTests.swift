import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests when messages are marked as read, when the server is notified, and what survives a kill.
@Suite struct UnreadTests {
    private let read = "/conversations/stukov/read"
    private let page = "/conversations/stukov/messages"

    /// Returns a connected client that displays a conversation other than `stukov`.
    private func elsewhere(_ profile: ClientProfile = .exact) -> Driver {
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.open(conversation: "kerrigan"))
        driver.answerPage("/conversations/kerrigan/messages", [])
        return driver
    }

    private func agreed(_ driver: inout Driver) {
        driver.answer(read, body: UnreadCount(conversation: "stukov", unread: 0).encode(driver.wire))
    }

    private func count(_ count: Int64, for driver: inout Driver) {
        let summary = ConversationSummary(id: "stukov", name: "stukov", unread: count, lastMessage: nil)
        driver.command(.openList)
        driver.answer("/conversations", body: ConversationList([summary]).encode(driver.wire))
    }

    // MARK: - Marking as read

    @Test("A read mark that the server has not confirmed is kept after a kill")
    func aReadingSurvivesAKill() {
        var driver = elsewhere()
        driver.receive(.message(message(1)))
        driver.drop()
        driver.command(.markRead(conversation: "stukov"))
        #expect(driver.requests.isEmpty)
        driver.killAndStart()
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(driver.open(read).count == 1)
        count(1, for: &driver)
        #expect((driver["unread[stukov]"] ?? 0) == 0, "the server does not know of the reading yet")
        agreed(&driver)
        #expect(driver.store["reading/stukov"] == nil)
        driver.killAndStart()
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(driver.open(read).isEmpty)
    }

    @Test("A read mark made before a kill is undone if the server refuses it")
    func aReadingOfAnEarlierLifeIsTakenBackWhereItIsRefused() {
        var driver = elsewhere()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(2)))
        driver.drop()
        driver.command(.markRead(conversation: "stukov"))
        driver.killAndStart()
        driver.connect(lastSequence: 2)
        driver.replay([], through: 2)
        driver.answer(read, 403)
        #expect(driver["unread[stukov]"] == 2)
        #expect(driver.store["reading/stukov"] == nil)
    }

    @Test("A failed mark-read request is repeated after five seconds")
    func aReadingThatFailsGoesAgainAfterAWait() {
        var driver = elsewhere()
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        driver.answer(read, 503)
        driver.advance(by: .milliseconds(4_999))
        #expect(driver.open(read).isEmpty)
        driver.advance(by: .milliseconds(1))
        #expect(driver.open(read).count == 1)
        agreed(&driver)
        driver.advance(by: .seconds(30))
        #expect(driver.open(read).isEmpty)
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test("A failed mark-read request is also repeated while polling")
    func aReadingThatFailsWhilePollingGoesAgainToo() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        var driver = elsewhere(profile)
        driver.receive(.message(message(1)))
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        #expect(driver.state == "degraded")
        driver.command(.markRead(conversation: "stukov"))
        driver.answer(read, 503)
        driver.advance(by: .seconds(5))
        #expect(driver.open(read).count == 1)
    }

    @Test("A read mark made during a mark-read request is sent after that request")
    func readingsAreSentOneAfterTheOther() {
        var driver = elsewhere()
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        driver.receive(.message(message(2)))
        driver.command(.markRead(conversation: "stukov"))
        #expect(driver.open(read).count == 1)
        agreed(&driver)
        #expect(driver.open(read).count == 1)
        agreed(&driver)
        #expect(driver.open(read).isEmpty)
        #expect(driver.store["reading/stukov"] == nil)
    }

    // MARK: - Receipts

    @Test("A read receipt is sent once the message is on disk")
    func aReceiptLeavesOnceTheMessageIsOnDisk() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        #expect(driver.said(.readReceipt).isEmpty)
        while !driver.unwritten.isEmpty { driver.writeOne() }
        #expect(driver.said(.readReceipt) == [.readReceipt(conversation: "stukov", messageID: "m1")])
        driver.feed(.timer)
        #expect(driver.said(.readReceipt).count == 1)
    }

    @Test("A read receipt that could not be sent before a disconnect is sent on the next connection")
    func aReceiptForALostConnectionGoesOverTheNext() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        driver.drop()
        driver.diskIsFast = true
        driver.feed(.timer)
        #expect(driver.said(.readReceipt).isEmpty)
        driver.advance(by: .milliseconds(1250))
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(driver.said(.readReceipt) == [.readReceipt(conversation: "stukov", messageID: "m1")])
        #expect(driver.store["receipt/stukov"]?["message"] == "m1")
        // The pong shows that the server has received everything sent before the ping.
        driver.answersPings = true
        driver.advance(by: .seconds(31))
        #expect(driver.store["receipt/stukov"] == nil)
    }

    @Test("A read receipt that waits for a connection is kept after a kill")
    func aReceiptThatWaitsSurvivesAKill() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        var driver = elsewhere(profile)
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(page, [])
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.answerList([message(1)])
        driver.answerPage(page, [message(1)])
        #expect(driver.store["receipt/stukov"]?["message"] == "m1")
        driver.killAndStart()
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(driver.said(.readReceipt) == [.readReceipt(conversation: "stukov", messageID: "m1")])
        #expect(driver.store["receipt/stukov"]?["message"] == "m1")
        // The pong shows that the server has received everything sent before the ping.
        driver.answersPings = true
        driver.advance(by: .seconds(31))
        #expect(driver.store["receipt/stukov"] == nil)
    }

    @Test("Signing out discards a mark-read request that was not sent")
    func anotherUserOwesNothing() {
        var driver = elsewhere()
        driver.receive(.message(message(1)))
        driver.drop()
        driver.command(.markRead(conversation: "stukov"))
        #expect(driver.store["reading/stukov"] != nil)
        driver.command(.signOut)
        #expect(driver.store["reading/stukov"] == nil)
    }

    // MARK: - Visible messages

    @Test("After a start, messages that are visible are marked as read")
    func aStartReadsWhatItShows() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(page, [])
        driver.command(.background)
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == 1)
        driver.killAndStart()
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(driver.store["unread/stukov"] == nil)
        #expect(driver.open(read).count == 1)
    }

    @Test("Messages of a page that were not counted as unread before are marked as read")
    func aPageReadsUncountedMessages() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(page, [message(1), message(2, from: "client")])
        #expect(driver.open(read).count == 1)
        agreed(&driver)
        driver.command(.refresh)
        driver.answerPage(page, [message(1), message(2, from: "client")])
        #expect(driver.open(read).isEmpty, "nothing of it is new")
    }

    @Test("Messages already marked as read are not reported again when their page arrives")
    func aPageOfCountedMessagesIsReportedOnce() {
        var driver = elsewhere()
        count(2, for: &driver)
        driver.command(.open(conversation: "stukov"))
        agreed(&driver)
        driver.answerPage(page, [message(1), message(2)])
        #expect(driver.open(read).isEmpty)
    }

    @Test("A page for a view that has disappeared is not marked as read")
    func aPageForAHiddenViewIsNotRead() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.command(.disappear(conversation: "stukov"))
        driver.answerPage(page, [message(1)])
        #expect(driver.open(read).isEmpty)
    }

    @Test("A page that contains only the user's own messages causes no read request")
    func ownMessagesOnAPageAreNotRead() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(page, [message(1, from: "client")])
        #expect(driver.open(read).isEmpty)
    }

    // MARK: - Scroll position

    /// Returns a client with thirty messages from `stukov`, which are marked as read as they become visible.
    private func reader() -> Driver {
        var profile = ClientProfile.exact
        profile.unread.clearOn = .visible
        profile.view.height = 10
        var driver = elsewhere(profile)
        for sequence in 1...30 as ClosedRange<Int64> { driver.receive(.message(message(sequence))) }
        driver.command(.open(conversation: "stukov"))
        return driver
    }

    @Test("Scrolling marks the messages that become visible as read")
    func scrollingReadsWhatComesOntoTheScreen() {
        var driver = reader()
        #expect(driver["unread[stukov]"] == 20)
        driver.command(.scroll(to: .message("m15")))
        #expect(driver["unread[stukov]"] == 6)
        driver.command(.scroll(to: .start))
        #expect(driver["unread[stukov]"] == 6)
        driver.command(.scroll(to: .end))
        #expect(driver["unread[stukov]"] == 0)
        let receipts = ["m10", "m24", "m30"].map { ClientFrame.readReceipt(conversation: "stukov", messageID: $0) }
        #expect(driver.said(.readReceipt) == receipts)
    }

    @Test("A message that arrives below the visible area is unread")
    func messagesBelowTheScreenAreUnread() {
        var driver = reader()
        driver.command(.scroll(to: .end))
        driver.command(.scroll(to: .start))
        driver.receive(.message(message(31)))
        #expect(driver["unread[stukov]"] == 1)
        driver.command(.scroll(to: .end))
        driver.receive(.message(message(32)))
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test("Sending a message scrolls to the end and marks everything there as read")
    func sendingReadsToTheEnd() {
        var driver = reader()
        driver.command(.scroll(to: .start))
        driver.receive(.message(message(31)))
        driver.send(to: "stukov")
        #expect(driver["unread[stukov]"] == 0)
        #expect(driver.said(.readReceipt).last == .readReceipt(conversation: "stukov", messageID: "m31"))
    }

    @Test("Reopening a conversation restores its scroll position and marks no message below it as read")
    func reopeningKeepsTheScrollPosition() {
        var driver = reader()
        driver.command(.scroll(to: .end))
        driver.command(.scroll(to: .start))
        driver.command(.open(conversation: "kerrigan"))
        driver.receive(.message(message(31)))
        driver.command(.open(conversation: "stukov"))
        #expect(driver["unread[stukov]"] == 1)
        driver.command(.scroll(to: .end))
        #expect(driver["unread[stukov]"] == 0)
    }

    // MARK: - Views

    @Test("A launch by a notification for an unknown conversation opens none and marks none as read")
    func aLaunchThatLeadsElsewhereHasNothingOnTheScreen() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(page, [])
        let ghost = Push(for: "client", conversation: "ghost", message: "m9", sender: "ghost", text: "boo")
        driver.killAndStart(Phone(launchedBy: ghost))
        driver.connect()
        driver.answer("/conversations/ghost", 404)
        driver.receive(.message(message(1)))
        #expect(driver["view.conversation"] == .null)
        #expect(driver["unread[stukov]"] == 1)
        #expect(driver.said(.readReceipt).isEmpty)
        #expect(driver.store["view.conversation"] == nil)
    }

    @Test("A push for a conversation whose view has disappeared is not suppressed")
    func aViewThatHasLeftTheScreenSuppressesNothing() {
        var driver = elsewhere()
        driver.command(.open(conversation: "stukov"))
        driver.push("seen")
        driver.command(.disappear(conversation: "stukov"))
        driver.push("unseen", message: "m2")
        #expect(driver.presentations == [[], [.banner, .sound, .badge]])
    }

    // MARK: - Counts

    @Test("The largest unread counts the server can send neither crash the app nor stay unread")
    func noCountOfTheServerEndsTheApp() {
        var driver = elsewhere()
        let counts = ["stukov", "zagara"].map {
            ConversationSummary(id: $0, name: $0, unread: .max, lastMessage: nil)
        }
        driver.command(.openList)
        driver.answer("/conversations", body: ConversationList(counts).encode(driver.wire))
        driver.receive(.message(message(1)))
        #expect(driver.text("badge.text[stukov]") == "99+")
        driver.killAndStart()
        #expect((driver["badge.app"]?.intValue ?? 0) > 0)
        driver.command(.open(conversation: "stukov"))
        #expect(driver["unread[stukov]"] == 0)
    }
}
