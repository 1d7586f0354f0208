import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct HistoryTests {
    private let path = "/conversations/stukov/messages"

    private func page(_ sequences: ClosedRange<Int64>) -> [ChatMessage] { sequences.map { message($0) } }

    private func targets(_ driver: Driver) -> [String] { driver.requests.map(\.request.target) }

    @Test func theControlSaysWhatThereIs() {
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

    @Test func aConversationWithoutMoreShowsNothingOfIt() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(path, page(1...3))
        driver.command(.loadEarlier)
        #expect(driver.open(path).isEmpty)
        #expect(driver["history.control_text"] == nil)
    }

    @Test func oneGestureIsOnePage() {
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

    @Test func aTapOnTheControlWaitsForNoGesture() {
        var driver = Driver()
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(path, page(9...10), hasMore: true)
        driver.command(.loadEarlier)
        #expect(driver.requests.count == 1)
    }

    @Test func aPageThatCannotBeHadGivesTheControlBack() {
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
        }
    }

    @Test func aNewestPageSaysNothingOfWhatWasPagedThrough() {
        var driver = Driver()
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(path, page(1...10))
        driver.command(.refresh)
        driver.answerPage(path, page(11...14), hasMore: true)
        #expect(driver["history.has_more[stukov]"] == false)
    }

    @Test func whoLooksElsewhereWaitsForNoPage() {
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

    @Test func olderMessagesAreNotUnread() {
        var driver = Driver()
        driver.look()
        driver.command(.background)
        driver.command(.loadEarlier)
        driver.answerPage(path, page(1...10))
        #expect(driver["unread[stukov]"] == 0)
        #expect(driver["new_marker.count"] == nil)
    }

    // MARK: - The search for a message

    @Test func aMessageThatIsHereIsFoundAtOnce() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m12"))
        #expect(driver.events("client.search.ended") == [["outcome": "found"]])
        #expect(driver.text("scroll.anchor") == "m12")
        #expect(driver.requests.isEmpty)
    }

    @Test func aMessageFarBackIsLookedForPageByPage() {
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

    @Test func aSearchWaitsForTheNewestPage() {
        var driver = Driver()
        driver.startConnected(lastSequence: 14)
        driver.command(.open(conversation: "stukov"))
        driver.command(.jump(message: "m13"))
        #expect(driver.events("client.search.ended") == [])
        driver.answerPage(path, page(11...14), hasMore: true)
        #expect(driver.events("client.search.ended") == [["outcome": "found"]])
    }

    @Test func aSearchEndsWhereHistoryDoes() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "gone"))
        driver.answerPage(path, page(1...10))
        #expect(driver.events("client.search.ended") == [["outcome": "not_there"]])
        #expect(driver["scroll.anchor"] == nil)
    }

    @Test func aSearchEndsWithAPageThatCannotBeHad() {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m1"))
        driver.failRequest(path)
        #expect(driver.events("client.search.ended") == [["outcome": "failed"]])
        #expect(driver.requests.isEmpty)
    }

    @Test(arguments: [
        ClientCommand.open(conversation: "kerrigan"), .scroll(to: .end), .jump(message: "m11"),
    ])
    func aSearchEndsWhenTheUserTurnsElsewhere(command: ClientCommand) {
        var driver = Driver()
        driver.look()
        driver.command(.jump(message: "m1"))
        driver.command(command)
        #expect(driver.events("client.search.ended").first == ["outcome": "given_up"])
    }
}
