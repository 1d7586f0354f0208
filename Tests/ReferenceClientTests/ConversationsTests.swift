import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct ConversationsTests {
    private func path(_ conversation: String) -> String { "/conversations/\(conversation)/messages" }

    @Test("The view shows a skeleton until the page arrives, and then rows, an empty view or an error")
    func phasesFollowTheAnswer() {
        for (answer, phase) in [("rows", "rows"), ("empty", "empty"), ("error", "error")] {
            var driver = Driver()
            driver.startConnected()
            driver.command(.open(conversation: "stukov"))
            #expect(driver.text("view.phase") == "skeleton")
            switch answer {
            case "rows": driver.answerPage(path("stukov"), [message(1)])
            case "empty": driver.answerPage(path("stukov"), [])
            default: driver.answer(path("stukov"), 500)
            }
            #expect(driver.text("view.phase") == phase)
        }
    }

    @Test(
        "The screen shows only the open conversation, whatever the order in which pages arrive",
        arguments: permutations(of: ["a", "b", "c"])
    )
    func onlyTheOpenConversationIsOnTheScreen(order: [String]) {
        var driver = Driver()
        driver.startConnected()
        for name in ["a", "b", "c"] { driver.command(.open(conversation: name)) }
        #expect(driver.cancelled.count == 2)
        for (number, name) in order.enumerated() {
            driver.answerPage(path(name), [message(Int64(number) + 1, in: name, from: name)])
        }
        #expect(driver.text("view.conversation") == "c")
        #expect(driver.list("view.rows").count == 1)
        #expect(driver.list("view.rows") == driver.list("conversation.messages[c]"))
    }

    @Test("Switching back to a loaded conversation shows its cached rows without a request")
    func switchingBackShowsTheCacheAtOnce() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "a"))
        driver.answerPage(path("a"), [message(1, in: "a")])
        driver.command(.open(conversation: "b"))
        driver.forget()
        driver.command(.open(conversation: "a"))
        #expect(driver.list("view.rows") == ["m1"])
        #expect(driver.text("view.phase") == "rows")
        #expect(driver.history("view.phase") == ["rows"])
        #expect(driver.requests.count == 1)
    }

    @Test("A conversation that failed to load is loaded again after a reconnect")
    func failedLoadIsRepeatedAfterTheReconnect() {
        var driver = Driver()
        driver.start()
        driver.command(.open(conversation: "a"))
        driver.failRequest(path("a"))
        #expect(driver.text("view.phase") == "error")
        driver.connect()
        #expect(driver.open(path("a")).count == 1)
        #expect(driver.text("view.phase") == "skeleton")
    }

    @Test("A message stored between the first page request and the first connection is loaded")
    func whatWasStoredBetweenThePageAndTheFirstConnectionIsNotMissed() {
        var driver = Driver()
        driver.start()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(path("stukov"), [message(1)])
        driver.connect(lastSequence: 2)
        driver.answerPage(path("stukov"), [message(1), message(2)])
        #expect(driver.list("view.rows") == ["m1", "m2"])
        #expect(driver["unread[stukov]"] == 0)
        // One request at a time marks the conversation as read; the next one will cover the second message.
        #expect(driver.requests.map(\.request.target) == ["/conversations/stukov/read?last_seq_seen=1"])
    }

    @Test("The end of a refresh is reported with its result as an event and as haptic feedback")
    func refreshReportsItsEnd() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "a"))
        driver.answerPage(path("a"), [])
        driver.command(.refresh)
        #expect(driver["refresh.in_flight"] == true)
        driver.answerPage(path("a"), [message(1, in: "a")])
        #expect(driver["refresh.in_flight"] == false)
        driver.command(.refresh)
        driver.failRequest(path("a"))
        #expect(driver.events("client.refresh.ended") == [["ok": true, "added": 1], ["ok": false, "added": 0]])
        #expect(driver.events("client.haptic") == [["kind": "success"], ["kind": "failure"]])
        #expect(driver.text("banner.kind") == "error")
        #expect(driver.list("view.rows") == ["m1"])
    }

    @Test("A message in another conversation is unread until that conversation is opened")
    func elsewhereCountsAsUnreadUntilOpened() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "a"))
        driver.receive(.message(message(1, in: "b", from: "b")))
        driver.receive(.message(message(2, in: "b", from: "b")))
        #expect(driver["unread[b]"] == 2)
        #expect(driver.list("view.rows").isEmpty)
        driver.command(.open(conversation: "b"))
        #expect(driver["unread[b]"] == 0)
        #expect(driver.requests.filter { $0.request.target == "/conversations/b/read?last_seq_seen=2" }.count == 1)
    }

    @Test("A failed mark-read request is sent again on the next connection")
    func failedReadReportIsRepeated() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.message(message(1, in: "b", from: "b")))
        driver.command(.markRead(conversation: "b"))
        driver.failRequest("/conversations/b/read")
        #expect(driver["unread[b]"] == 0)
        #expect(driver.requests.isEmpty)
        driver.reconnect(lastSequence: 1)
        #expect(driver.open("/conversations/b/read").count == 1)
        driver.answer("/conversations/b/read", body: UnreadCount(conversation: "b", unread: 0).encode(driver.wire))
        driver.reconnect(lastSequence: 1)
        #expect(driver.requests.isEmpty)
    }

    @Test("A message in the open conversation is marked as read at once and reported once")
    func openConversationIsReadAtOnce() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == 0)
        #expect(driver.said(.readReceipt) == [.readReceipt(conversation: "stukov", messageID: "m1")])
        driver.receive(.message(message(1)))
        #expect(driver.said(.readReceipt).count == 1)
    }

    @Test("In the background no message is marked as read; in the foreground messages of the open conversation are")
    func backgroundReadsNothingAndForegroundAll() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.background)
        driver.receive(.message(message(1)))
        #expect(driver["unread[stukov]"] == 1)
        #expect(driver.said(.readReceipt).isEmpty)
        driver.command(.foreground)
        #expect(driver["unread[stukov]"] == 0)
    }

    @Test("A read receipt for a replayed message is sent on the new connection")
    func receiptWaitsForAConnection() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 1)
        driver.replay([message(1)], through: 1)
        #expect(driver.said(.readReceipt) == [.readReceipt(conversation: "stukov", messageID: "m1")])
    }

    @Test("The user's own messages are not unread and become 'read' after the partner's read receipt")
    func ownMessagesAreNotUnreadAndShowWhenTheyWereRead() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.message(message(1, from: "client")))
        #expect(driver["unread[stukov]"] == 0)
        driver.command(.send(conversation: "stukov", text: "Hello.", label: nil))
        let key = driver.sends.first?.clientMessageID ?? ""
        driver.confirm(key, sequence: 2)
        driver.receive(.readReceipt(conversation: "stukov", messageID: "m2", reader: "stukov"))
        #expect(driver["message.read[\(key)]"] == true)
        #expect(driver["message.read[m1]"] == true)
    }

    @Test("The user's own messages are placed by the server's timestamps")
    func serversClockDecidesThePlaceOfOwnMessages() {
        var profile = ClientProfile.exact
        profile.device.clockSkew = .seconds(7200)
        var driver = Driver(profile)
        driver.startConnected()
        driver.command(.send(conversation: "stukov", text: "Hello.", label: nil))
        let key = driver.sends.first?.clientMessageID ?? ""
        driver.confirm(key, sequence: 1)
        driver.receive(.message(message(2)))
        #expect(driver.list("conversation.messages[stukov]") == [key, "m2"])
        #expect(driver["message.timestamp[\(key)]"] == 1_767_225_601_000)
    }

    @Test("Unconfirmed messages come after all others and keep their order when they are confirmed late")
    func unconfirmedMessagesComeLast() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.send(conversation: "stukov", text: "one", label: nil))
        driver.command(.send(conversation: "stukov", text: "two", label: nil))
        let keys = driver.sends.compactMap(\.clientMessageID)
        driver.receive(.message(message(1)))
        #expect(driver.list("conversation.messages[stukov]") == ["m1"] + keys)
        driver.confirm(keys[1], sequence: 2)
        #expect(driver.list("conversation.messages[stukov]") == ["m1", keys[1], keys[0]])
        driver.confirm(keys[0], sequence: 3)
        #expect(driver.list("conversation.messages[stukov]") == ["m1", keys[1], keys[0]])
    }

    @Test("The newest messages of each conversation are kept after a kill")
    func newestOfEachConversationSurviveAKill() {
        var profile = ClientProfile.exact
        profile.cache.perConversation = 3
        var driver = Driver(profile)
        driver.startConnected()
        for sequence in 1...2 as ClosedRange<Int64> { driver.receive(.message(message(sequence, in: "quiet"))) }
        for sequence in 3...9 as ClosedRange<Int64> { driver.receive(.message(message(sequence, in: "busy"))) }
        driver.command(.open(conversation: "quiet"))
        driver.killAndStart()
        #expect(driver.list("conversation.messages[quiet]") == ["m1", "m2"])
        #expect(driver.list("conversation.messages[busy]") == ["m7", "m8", "m9"])
        #expect(driver["unread[busy]"] == 7)
        #expect(driver.list("view.rows") == ["m1", "m2"])
        #expect(driver.text("message.text[m9]") == "text 9")
    }

    @Test("After a kill the open conversation is shown and loaded at once")
    func screenOfTheLastLifeIsThereAtOnceAndLoadsAtOnce() {
        var driver = Driver()
        driver.startConnected()
        driver.command(.open(conversation: "empty"))
        driver.killAndStart()
        #expect(driver.text("view.conversation") == "empty")
        #expect(driver["view.rows"] == [])
        #expect(driver.text("view.phase") == "skeleton")
        #expect(driver.open(path("empty")).count == 1)
    }

    @Test("The tokens of a stream form one message, even if they are reordered or repeated")
    func tokensMakeOneMessageHoweverTheyCome() {
        func token(_ index: Int64, _ text: String) -> ServerFrame {
            .token(
                ServerFrame.Token(conversation: "stukov", messageID: "m1", index: index, text: text, final: index == 2)
            )
        }
        var driver = Driver()
        driver.startConnected()
        driver.receive(token(0, "te"))
        driver.receive(token(2, " 1"))
        driver.receive(token(0, "te"))
        #expect(driver.text("stream.text[m1]") == "te")
        driver.receive(token(1, "xt"))
        #expect(driver.text("stream.text[m1]") == "text 1")
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        driver.receive(.message(message(1)))
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        #expect(driver.text("message.text[m1]") == "text 1")
        #expect(driver["stream.text[m1]"] == .null)
        driver.receive(token(0, "late"))
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
    }

    @Test("A stream interrupted by a lost connection is kept until the whole message arrives")
    func streamThatBreaksOffIsKeptUntilTheMessageComes() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(
            .token(ServerFrame.Token(conversation: "stukov", messageID: "m1", index: 0, text: "te", final: false))
        )
        driver.drop()
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 1)
        driver.replay([message(1)], through: 1)
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        #expect(driver.text("message.text[m1]") == "text 1")
    }

    @Test("Typing indicators and presence are cleared when the connection is lost")
    func peerStateEndsWithTheConnection() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        driver.receive(.presence(user: "kerrigan", status: .offline, lastSeen: 1))
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        #expect(driver.list("peer.typing[stukov]") == ["stukov"])
        driver.drop()
        #expect(driver.list("peer.typing[stukov]") == [])
        #expect(driver.text("peer.presence[stukov]") == "last_seen")
        #expect(driver.text("peer.presence[kerrigan]") == "offline")
    }
}
