import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct DegradedTests {
    private static let messages = "/conversations/stukov/messages"

    /// Returns a client that was connected once and has then used up its connection attempts.
    private func degraded() -> Driver {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 2
        var driver = Driver(profile)
        driver.startConnected(lastSequence: 1)
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(Self.messages, [message(1)])
        driver.answer("/conversations/stukov/read")
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.advance(by: .seconds(2))
        driver.refuse()
        return driver
    }

    @Test("A degraded client shows its transport, label, tone and banner")
    func showsWhatItDoes() {
        let driver = degraded()
        #expect(driver.state == "degraded")
        #expect(driver.text("connection.transport") == "http")
        #expect(driver.text("connection.label") == "POLLING (30S)")
        #expect(driver.text("connection.tone") == "amber")
        #expect(driver.text("banner.text") == "REAL-TIME UNAVAILABLE. CHECKING EVERY 30S.")
        #expect(driver["poll.active"] == true)
    }

    @Test("A degraded client polls at once and then at every interval")
    func pollsAtOnceAndEachInterval() {
        var driver = degraded()
        #expect(driver.open(Self.messages).count == 1)
        driver.answerList([message(2)])
        driver.answerPage("\(Self.messages)?limit=50&after=1", [message(2)])
        #expect(driver.list("view.rows") == ["m1", "m2"])
        driver.answer("/conversations/stukov/read")
        driver.advance(by: .milliseconds(29_999))
        #expect(driver.requests.isEmpty)
        driver.advance(by: .milliseconds(1))
        #expect(driver.requests.map(\.request.target) == ["/conversations", "\(Self.messages)?limit=50&after=2"])
    }

    @Test("A degraded client reports by a request that a message was read, once the message is on disk")
    func readingsAreReportedByRequests() {
        var driver = degraded()
        driver.answerList([message(2)])
        driver.diskIsFast = false
        driver.answerPage("\(Self.messages)?limit=50&after=1", [message(2)])
        #expect(driver.open("/conversations/stukov/read").isEmpty)
        while !driver.unwritten.isEmpty { driver.writeOne() }
        #expect(driver.open("/conversations/stukov/read").count == 1)
        driver.answer("/conversations/stukov/read")
        driver.feed(.timer)
        #expect(driver.open("/conversations/stukov/read").isEmpty)
    }

    @Test("A page that does not have the newest message of the list is requested once more")
    func pageOlderThanTheList() {
        let page = "\(Self.messages)?limit=50&after=1"
        var driver = degraded()
        driver.answerList([message(2)])
        driver.answerPage(page, [])
        #expect(driver.requests.map(\.request.target) == [page])
        driver.answerPage(page, [message(2)])
        #expect(driver.list("view.rows") == ["m1", "m2"])
        driver.answer("/conversations/stukov/read")
        #expect(driver.requests.isEmpty)

        driver = degraded()
        driver.answerList([message(2)])
        driver.answerPage(page, [])
        driver.answerPage(page, [])
        #expect(driver.requests.isEmpty)
    }

    @Test("A failed poll is followed by another poll after the interval")
    func pollThatFailsIsFollowedByTheNext() {
        var driver = degraded()
        driver.failRequest("/conversations")
        #expect(driver.state == "degraded")
        #expect(driver.events("client.refresh.ended").isEmpty)
        driver.advance(by: .seconds(30))
        #expect(driver.open("/conversations").count == 2)
    }

    @Test("A degraded client makes one connection attempt after each pause and polls in between")
    func triesTheSocketAgain() {
        var driver = degraded()
        driver.advance(by: .seconds(300) - .milliseconds(1))
        #expect(driver.attempts.count == 3)
        driver.advance(by: .milliseconds(1))
        #expect(driver.attempts.count == 4)
        #expect(driver.state == "degraded")
        #expect(driver["poll.active"] == true)
        driver.refuse()
        #expect(driver.state == "degraded")
        #expect(driver.events("client.gave_up").count == 1)
        driver.advance(by: .seconds(300))
        #expect(driver.attempts.count == 5)
    }

    @Test("A degraded client whose pause is zero makes no connection attempt on its own")
    func waitsForAnEventWithoutAPause() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        profile.reconnect.pollingPause = .zero
        var driver = Driver(profile)
        driver.start()
        driver.refuse()
        #expect(driver.state == "degraded")
        driver.advance(by: .seconds(3600))
        #expect(driver.attempts.count == 1)
    }

    @Test("A degraded client posts its messages one after another")
    func messagesGoByPostOneAfterTheOther() {
        var driver = degraded()
        for text in ["one", "two"] { driver.command(.send(conversation: "stukov", text: text, label: nil)) }
        let posts = driver.requests.filter { $0.request.method == "POST" }
        #expect(posts.count == 1)
        let body = posts.first.flatMap { try? SendBody.decode($0.request.body, driver.wire) }
        #expect(body?.text == "one")
        let id = body?.clientMessageID ?? ""
        let confirmation = ServerFrame.Confirmation(
            clientMessageID: id,
            messageID: "m2",
            sequence: 2,
            timestamp: 1_767_225_602_000,
            duplicate: false
        )
        if let post = posts.first {
            driver.feed(.response(post.id, ChatResponse(.created, body: confirmation.encode(driver.wire))))
        }
        #expect(driver.text("message.status[\(id)]") == "delivered")
        #expect(driver.requests.filter { $0.request.method == "POST" }.count == 2)
    }

    @Test("The status of a refused POST decides whether the message fails or stays queued")
    func refusedPostFailsItsOwnMessage() {
        for (status, expected) in [(500, "failed"), (403, "failed"), (429, "queued"), (302, "queued")] {
            var driver = degraded()
            driver.command(.send(conversation: "stukov", text: "one", label: nil))
            guard let post = driver.requests.last else { return }
            driver.feed(.response(post.id, ChatResponse(status: status)))
            #expect(driver.history("message.status").last == expected, "\(status)")
        }
    }

    @Test("A key that is refused over HTTP stops the polling")
    func keyThatIsRefusedOverHTTPStopsThePolling() {
        var driver = degraded()
        driver.answer("/conversations", 401)
        #expect(driver.state == "auth_required")
        #expect(driver["auth.requires_reauth"] == true)
        driver.forget()
        driver.advance(by: .seconds(100))
        #expect(driver.requests.isEmpty)
    }

    @Test("A client without a stored sequence number starts from the server's newest message")
    func clientWithoutAPastBeginsWhereTheServerStands() {
        var profile = ClientProfile.exact
        profile.reconnect.maxAttempts = 1
        var driver = Driver(profile)
        driver.start()
        driver.refuse()
        driver.answerList([message(7)])
        #expect(driver.requests.isEmpty)
        #expect(driver["sync.last_sequence"] == 7)
        driver.advance(by: .seconds(30))
        driver.answerList([message(8)])
        driver.answerPage("\(Self.messages)?limit=50&after=7", [message(8)])
        #expect(driver["unread[stukov]"] == 1)
    }

    @Test("A POST without a response is repeated later with the same message id")
    func postWithoutAnswerIsRepeatedLaterWithTheSameId() {
        var driver = degraded()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        guard let first = driver.requests.last else { return }
        driver.feed(.requestFailed(first.id, .refused))
        #expect(driver.requests.filter { $0.request.method == "POST" }.count == 1)
        driver.advance(by: .seconds(5))
        let posts = driver.requests.filter { $0.request.method == "POST" }
        #expect(posts.count == 2)
        #expect(posts[0].request.body == posts[1].request.body)
    }

    @Test("The return of the network reopens the WebSocket and ends the polling")
    func networkBringsTheSocketBackAndEndsThePolling() {
        var driver = degraded()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        driver.command(.network(reachable: false))
        #expect(driver.state == "offline")
        #expect(driver["poll.active"] == false)
        #expect(driver.history("message.status").last == "queued")
        driver.command(.network(reachable: true))
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        #expect(
            driver.history("connection.state").suffix(5) == [
                "degraded", "offline", "connecting", "authenticating", "connected",
            ]
        )
        #expect(driver.sends.map(\.text) == ["one"])
        driver.forget()
        driver.answersPings = true
        driver.advance(by: .seconds(120))
        #expect(driver.requests.isEmpty)
    }

    @Test("A polling client that comes to the foreground polls at once, and goes on while it opens a WebSocket")
    func foregroundKeepsPolling() {
        var driver = degraded()
        driver.forget()
        driver.command(.foreground)
        #expect(driver.attempts.count == 1)
        #expect(driver["poll.active"] == true)
        #expect(driver["connection.state"] == "degraded")
        #expect(!driver.open("/conversations").isEmpty)
    }

    @Test("A client that polled before it was suspended polls at once in the foreground, and makes one attempt")
    func foregroundResumesPolling() {
        var driver = degraded()
        driver.command(.background)
        driver.advance(by: .seconds(60))
        #expect(driver.state == "suspended")
        #expect(driver["poll.active"] == false)
        driver.forget()
        driver.command(.foreground)
        #expect(driver.state == "degraded")
        #expect(driver["poll.active"] == true)
        #expect(!driver.open("/conversations").isEmpty)
        #expect(driver.attempts.count == 1)
        driver.refuse()
        driver.advance(by: .seconds(30))
        #expect(driver.state == "degraded")
        #expect(driver.attempts.count == 1)
    }

    @Test("A reconnect command reopens the WebSocket and ends the polling")
    func userBringsTheSocketBack() {
        var driver = degraded()
        driver.forget()
        driver.command(.reconnect)
        #expect(driver.attempts.count == 1)
        #expect(driver["connection.attempt"] == 0)
        #expect(driver["poll.active"] == false)
        // Missed messages are fetched over HTTP before the socket is open.
        #expect(driver.open("/conversations").count == 2)
    }
}
