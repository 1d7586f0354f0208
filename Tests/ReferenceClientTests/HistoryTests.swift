import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct HistoryTests {
    private let path = "/conversations/stukov/messages"

    private func page(_ sequences: ClosedRange<Int64>) -> [ChatMessage] { sequences.map { message($0) } }

    private func targets(_ driver: Driver) -> [String] { driver.requests.map(\.request.target) }

    @Test("The control for earlier messages shows whether more messages exist and whether they are loading")
    func theControlSaysWhatThereIs() {
        var driver = Driver()
        driver.look()
        #expect(driver.text("history.control_text") == "LOAD EARLIER MESSAGES")
        driver.command(.loadEarlier)
        #expect(driver.text("history.control_text") == "LOADING...")
        #expect(driver["history.in_flight"] == true)
        #expect(targets(driver) == ["\(path)?limit=50&before=m11"])
        driver.answerPage(path, page(1...10))
        #expect(driver["history.control_text"] == .null)
        #expect(driver["history.has_more[stukov]"] == false)
        #expect(driver.list("view.rows").count == 14)
        driver.command(.loadEarlier)
        #expect(driver.requests.isEmpty)
    }

    @Test("A conversation without earlier messages has no control for them and loads no page")
    func aConversationWithoutMoreShowsNothingOfIt() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(path, page(1...3))
        driver.command(.loadEarlier)
        #expect(driver.open(path).isEmpty)
        #expect(driver["history.control_text"] == nil)
    }

    @Test("One scroll gesture loads at most one page")
    func oneGestureIsOnePage() {
        var profile = ClientProfile.exact
        profile.history.debounce = .milliseconds(300)
        var driver = Driver(profile)
        driver.look()
        driver.command(.scroll(to: .start))
        driver.command(.scroll(to: .start))
        driver.command(.loadEarlier)
        #expect(driver.requests.count == 1)
        driver.answerPage(path, page(9...10), hasMore: true)
        driver.advance(by: .milliseconds(299))
        driver.command(.scroll(to: .start))
        #expect(driver.requests.isEmpty)
        driver.advance(by: .milliseconds(1))
        driver.command(.scroll(to: .start))
        #expect(targets(driver) == ["\(path)?limit=50&before=m9"])
    }

    @Test("A tap on the control for earlier messages loads the next page without the debounce delay")
    func aTapOnTheControlWaitsForNoGesture() {
        var driver = Driver()
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(path, page(9...10), hasMore: true)
        driver.command(.loadEarlier)
        #expect(driver.requests.count == 1)
    }

    @Test("After a page fails to load, the control for earlier messages is shown again")
    func aPageThatCannotBeHadGivesTheControlBack() {
        for isAnswered in [true, false] {
            var driver = Driver()
            driver.look()
            driver.command(.scroll(to: .start))
            if isAnswered { driver.answer(path, 500) } else { driver.failRequest(path) }
            #expect(driver.text("history.control_text") == "LOAD EARLIER MESSAGES")
            #expect(driver.text("banner.text") == "Earlier messages could not be loaded.")
            #expect(driver.text("scroll.anchor") == "m11")
            #expect(driver.requests.isEmpty)
            driver.command(.loadEarlier)
            #expect(driver.requests.count == 1)
            driver.answerPage(path, page(9...10), hasMore: true)
            #expect(driver["banner.text"] == .null)
        }
    }

    @Test("A refresh of the newest page does not bring back the control for earlier messages")
    func aNewestPageKeepsHasMore() {
        var driver = Driver()
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(path, page(1...10))
        driver.command(.refresh)
        driver.answerPage(path, page(11...14), hasMore: true)
        #expect(driver["history.has_more[stukov]"] == false)
    }

    @Test("Opening another conversation cancels the pending page request")
    func openingAnotherConversationCancelsThePage() {
        var driver = Driver()
        driver.look()
        driver.command(.loadEarlier)
        let page = driver.requests[0].id
        driver.command(.open(conversation: "kerrigan"))
        #expect(driver.cancelled.contains(page))
        #expect(driver["history.in_flight"] == false)
        driver.command(.open(conversation: "stukov"))
        #expect(driver.text("history.control_text") == "LOAD EARLIER MESSAGES")
    }

    @Test("Earlier messages that are loaded do not count as unread")
    func olderMessagesAreNotUnread() {
        var driver = Driver()
        driver.look()
        driver.command(.background)
        driver.command(.loadEarlier)
        driver.answerPage(path, page(1...10))
        #expect(driver["unread[stukov]"] == 0)
        #expect(driver["new_marker.count"] == nil)
    }

    // MARK: - Searching for a message

    @Test("A jump to a loaded message scrolls to it at once")
    func aMessageThatIsHereIsFoundAtOnce() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m12"))
        #expect(driver.events("client.search.ended") == [["outcome": "found"]])
        #expect(driver.text("scroll.anchor") == "m12")
        #expect(driver.requests.isEmpty)
    }

    @Test("A jump to an earlier message loads page after page until the message is found")
    func aMessageFarBackIsLookedForPageByPage() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m4"))
        driver.answerPage(path, page(7...10), hasMore: true)
        #expect(targets(driver) == ["\(path)?limit=50&before=m7"])
        driver.answerPage(path, page(3...6), hasMore: true)
        #expect(driver.requests.isEmpty)
        #expect(driver.events("client.search.ended") == [["outcome": "found"]])
        #expect(driver.text("scroll.anchor") == "m4")
    }

    @Test("A jump waits until the newest page has loaded")
    func aSearchWaitsForTheNewestPage() {
        var driver = Driver()
        driver.startConnected(lastSequence: 14)
        driver.command(.open(conversation: "stukov"))
        driver.command(.jump(message: "m13"))
        #expect(driver.events("client.search.ended") == [])
        driver.answerPage(path, page(11...14), hasMore: true)
        #expect(driver.events("client.search.ended") == [["outcome": "found"]])
    }

    @Test("A jump to an unknown message ends as not found when all pages are loaded")
    func aSearchEndsWhereHistoryDoes() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "gone"))
        driver.answerPage(path, page(1...10))
        #expect(driver.events("client.search.ended") == [["outcome": "not_there"]])
        #expect(driver["scroll.anchor"] == nil)
    }

    @Test("A jump ends as failed when a page fails to load")
    func aSearchEndsWithAPageThatCannotBeHad() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m1"))
        driver.failRequest(path)
        #expect(driver.events("client.search.ended") == [["outcome": "failed"]])
        #expect(driver.requests.isEmpty)
    }

    @Test(
        "A jump is abandoned when the user opens another conversation, scrolls or jumps again",
        arguments: [
            ClientCommand.open(conversation: "kerrigan"), .scroll(to: .end), .jump(message: "m11"),
        ]
    )
    func aSearchEndsWhenTheUserTurnsElsewhere(command: ClientCommand) {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m1"))
        driver.command(command)
        #expect(driver.events("client.search.ended").first == ["outcome": "given_up"])
    }
}
