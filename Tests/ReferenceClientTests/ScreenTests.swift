import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct ScreenTests {
    private let path = "/conversations/stukov/messages"
    private let stukov = Agent(
        user: "stukov",
        conversation: "stukov",
        name: "Alexei Stukov",
        status: .idle,
        lastSeen: 5,
        about: "Adjutant"
    )

    private var asking: ClientProfile {
        var profile = ClientProfile.exact
        profile.start.asksForPartners = true
        return profile
    }

    @Test("The first launch loads the agents and opens the conversation of the first agent")
    func theFirstLaunchLoadsAndThenLooksAtTheFirst() {
        var driver = Driver(asking)
        driver.start()
        #expect(driver.text("view.phase") == "skeleton")
        #expect(driver.text("view.loading_text") == "Loading...")
        driver.answerAgents([stukov])
        #expect(driver.text("view.conversation") == "stukov")
        #expect(driver.text("view.header_name") == "Alexei Stukov")
        #expect(driver.text("view.loading_text") == "Loading conversation with Alexei Stukov...")
        driver.answerPage(path, [message(1)])
        #expect(driver["view.loading_text"] == .null)
    }

    @Test("The view is empty if the server has no agents, and an error if the agents request fails")
    func noAgentsIsEmptyAndNoAnswerIsAnError() {
        var driver = Driver(asking)
        driver.start()
        driver.failRequest("/agents")
        #expect(driver.text("view.phase") == "error")
        driver.connect()
        #expect(driver.text("view.phase") == "skeleton")
        driver.answerAgents([])
        #expect(driver.text("view.phase") == "empty")
        #expect(driver["view.conversation"] == .null)
    }

    @Test("The names of agents are kept after a kill")
    func namesSurviveAKill() {
        var driver = Driver(asking)
        driver.startConnected()
        driver.answerAgents([stukov])
        driver.killAndStart()
        #expect(driver.text("view.header_name") == "Alexei Stukov")
        #expect(driver.open(path).count == 1)
        #expect(driver.open("/agents").count == 1)
    }

    @Test("A group shows its own name, and signing out removes the stored names")
    func groupsKeepTheirNamesAndSigningOutRemovesThem() {
        var driver = Driver(asking)
        driver.startConnected()
        driver.command(.open(conversation: "fleet"))
        driver.answerAgents(
            ["stukov", "raynor"].map { user in
                Agent(user: user, conversation: "fleet", name: "Captain \(user)", status: .online)
            } + [stukov]
        )
        #expect(driver.text("view.header_name") == "fleet")
        driver.command(.open(conversation: "stukov"))
        #expect(driver.text("view.header_name") == "Alexei Stukov")
        driver.command(.signOut)
        #expect(driver["view.header_name"] == .null)
        #expect(driver.store.entries.filter { $0.key.hasPrefix("name/") } == [])
    }

    @Test("Opening the list of conversations does not open a conversation")
    func theListOfConversationsOpensNone() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.openList)
        driver.answerAgents([stukov])
        #expect(driver["view.conversation"] == .null)
        driver.command(.open(conversation: "stukov"))
        #expect(driver.text("view.header_name") == "Alexei Stukov")
    }

    @Test("A start without asks_for_partners requests no agents")
    func aStartWithoutTheListAsksForNone() {
        var driver = Driver()
        driver.startConnected()
        #expect(driver.requests.isEmpty)
    }

    @Test("An empty conversation shows its partner's status until there is a message")
    func anEmptyConversationShowsItsPartner() {
        var driver = Driver(asking)
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(path, [])
        #expect(driver.text("view.empty_text") == "CHANNEL CLEAR. TRANSMIT WHEN READY.")
        driver.answerAgents([stukov])
        #expect(driver.text("view.empty_text") == "CHANNEL OPEN. NO TRANSMISSIONS LOGGED.")
        #expect(driver.text("view.partner_status") == "idle")
        #expect(driver.text("view.partner_about") == "Adjutant")
        #expect(driver["view.partner_last_seen"] == .null)
        driver.drop()
        #expect(driver.text("view.partner_status") == "last_seen")
        #expect(driver.text("view.partner_last_seen") == "last seen now")
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 1)
        driver.replay([message(1)], through: 1)
        #expect(driver["view.empty_text"] == .null)
        #expect(driver["view.partner_status"] == .null)
        #expect(driver.list("view.suggestions") == [])
    }

    @Test("A suggestion fills the composer, and sending empties it")
    func aSuggestionIsTakenAndSentOnce() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(path, [])
        #expect(driver["composer.text"] == nil)
        for number in [0, 99, Int64.max] {
            driver.command(.takeSuggestion(number))
            #expect(driver["composer.text"] == nil)
        }
        driver.command(.takeSuggestion(2))
        #expect(driver.text("composer.text") == driver.list("view.suggestions")[1])
        driver.send("What are you working on?")
        #expect(driver.text("composer.text") == "")
    }

    @Test("The direction of a transition between conversations follows the order in which they were opened")
    func switchesHaveDirections() {
        var driver = Driver()
        driver.startConnected()
        for name in ["a", "b", "a", "a", "c"] { driver.command(.open(conversation: name)) }
        #expect(
            driver.events("client.transition") == [
                ["direction": "left"], ["direction": "right"], ["direction": "left"],
            ]
        )
    }

    @Test("Rows of the previous conversation are marked as stale until the new page arrives or fails")
    func rowsThatStayAreStaleUntilTheAnswer() {
        var profile = ClientProfile.exact
        profile.switching.keepsDimmed = true
        for isGood in [true, false] {
            var driver = Driver(profile)
            driver.look()
            driver.command(.open(conversation: "kerrigan"))
            #expect(driver.list("view.rows") == ["m11", "m12", "m13", "m14"])
            #expect(driver["view.stale"] == true)
            #expect(driver.text("view.header_name") == "kerrigan")
            #expect(driver.text("view.phase") == "rows")
            let other = "/conversations/kerrigan/messages"
            if isGood { driver.answerPage(other, []) } else { driver.answer(other, 500) }
            #expect(driver.list("view.rows") == [])
            #expect(driver["view.stale"] == false)
            #expect(driver.text("view.phase") == (isGood ? "empty" : "error"))
        }
    }

    @Test("Without keeps_dimmed the rows of the previous conversation disappear at once")
    func withoutTheOptionNothingStays() {
        var driver = Driver()
        driver.look()
        driver.command(.open(conversation: "kerrigan"))
        #expect(driver.list("view.rows") == [])
        #expect(driver.text("view.phase") == "skeleton")
        #expect(driver["view.stale"] == nil)
    }
}
