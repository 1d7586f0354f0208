import ChatWire
import ReferenceClient
import SquallCore
import Testing

@Suite struct PeopleTests {
    private func with(_ agents: [Agent], _ profile: ClientProfile = .exact, open conversation: String) -> Driver {
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.open(conversation: conversation))
        driver.answerPage("/conversations/\(conversation)/messages", [])
        driver.command(.openList)
        driver.answer("/conversations", body: ConversationList([]).encode(driver.wire))
        driver.answer("/agents", body: AgentList(agents).encode(driver.wire))
        return driver
    }

    private func member(_ user: String, _ status: PresenceStatus) -> Agent {
        Agent(user: user, conversation: "team", name: user, status: status, lastSeen: status == .offline ? 0 : nil)
    }

    @Test("A group's header counts the members who are online and lists them first")
    func aGroupCountsItsOnlineMembersAndListsThemFirst() {
        let members = [member("ada", .offline), member("ben", .online), member("cleo", .idle)]
        var driver = with(members, open: "team")
        #expect(driver.text("header.online") == "2 of 3 online")
        #expect(driver.list("header.members") == ["ben", "cleo", "ada"])
        #expect(driver.text("header.presence") == nil && driver.text("header.subtitle") == "DIRECT CHANNEL")
        driver.receive(.presence(user: "ada", status: .busy, lastSeen: nil))
        #expect(driver.list("header.members") == ["ada", "ben", "cleo"])
        driver.drop()
        #expect(driver.text("header.online") == nil)
        #expect(driver.text("member.presence[ada]") == "last_seen")
    }

    @Test("The shown presence changes from online to last seen while a pong is overdue")
    func presenceIsUncertainWhileAPongIsOverdue() {
        var profile = ClientProfile.exact
        profile.heartbeat.interval = .seconds(5)
        var driver = with([], profile, open: "stukov")
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        driver.advance(by: .seconds(7))
        #expect(driver.text("peer.presence[stukov]") == "online")
        driver.advance(by: .seconds(1))
        #expect(driver.text("peer.presence[stukov]") == "last_seen")
        driver.receive(.pong(id: "ping-1"))
        #expect(driver.text("peer.presence[stukov]") == "online")
    }

    @Test("The shown presence changes from online to last seen after the last retry of the agents request fails")
    func presenceIsUncertainAfterTheLastFailedRequest() {
        var driver = with([], open: "stukov")
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        driver.command(.openList)
        for wait in [1, 2] {
            driver.answer("/agents", 500)
            driver.advance(by: .milliseconds(Int64(wait) * 1000 - 1))
            #expect(driver.open("/agents").isEmpty)
            driver.advance(by: .milliseconds(1))
            #expect(driver.open("/agents").count == 1)
        }
        driver.answer("/agents", 500)
        #expect(driver.text("peer.presence[stukov]") == "last_seen")
        driver.advance(by: .seconds(60))
        #expect(driver.open("/agents").isEmpty)
        #expect(driver.events("client.presence_unavailable") == [["tries": 3]])
    }

    @Test(
        "An agents request is not retried before the next connection, whether it fails before or after the link",
        arguments: [true, false]
    )
    func failureAndLostLinkInEitherOrder(requestFailsFirst: Bool) {
        var driver = with([], open: "stukov")
        driver.command(.openList)
        if requestFailsFirst { driver.failRequest("/agents") }
        driver.drop()
        if !requestFailsFirst { driver.failRequest("/agents") }
        driver.advance(by: .milliseconds(1500))
        #expect(driver.open("/agents").isEmpty)
        driver.connect()
        #expect(driver.open("/agents").count == 1)
    }

    @Test("In the background the client refreshes neither the agents nor the unread counts")
    func theBackgroundRefreshesNothing() {
        var profile = ClientProfile.exact
        profile.people.refresh = .seconds(10)
        profile.unread.refresh = .seconds(10)
        var driver = with([], profile, open: "stukov")
        driver.command(.background)
        driver.advance(by: .seconds(15))
        #expect(driver.open("/agents").isEmpty && driver.open("/unread").isEmpty)
        driver.command(.foreground)
        #expect(driver.open("/agents").count == 1)
        driver.advance(by: .seconds(11))
        #expect(driver.open("/unread").count == 1)
    }

    @Test("An offline user's last_seen text shows how long ago that was")
    func lastSeenShowsTheAge() {
        var driver = with([], open: "stukov")
        let now: Int64 = 1_767_225_600_000
        driver.receive(.presence(user: "stukov", status: .offline, lastSeen: now - 59_000, since: now))
        #expect(driver.text("peer.last_seen[stukov]") == "last seen now")
        driver.answersPings = true
        driver.advance(by: .seconds(1))
        #expect(driver.text("peer.last_seen[stukov]") == "last seen 1m ago")
        driver.advance(by: .seconds(3540))
        #expect(driver.text("peer.last_seen[stukov]") == "last seen 1h ago")
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        #expect(driver.text("peer.last_seen[stukov]") == nil)
    }

    // MARK: Times

    private func timed(_ offset: TimeSpan = .zero) -> Driver {
        var profile = ClientProfile.exact
        profile.times.isShown = true
        profile.times.utcOffset = offset
        var driver = Driver(profile)
        driver.answersPings = true
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        return driver
    }

    private func old(_ sequence: Int64, _ age: Int64) -> ChatMessage {
        var old = message(sequence)
        old.timestamp = 1_767_225_600_000 - age
        return old
    }

    @Test(
        "The age of a message is rounded down to a whole unit",
        arguments: [
            (0, "now"), (59_999, "now"), (60_000, "1m ago"), (3_599_999, "59m ago"), (3_600_000, "1h ago"),
            (86_399_999, "23h ago"), (86_400_000, "1d ago"),
        ] as [(Int64, String)]
    )
    func agesAreRoundedDown(age: Int64, text: String) {
        var driver = timed()
        driver.receive(.message(old(1, age)))
        driver.receive(.message(old(2, 0)))
        #expect(driver.text("message.time_text[m1]") == text)
    }

    @Test("A day begins at midnight in the phone's time zone")
    func daysBeginWhereThePhoneIs() {
        // It is Thursday, 1 January 2026: midnight in UTC, one o'clock in the client's time zone.
        var driver = timed(.seconds(3600))
        driver.receive(.message(old(1, 8 * 86_400_000)))
        driver.receive(.message(old(2, 3 * 86_400_000)))
        driver.receive(.message(old(3, 3_600_001)))
        driver.receive(.message(old(4, 3_600_000)))
        driver.receive(.message(old(5, 0)))
        #expect(
            (1...5).map { driver.text("message.day[m\($0)]") } == ["2025-12-24", "Monday", "Yesterday", "Today", nil]
        )
        driver.command(.longPress(message: "m4"))
        #expect(driver.text("message.exact_time[m4]") == "2026-01-01 00:00:00")
    }
}
