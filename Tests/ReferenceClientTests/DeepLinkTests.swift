import ChatWire
import ReferenceClient
import SquallCore
import Testing

/// Tests which conversation a tapped notification opens.
@Suite struct DeepLinkTests {
    private func connected() -> Driver {
        var driver = Driver()
        driver.startConnected()
        return driver
    }

    private func found(_ driver: inout Driver, _ conversation: String) {
        let summary = ConversationSummary(id: conversation, name: conversation, unread: 0)
        driver.answer("/conversations/\(conversation)", body: summary.encode(driver.wire))
    }

    @Test("A conversation that the app does not have is fetched and then opened")
    func unknownConversationIsFetchedAndOpened() {
        var driver = connected()
        driver.tap("anna")
        #expect(driver.text("deep_link.pending") == "anna")
        #expect(driver.text("view.conversation") == nil)
        found(&driver, "anna")
        #expect(driver.text("view.conversation") == "anna")
        #expect(driver["deep_link.pending"] == .null)
        #expect(driver.events("client.deep_link.opened").count == 1)
    }

    @Test(
        "Each kind of failure to fetch a conversation has its own error text",
        arguments: [
            (404, "absent", "This conversation is no longer available", JSON.null),
            (403, "forbidden", "Unauthorized access", .null),
            (500, "unreachable", "Network error: status 500", "anna"),
        ]
    )
    func eachFailureHasItsOwnWords(_ status: Int, _ kind: String, _ text: String, _ pending: JSON) {
        var driver = connected()
        driver.tap("anna")
        driver.answer("/conversations/anna", status)
        #expect(driver.text("deep_link.error") == kind)
        #expect(driver.text("deep_link.text") == text)
        #expect(driver.text("banner.text") == text)
        #expect(driver["deep_link.pending"] == pending)
    }

    @Test("A failed fetch of a conversation is repeated on the next connection")
    func failedFetchIsRepeated() {
        var driver = connected()
        driver.tap("anna")
        driver.failRequest("/conversations/anna")
        driver.comeBack()
        #expect(driver.open("/conversations/anna").count == 1)
        found(&driver, "anna")
        #expect(driver.text("view.conversation") == "anna")
        #expect(driver["deep_link.error"] == .null)
    }

    @Test("After two taps the second tapped conversation opens, whichever request is answered first")
    func theLastTapWinsWhateverIsAnsweredFirst() {
        var driver = connected()
        driver.tap("anna")
        driver.tap("ben")
        #expect(driver.cancelled.count == 1)
        found(&driver, "ben")
        found(&driver, "anna")
        #expect(driver.text("view.conversation") == "ben")
    }

    @Test("A conversation that the user opens while another is fetched stays open when the fetch ends")
    func openingAnotherConversationCancelsTheTap() {
        var driver = connected()
        driver.tap("anna")
        driver.command(.open(conversation: "stukov"))
        found(&driver, "anna")
        #expect(driver.text("view.conversation") == "stukov")
    }

    @Test("A launch by a notification loads only the tapped conversation")
    func aLaunchByATapLoadsTheTargetAlone() {
        var driver = connected()
        driver.receive(.message(message(1, in: "anna")))
        driver.command(.open(conversation: "stukov"))
        let push = Push(for: "client", conversation: "anna", message: "m1", sender: "anna", text: "hello")
        driver.killAndStart(Phone(launchedBy: push))
        #expect(driver.text("view.conversation") == "anna")
        #expect(driver.requests.map(\.request.target).filter { $0.contains("/messages") }.count == 1)
        #expect(driver.open("/conversations/anna/messages").count == 1)
    }

    @Test("A launch by a notification for an unknown conversation shows none until it is fetched")
    func aLaunchForAnUnknownTargetShowsNothingMeanwhile() {
        var driver = connected()
        driver.command(.open(conversation: "stukov"))
        let push = Push(for: "client", conversation: "anna", message: "m1", sender: "anna", text: "hello")
        driver.killAndStart(Phone(token: "t1", launchedBy: push))
        #expect(driver["view.conversation"] == .null)
        #expect(driver["app.viewing"] == .null)
        #expect(!driver.requests.contains { $0.request.target.contains("/stukov/") })
        found(&driver, "anna")
        #expect(driver.text("app.viewing") == "anna")
    }

    @Test("A tap on a notification brings the app to the foreground with the tapped conversation open")
    func aTapInTheBackgroundBringsTheAppToTheFront() {
        var driver = connected()
        driver.receive(.message(message(1, in: "anna")))
        driver.command(.open(conversation: "stukov"))
        driver.command(.background)
        driver.receive(.message(message(2, in: "stukov")))
        driver.tap("anna")
        #expect(driver.text("view.conversation") == "anna")
        // Opening one conversation does not mark another as read.
        #expect(driver["unread[stukov]"] == 1)
        #expect(driver["unread[anna]"] == 0)
    }

    @Test("A tap on a notification without a signed-in user sends no request")
    func aTapWithoutAnAccountIsIgnored() {
        var driver = connected()
        driver.command(.signOut)
        driver.tap("anna")
        #expect(driver.open("/conversations/anna").isEmpty)
    }
}
