import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

@Suite struct SessionTests {
    @Test("The client sends no sync on its first connection")
    func firstConnectionMissesNothing() {
        var driver = Driver()
        driver.startConnected(lastSequence: 42)
        #expect(driver.said(.sync).isEmpty)
        #expect(driver["sync.last_sequence"] == 42)
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("A sync requests the messages after the last sequence number seen")
    func syncAsksFromTheLastSeen() {
        var driver = Driver()
        driver.startConnected(lastSequence: 3)
        driver.receive(.message(message(4)))
        driver.reconnect(lastSequence: 4)
        #expect(driver.said(.sync) == [.sync(lastSequence: 4)])
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("The last sequence number seen is kept after a kill together with its messages")
    func lastSeenSurvivesAKillTogetherWithItsMessages() {
        var driver = Driver()
        driver.startConnected(lastSequence: 3)
        driver.receive(.message(message(4)))
        driver.killAndStart()
        #expect(driver.list("conversation.messages[stukov]") == ["m4"])
        driver.connect(lastSequence: 6)
        #expect(driver.said(.sync) == [.sync(lastSequence: 4)])
        driver.replay([message(5), message(6)], through: 6)
        // The first connection after a start is not a reconnect.
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("A message that was not on disk at a kill is requested again by the next sync")
    func killBeforeTheDiskSeesTheMessageAgain() {
        var driver = Driver()
        driver.startConnected(lastSequence: 3)
        driver.diskIsFast = false
        driver.receive(.message(message(4)))
        #expect(driver.said(.messageAck).isEmpty)
        driver.killAndStart()
        driver.connect(lastSequence: 4)
        #expect(driver.said(.sync) == [.sync(lastSequence: 3)])
    }

    @Test("A message is acknowledged once it is on disk")
    func acknowledgedOnceOnDisk() {
        var driver = Driver()
        driver.startConnected()
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        #expect(driver.said(.messageAck).isEmpty)
        driver.writeOne()
        #expect(driver.said(.messageAck) == [.messageAck(id: "m1")])
    }

    @Test("A repeated message is shown once and acknowledged again")
    func replayedAgainIsShownOnceAndAcknowledgedAgain() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        #expect(driver.list("conversation.messages[stukov]") == ["m1"])
        #expect(driver.said(.messageAck).count == 2)
        #expect(driver.events("client.dropped_duplicate").count == 1)
        #expect(driver["unread[stukov]"] == 1)
    }

    @Test("The toast counts each missed message once, whether it is replayed or received live")
    func toastCountsEachMissedMessageOnceWhicheverWayItCame() {
        var driver = Driver()
        driver.startConnected(lastSequence: 1)
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 4)
        driver.receive(.message(message(5)))
        driver.receive(.message(message(4)))
        driver.replay([message(2), message(3), message(4), message(5)], through: 5)
        #expect(driver.text("toast.text") == "Reconnected. 3 messages synced.")
        #expect(driver.list("conversation.messages[stukov]") == ["m2", "m3", "m4", "m5"])
        #expect(driver["sync.last_sequence"] == 5)
    }

    @Test("The messages missing from an incomplete replay are fetched over HTTP")
    func incompleteReplayIsFilledByHTTP() {
        var driver = Driver()
        driver.startConnected(lastSequence: 1)
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 6)
        driver.replay([message(6)], through: 6, complete: false)
        #expect(driver.events("client.gap_detected") == [["from": 2, "to": 6]])
        #expect(driver["sync.in_flight"] == true)
        #expect(driver["refresh.in_flight"] == true)
        #expect(driver["toast.text"] == JSON.null)
        #expect(driver.open("/conversations").count == 2)
        driver.answerPage("/conversations/stukov/messages?limit=50&after=1", [message(2), message(3)], hasMore: true)
        driver.answerList([message(6), message(5, in: "kerrigan", from: "kerrigan")])
        driver.answerPage("/conversations/kerrigan/messages", [message(5, in: "kerrigan", from: "kerrigan")])
        driver.answerPage("/conversations/stukov/messages?limit=50&after=3", [message(4), message(6)])
        #expect(driver["sync.in_flight"] == false)
        #expect(driver.list("view.rows") == ["m2", "m3", "m4", "m6"])
        #expect(driver.list("conversation.messages[kerrigan]") == ["m5"])
        #expect(driver["unread[kerrigan]"] == 1)
        #expect(driver.text("toast.text") == "Reconnected. 5 messages synced.")
        #expect(driver["sync.last_sequence"] == 6)
        #expect(driver.events("client.refresh.ended") == [["ok": true, "added": 4]])
    }

