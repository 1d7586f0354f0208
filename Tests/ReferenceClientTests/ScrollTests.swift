import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct ScrollTests {
    private let path = "/conversations/stukov/messages"

    @Test("No scroll position is shown before the user scrolls")
    func nothingIsShownBeforeTheUserScrolls() {
        var driver = Driver()
        driver.look()
        driver.receive(.message(message(15)))
        #expect(driver["scroll.anchor"] == nil)
        #expect(driver.events("client.scrolled") == [])
    }

    @Test("With view.place_shown, a view that was never scrolled scrolls to a new message")
    func aReaderWhoHasNeverScrolledIsTakenAlong() {
        var profile = ClientProfile.exact
        profile.view.showsPlace = true
        var driver = Driver(profile)
        driver.look()
        driver.forget()
        driver.receive(.message(message(15)))
        #expect(driver.events("client.scrolled") == [["cause": "new_message", "to": "end"]])
        #expect(driver["scroll.anchor"] == .null)
    }

    @Test("A view that is scrolled to the end scrolls to a new message")
    func aReaderAtTheEndIsTakenAlong() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .end))
        driver.forget()
        driver.receive(.message(message(15)))
        #expect(driver.events("client.scrolled") == [["cause": "new_message", "to": "end"]])
        #expect(driver["scroll.anchor"] == .null)
    }

    @Test("A replay of several messages causes a single scroll")
    func aReplayScrollsOnce() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .end))
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 17)
        driver.forget()
        driver.replay((15...17).map { message($0) }, through: 17)
        #expect(driver.events("client.scrolled").count == 1)
    }

    @Test("New messages below the scroll position are counted")
    func newMessagesBelowTheReaderAreCounted() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .message("m12")))
        driver.receive(.message(message(15)))
        driver.receive(.message(message(16)))
        driver.receive(.message(message(17, from: "client")))
        #expect(driver.text("scroll.anchor") == "m12")
        #expect(driver.text("new_marker.before") == "m15")
        #expect(driver["new_marker.count"] == 2)
        driver.command(.scroll(to: .end))
        #expect(driver["new_marker.count"] == 0)
    }

    @Test("Sending a message scrolls to the end")
    func sendingScrollsToTheEnd() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .message("m12")))
        driver.send()
        #expect(driver["scroll.anchor"] == .null)
        #expect(driver.events("client.scrolled").last == ["cause": "own_message", "to": "end"])
    }

    @Test("Scrolling to an unknown message has no effect")
    func aMessageThatIsNotThereIsNoPlace() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .message("unknown")))
        #expect(driver["scroll.anchor"] == nil)
    }

    @Test("The separator is above the messages that arrived in the background")
    func theSeparatorPrecedesNewMessages() {
        var driver = Driver()
        driver.look()
        driver.command(.background)
        driver.advance(by: .seconds(31))
        driver.command(.foreground)
        driver.connect(lastSequence: 16)
        driver.replay([message(15), message(16)], through: 16)
        #expect(driver.text("new_marker.before") == "m15")
        #expect(driver["new_marker.count"] == 2)
        driver.receive(.message(message(17)))
        #expect(driver["new_marker.count"] == 2)
        driver.command(.background)
        #expect(driver["new_marker.before"] == .null)
        driver.command(.foreground)
        #expect(driver["new_marker.count"] == 0)
    }

    @Test("The separator is above a new message that arrives after a later one")
    func theSeparatorPrecedesLateMessages() {
        var driver = Driver()
        driver.look()
        driver.command(.scroll(to: .message("m12")))
        driver.receive(.message(message(16)))
        driver.receive(.message(message(15)))
        #expect(driver.text("new_marker.before") == "m15")
        #expect(driver["new_marker.count"] == 2)
    }

    @Test("Messages missed while the app is in the foreground get no separator")
    func missedMessagesInTheForegroundHaveNoSeparator() {
        var driver = Driver()
        driver.look()
        driver.reconnect(lastSequence: 15, missed: [message(15)])
        #expect(driver["new_marker.count"] == nil)
    }
}
