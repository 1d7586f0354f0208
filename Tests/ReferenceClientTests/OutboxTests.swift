import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct OutboxTests {
    private func send(_ driver: inout Driver, _ text: String, label: String? = nil) {
        driver.command(.send(conversation: "stukov", text: text, label: label))
    }

    private func error(_ code: ErrorCode, _ id: String?, retryAfter: TimeSpan? = nil) -> ServerFrame {
        .error(ServerFrame.ServerError(code: code, message: "No.", retryAfter: retryAfter, clientMessageID: id))
    }

    private func back(_ driver: inout Driver, lastSequence: Int64 = 0) {
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: lastSequence)
        driver.replay([], through: lastSequence)
    }

    @Test("The first event about a message is client.accepted")
    func acceptedIsTheFirstWordOfAMessage() {
        var driver = Driver()
        driver.startConnected()
        driver.forget()
        send(&driver, "one", label: "hello")
        let first = driver.observations.first?.observation
        #expect(first?.name == "client.accepted")
        #expect(first?.key == driver.sends.first?.clientMessageID)
        #expect(first?.change == .happened(["conversation": "stukov", "label": "hello"]))
    }

    @Test("A message is sent only after it is written to disk")
    func nothingGoesOnTheWireBeforeItIsOnDisk() {
        var driver = Driver()
        driver.startConnected()
        driver.diskIsFast = false
        send(&driver, "one")
        #expect(driver.sends.isEmpty)
        #expect(driver.history("message.status") == ["sending"])
        #expect(driver.unwritten.count == 1)
        driver.writeOne()
        #expect(driver.sends.map(\.text) == ["one"])
    }

    @Test("Messages are sent in the order of their writes to disk")
    func diskKeepsTheOrder() {
        var driver = Driver()
        driver.startConnected()
        driver.diskIsFast = false
        send(&driver, "one")
        send(&driver, "two")
        driver.writeOne()
        driver.writeOne()
        #expect(driver.sends.map(\.text) == ["one", "two"])
    }

    @Test("A kill loses a message that is not on disk yet and keeps a message that is")
    func killBeforeTheDiskLosesItAndKillAfterItDoesNot() {
        var driver = Driver()
        driver.startConnected()
        driver.diskIsFast = false
        send(&driver, "lost")
        driver.killAndStart()
        #expect(driver["outbox.count"] == 0)

        driver = Driver()
        driver.startConnected()
        send(&driver, "kept", label: "kept")
        let key = driver.sends.first?.clientMessageID
        driver.killAndStart()
        #expect(driver["outbox.count"] == 1)
        #expect(driver.list("conversation.messages[stukov]") == [key])
        driver.connect(session: "s1")
        driver.replay([], through: 0)
        #expect(driver.sends.map(\.clientMessageID) == [key])
        driver.confirm(key ?? "", sequence: 1, duplicate: true)
        #expect(driver["outbox.count"] == 0)
        #expect(driver.store.entries.filter { $0.key.hasPrefix("outbox/") }.isEmpty)
    }

    @Test("Message ids differ after a restart")
    func idsOfALaterLifeAreOthers() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let first = driver.sends.first?.clientMessageID
        driver.confirm(first ?? "", sequence: 1)
        driver.killAndStart()
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        send(&driver, "two")
        #expect(driver.sends.first?.clientMessageID != nil)
        #expect(driver.sends.first?.clientMessageID != first)
    }

    @Test("A message id has the format of a version 4 UUID")
    func idHasTheShapeOfAUUID() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(Array(id)[14] == "4")
        #expect(["8", "9", "a", "b"].contains(Array(id)[19]))
    }

    @Test("An unconfirmed message fails after its timeout, and a late confirmation marks it as delivered")
    func unconfirmedFailsAfterItsTimeOnTheWireAndALateWordDelivers() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        driver.advance(by: .milliseconds(14_999))
        #expect(driver.text("message.status[\(id)]") == "sending")
        driver.advance(by: .milliseconds(1))
        #expect(driver.text("message.status[\(id)]") == "failed")
        #expect(driver.text("message.icon[\(id)]") == "exclamation")
        #expect(driver.text("message.hint[\(id)]") == "Tap to retry")
        #expect(driver["message.retry_available[\(id)]"] == true)
        driver.confirm(id, sequence: 1)
        #expect(driver.text("message.status[\(id)]") == "delivered")
        #expect(driver["message.retry_available[\(id)]"] == false)
        #expect(driver.list("conversation.messages[stukov]") == [id])
        back(&driver, lastSequence: 1)
        #expect(driver.sends.count == 1)
    }

    @Test("A retried message is sent once more with the same id")
    func retryGoesOutOnceWithTheSameId() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one", label: "one")
        send(&driver, "two", label: "two")
        driver.advance(by: .seconds(15))
        driver.command(.retry(label: "one"))
        #expect(driver.sends.map(\.text) == ["one", "two", "one"])
        #expect(driver.sends[0].clientMessageID == driver.sends[2].clientMessageID)
        driver.command(.retry(label: "one"))
        driver.command(.retry(label: "unknown"))
        #expect(driver.sends.count == 3)
    }

    @Test("Retrying all failed messages keeps their order")
    func retryAllKeepsTheOrder() {
        var driver = Driver()
        driver.startConnected()
        for text in ["one", "two", "three"] { send(&driver, text) }
        driver.advance(by: .seconds(15))
        driver.forget()
        driver.command(.retryAll)
        #expect(driver.sends.map(\.text) == ["one", "two", "three"])
    }

    @Test("Failed messages are sent again after a reconnect, in their order")
    func failedOnesGoOutAgainAfterAReconnect() {
        var driver = Driver()
        driver.startConnected()
        for text in ["one", "two"] { send(&driver, text) }
        driver.advance(by: .seconds(15))
        send(&driver, "three")
        driver.forget()
        back(&driver)
        #expect(driver.sends.map(\.text) == ["one", "two", "three"])
    }

    @Test("Without auto_retry failed messages wait until the user retries them")
    func profileMayLeaveThemToTheUser() {
        var profile = ClientProfile.exact
        profile.send.autoRetry = false
        var driver = Driver(profile)
        driver.startConnected()
        send(&driver, "one")
        driver.advance(by: .seconds(15))
        driver.forget()
        back(&driver)
        #expect(driver.sends.isEmpty)
    }

    @Test("When the connection is lost, a message in flight is queued and its timeout stops")
    func deadLinkMakesItQueuedAndStopsItsClock() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        driver.advance(by: .seconds(14))
        driver.drop()
        for _ in 0..<30 {
            driver.advance(by: .seconds(1))
            driver.refuse()
        }
        #expect(driver.history("message.status") == ["sending", "queued"])
        #expect(driver.text("message.hint[\(driver.sends[0].clientMessageID ?? "")]") == "Sending when online")
    }

    @Test("A message whose confirmation was lost is sent once more and is shown as one row")
    func lostConfirmationCostsARepeatAndOneBubble() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        back(&driver)
        #expect(driver.sends.map(\.clientMessageID) == [id, id])
        driver.confirm(id, sequence: 1, duplicate: true)
        #expect(driver.list("conversation.messages[stukov]") == [id])
    }

    @Test("A replay that contains the user's own message confirms that message")
    func replayOfTheOwnMessageIsAConfirmation() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 1)
        var copy = message(1, from: "client")
        copy.clientMessageID = id
        driver.replay([copy], through: 1)
        #expect(driver["outbox.count"] == 0)
        #expect(driver.text("message.status[\(id)]") == "delivered")
        #expect(driver.list("conversation.messages[stukov]") == [id])
        #expect(driver.sends.count == 1)
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("A rate limit pauses all sending for the time that the server names")
    func rateLimitPausesEverythingAndGoesOn() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        driver.receive(error(.rateLimited, id, retryAfter: .seconds(20)))
        #expect(driver.text("message.status[\(id)]") == "queued")
        #expect(driver.text("banner.kind") == "rate_limited")
        #expect(driver.text("banner.text") == "Slow down. Message rate limit exceeded.")
        #expect(driver.state == "connected")
        send(&driver, "two")
        driver.advance(by: .milliseconds(19_999))
        #expect(driver.sends.count == 1)
        driver.advance(by: .milliseconds(1))
        #expect(driver.sends.map(\.text) == ["one", "one", "two"])
        #expect(driver["banner.kind"] == JSON.null)
        #expect(driver["connection.attempt"] == 0)
    }

    @Test("An error from the server fails the message and is shown in the banner")
    func errorOfTheServerFailsItsMessageAndIsShown() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one", label: "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        driver.receive(error(ErrorCode("moon_phase"), id))
        #expect(driver.text("message.status[\(id)]") == "failed")
        #expect(driver.text("banner.kind") == "error")
        #expect(driver.text("banner.text") == "No.")
        driver.advance(by: .seconds(10))
        #expect(driver["banner.kind"] == JSON.null)
    }

    @Test("A message that the server rejects permanently is not sent again")
    func finallyRefusedMessageIsNotRepeated() {
        var driver = Driver()
        driver.startConnected()
        send(&driver, "one", label: "one")
        let id = driver.sends.first?.clientMessageID ?? ""
        driver.receive(error(.notMember, id))
        #expect(driver["message.retry_available[\(id)]"] == false)
        back(&driver)
        #expect(driver.sends.count == 1)
    }

    @Test("Queued messages are sent in batches below the server's rate limit")
    func backlogIsPacedBelowTheServersLimit() {
        var driver = Driver()
        driver.answersPings = true
        driver.startConnected()
        driver.drop()
        for number in 1...120 { send(&driver, "\(number)") }
        driver.forget()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 0)
        driver.replay([], through: 0)
        #expect(driver.sends.count == 50)
        driver.advance(by: .seconds(60))
        #expect(driver.sends.count == 50)
        for (number, request) in driver.sends.enumerated() {
            driver.confirm(request.clientMessageID ?? "", sequence: Int64(number) + 1)
        }
        driver.advance(by: .seconds(1))
        #expect(driver.sends.count == 100)
        #expect(driver.sends.map(\.text) == (1...100).map(String.init))
    }

    @Test("New messages are sent without a delay between them")
    func freshMessagesAreNotPaced() {
        var driver = Driver()
        driver.startConnected()
        for number in 1...61 {
            send(&driver, "\(number)")
            driver.confirm(driver.sends.last?.clientMessageID ?? "", sequence: Int64(number))
        }
        #expect(driver.sends.count == 61)
    }

    @Test("New messages that waited for the disk are sent without a delay between them")
    func freshMessagesThatWaitForTheDiskAreNoBacklog() {
        var driver = Driver()
        driver.startConnected()
        driver.diskIsFast = false
        for number in 1...61 { send(&driver, "\(number)") }
        for _ in 1...61 { driver.writeOne() }
        #expect(driver.sends.count == 61)
    }

    @Test("The header counts the queued messages")
    func headerCountsWhatIsQueued() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.network(reachable: false))
        for text in ["one", "two", "three"] { send(&driver, text) }
        #expect(driver.text("outbox.header_text") == "3 messages queued")
        #expect(driver.text("banner.text") == "Offline - messages queued")
        driver.command(.network(reachable: true))
        driver.connect(lastSequence: 0)
        driver.replay([], through: 0)
        #expect(driver.history("outbox.header_text").suffix(2) == ["3 messages queued", "null"])
        #expect(driver["outbox.count"] == 3)
    }

    @Test("A message without a conversation is not sent")
    func withoutAConversationNothingIsSent() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.send(conversation: nil, text: "into the void", label: nil))
        #expect(driver["outbox.count"] == 0)
    }
}