    @Test("A failed fetch after an incomplete replay is shown as an error and repeated")
    func failedFillIsShownAndTriedAgain() {
        var driver = Driver()
        driver.startConnected(lastSequence: 1)
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 3)
        driver.replay([], through: 3, complete: false)
        driver.failRequest("/conversations")
        #expect(driver.text("banner.kind") == "error")
        #expect(driver["sync.in_flight"] == false)
        driver.advance(by: .seconds(5))
        #expect(driver["sync.in_flight"] == true)
        driver.answerList([message(3)])
        driver.answerPage("/conversations/stukov/messages", [message(2), message(3)])
        #expect(driver.list("conversation.messages[stukov]") == ["m2", "m3"])
        #expect(driver.text("toast.text") == "Reconnected. 2 messages synced.")
    }

    @Test("If a replay never arrives, the missed messages are fetched over HTTP")
    func replayThatNeverComesIsReplacedByHTTP() {
        var driver = Driver()
        driver.answersPings = true
        driver.startConnected(lastSequence: 1)
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(lastSequence: 2)
        driver.advance(by: .seconds(10))
        #expect(driver.open("/conversations").count == 1)
        driver.answerList([message(2)])
        driver.answerPage("/conversations/stukov/messages", [message(2)])
        #expect(driver["sync.in_flight"] == false)
        #expect(driver.list("conversation.messages[stukov]") == ["m2"])
    }

    @Test("A gap in the sequence numbers on a live connection is detected and causes a sync")
    func holeOnALiveConnectionIsNoticedAndFilled() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(4)))
        #expect(driver.events("client.gap_detected") == [["from": 2, "to": 3]])
        #expect(driver.said(.sync) == [.sync(lastSequence: 1)])
        driver.receive(.message(message(6)))
        #expect(driver.said(.sync).count == 1)
        driver.replay([message(2), message(3), message(4)], through: 4)
        // A message whose sequence number is beyond the replayed range reveals another gap.
        #expect(driver.said(.sync) == [.sync(lastSequence: 1), .sync(lastSequence: 4)])
        driver.replay([message(5), message(6)], through: 6)
        #expect(driver.list("conversation.messages[stukov]") == (1...6).map { "m\($0)" })
        #expect(driver["sync.last_sequence"] == 6)
        #expect(driver["toast.text"] == JSON.null)
    }

    @Test("After the server has lost its messages, the client loads everything again")
    func serverThatLostItsPastIsReadAnew() {
        var driver = Driver()
        driver.startConnected(lastSequence: 9)
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.connect(session: "s2", lastSequence: 2)
        #expect(driver.said(.sync).isEmpty)
        driver.answerList([message(2)])
        driver.answerPage("/conversations/stukov/messages", [message(1), message(2)])
        #expect(driver["sync.last_sequence"] == 2)
        #expect(driver.list("conversation.messages[stukov]") == ["m1", "m2"])
    }

    @Test("Messages that arrive in any order give the same rows", arguments: permutations(of: [1, 2, 3, 4]))
    func everyOrderOfArrivalGivesTheSameRows(order: [Int64]) {
        var driver = Driver()
        driver.startConnected()
        for sequence in order { driver.receive(.message(message(sequence))) }
        driver.replay((1...4).map { message($0) }, through: 4)
        #expect(driver.list("conversation.messages[stukov]") == ["m1", "m2", "m3", "m4"])
        #expect(driver["sync.last_sequence"] == 4)
        #expect(driver["unread[stukov]"] == 4)
    }

    @Test("Messages with equal timestamps are ordered by id")
    func equalTimestampsStandByTheirIds() {
        func rows(_ order: [Int64]) -> [String] {
            var driver = Driver()
            driver.startConnected()
            for sequence in order {
                var same = message(sequence)
                same.timestamp = 1_767_225_600_000
                driver.receive(.message(same))
            }
            return driver.list("conversation.messages[stukov]")
        }
        for order in permutations(of: [1, 2, 3] as [Int64]) { #expect(rows(order) == ["m1", "m2", "m3"]) }
    }
}

func permutations<Element>(of items: [Element]) -> [[Element]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
        var rest = items
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
