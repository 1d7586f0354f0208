import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests the list of conversations while a conversation is open.
@Suite struct ListTests {
    private func summary(_ name: String, unread: Int64, _ newest: ChatMessage? = nil) -> ConversationSummary {
        ConversationSummary(id: name, name: name, unread: unread, lastMessage: newest)
    }

    private func looking(_ profile: ClientProfile = .exact) -> Driver {
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        return driver
    }

    private func answer(_ list: [ConversationSummary], _ driver: inout Driver) {
        driver.answer("/conversations", body: ConversationList(list).encode(driver.wire))
    }

    @Test("The list of conversations is neither shown nor loaded before it is opened")
    func nothingOfItIsShownBeforeItIsOpened() {
        var driver = looking()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        #expect(driver["list.conversations"] == nil)
        #expect(driver["badge.text[kerrigan]"] == nil)
        driver.command(.openList)
        #expect(driver.text("badge.text[kerrigan]") == "1")
        #expect(driver.open("/conversations").count == 1)
    }

    @Test("The list of conversations shows the server's unread counts")
    func theListShowsTheServersCounts() {
        var driver = looking()
        driver.command(.openList)
        answer([summary("kerrigan", unread: 3, message(3, in: "kerrigan")), summary("anna", unread: 0)], &driver)
        #expect(driver.text("badge.text[kerrigan]") == "3")
        #expect(driver["badge.app"] == 3)
        #expect(Set(driver.list("list.conversations")).isSuperset(of: ["kerrigan", "anna"]))
    }

    @Test("The open conversation does not count as unread, whatever the server's count")
    func theConversationOnTheScreenIsNotUnreadWhateverTheServerHasHeard() {
        var driver = looking()
        driver.command(.openList)
        answer([summary("stukov", unread: 3)], &driver)
        #expect(driver["badge.app"] == 0)
    }

    @Test("A list without unread counts, as older servers send it, makes the client request the counts")
    func olderRecordsMakeTheClientRequestTheCounts() {
        var driver = looking()
        driver.command(.openList)
        answer([ConversationSummary(id: "kerrigan", name: "kerrigan", unread: nil)], &driver)
        #expect(driver.list("list.conversations").contains("kerrigan"))
        let count = UnreadCount(conversation: "kerrigan", unread: 4)
        driver.answer("/unread", body: UnreadCounts([count]).encode(driver.wire))
        #expect(driver.text("badge.text[kerrigan]") == "4")
    }

    @Test("After a reconnect with unread messages, a failed request for the counts is retried, a rejected one is not")
    func failedRequestForTheCountsIsRetried() {
        for (status, count) in [(503, 1), (404, 0)] {
            var driver = looking()
            driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
            driver.comeBack(lastSequence: 1)
            #expect(driver.open("/unread").count == 1)
            driver.answer("/unread", status)
            driver.advance(by: .seconds(3))
            #expect(driver.open("/unread").count == count, "\(status)")
        }
    }

    @Test("Without unread messages, a reconnect requests no counts")
    func nothingUnreadNeedsNoCounts() {
        var driver = looking()
        driver.comeBack(lastSequence: 1)
        #expect(driver.open("/unread").isEmpty)
    }

    @Test("A list that fails to load changes nothing and can be loaded again")
    func aListThatCannotBeHadChangesNothing() {
        var driver = looking()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        driver.command(.openList)
        driver.answer("/conversations", 503)
        #expect(driver.text("badge.text[kerrigan]") == "1")
        driver.command(.openList)
        #expect(driver.open("/conversations").count == 1)
    }

    @Test(
        "A badge shows counts up to the limit in the profile",
        arguments: [(99, 99, "99"), (100, 99, "99+"), (100, 0, "100"), (1, 1, "1"), (2, 1, "1+")]
    )
    func aBadgeCountsToItsLimit(_ count: Int64, _ limit: Int64, _ text: String) {
        var profile = ClientProfile.exact
        profile.badge.limit = limit
        var driver = looking(profile)
        driver.command(.openList)
        answer([summary("kerrigan", unread: count)], &driver)
        #expect(driver.text("badge.text[kerrigan]") == text)
    }
}
