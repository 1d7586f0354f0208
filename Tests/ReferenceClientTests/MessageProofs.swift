import ChatWire
import Faults
import ReferenceClient
import SquallCore

private let messagesOfStukov = "/conversations/stukov/messages"

private func rateLimited(_ id: String) -> ServerFrame {
    .error(
        ServerFrame.ServerError(code: .rateLimited, message: "slow", retryAfter: .seconds(5), clientMessageID: id)
    )
}

let messageProofs: [Proof] = [
    Proof("fullSyncOnReconnect") { driver in
        driver.startConnected(lastSequence: 7)
        driver.comeBack(lastSequence: 7)
        return driver.said(.sync) == [.sync(lastSequence: 7)]
    },
    Proof("replayGapUnnoticed") { driver in
        driver.startConnected(lastSequence: 1)
        driver.reconnect(lastSequence: 5, complete: false)
        return driver.open("/conversations").count == 1
    },
    Proof("noAck") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        return driver.said(.messageAck).count == 1
    },
    Proof("ackBeforeStored") { driver in
        driver.startConnected()
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        return driver.said(.messageAck).isEmpty
    },
    Proof("writeErrorsIgnored") { driver in
        driver.startConnected()
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        driver.refuseWrites()
        let isSilent = driver.said(.messageAck).isEmpty
        driver.advance(by: .seconds(2))
        driver.writeOne()
        return isSilent && driver.said(.messageAck).count == 1
    },
    Proof("silentSync") { driver in
        driver.startConnected()
        driver.reconnect(lastSequence: 1, missed: [message(1)])
        return driver.text("toast.text") != nil
    },
    Proof("doubleRefresh") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(messagesOfStukov, [])
        driver.comeBack()
        return driver.requests.isEmpty
    },
    Proof("promptDroppedOffline") { driver in
        driver.start()
        driver.send()
        return driver["outbox.count"] == 1
    },
    Proof("queueInMemory") { driver in
        driver.start()
        driver.send()
        driver.killAndStart()
        return driver["outbox.count"] == 1
    },
    Proof("noFlush") { driver in
        driver.start()
        driver.send()
        driver.connect()
        return driver.sends.count == 1
    },
    Proof("deliveredOnceWritten") { driver in
        driver.startConnected()
        driver.send()
        return driver.text("message.status[\(driver.key)]") == "sending"
    },
    Proof("noPendingTimeout") { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(16))
        return driver.text("message.status[\(driver.key)]") == "failed"
    },
    Proof("swallowSendError") { driver in
        driver.startConnected()
        driver.send()
        driver.drop()
        return driver.text("message.status[\(driver.key)]") == "queued"
    },
    Proof("noRetryQueue") { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(16))
        driver.comeBack()
        return driver.sends.count == 2
    },
    Proof("noAutoRetry") { driver in
        driver.startConnected()
        driver.send(label: "one")
        driver.advance(by: .seconds(16))
        driver.comeBack()
        let byItself = driver.sends.count
        driver.command(.retry(label: "one"))
        return byItself == 2
    },
    Proof("noBatchRetry") { driver in
        driver.startConnected()
        for text in ["one", "two"] { driver.send(text) }
        driver.advance(by: .seconds(16))
        driver.command(.retryAll)
        return driver.sends.map(\.text) == ["one", "two", "one", "two"]
    },
    Proof("noIdempotencyKey") { driver in
        driver.startConnected()
        driver.send()
        driver.comeBack()
        return driver.sends.count == 2 && Set(driver.sends.map(\.clientMessageID)).count == 1
    },
    Proof("floodOnFlush") { driver in
        driver.start()
        for number in 1...60 { driver.send("\(number)") }
        driver.connect()
        return driver.sends.count == 50
    },
    Proof("genericErrorOnly", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.start()
        driver.refuse()
        driver.send()
        driver.answer(messagesOfStukov, 500)
        return driver.history("message.status").last == "failed"
    },
    Proof("pollingSendsNothing", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.start()
        driver.refuse()
        driver.send()
        return driver.requests.contains { $0.request.target == messagesOfStukov }
    },
    Proof("clockStays") { driver in
        let key = driver.deliver()
        return driver["message.icon[\(key)]"] == .null
    },
    Proof("clockStandsStill") { driver in
        driver.startConnected()
        driver.send()
        return driver["message.icon_pulses[\(driver.key)]"] == .bool(true)
    },
    Proof("failureOpensAlert") { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(16))
        return driver.text("message.status[\(driver.key)]") == "failed" && driver.text("alert.title") == nil
    },
    Proof("errorHitsOldest") { driver in
        driver.startConnected()
        driver.send("one")
        driver.send("two")
        let second = driver.sends.last?.clientMessageID
        driver.receive(.error(.init(code: .internalError, message: "no", clientMessageID: second)))
        return driver.text("message.status[\(driver.key)]") == "sending"
    },
    Proof("errorCountsTwice") { driver in
        driver.startConnected()
        driver.send(label: "one")
        let error = ServerFrame.ServerError(code: .internalError, message: "no", clientMessageID: driver.key, id: "e1")
        driver.receive(.error(error))
        driver.command(.retry(label: "one"))
        driver.receive(.error(error))
        return driver.text("message.status[\(driver.key)]") == "sending"
    },
    Proof("errorEndsConnection") { driver in
        driver.startConnected()
        driver.send()
        driver.receive(rateLimited(driver.key))
        return driver.state == "connected"
    },
    Proof("ageByPhoneClock", profile: { ($0.times.isShown, $0.device.clockSkew) = (true, .seconds(7200)) }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        var (old, new) = (message(1), message(2))
        (old.timestamp, new.timestamp) = (1_767_222_000_000, 1_767_225_600_000)
        driver.receive(.message(old))
        driver.receive(.message(new))
        return driver.text("message.time_text[m1]") == "1h ago"
    },
    Proof("clockLearnedLate", profile: { ($0.times.isShown, $0.device.clockSkew) = (true, .seconds(7200)) }) { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        let time: Int64 = 1_767_225_600_000
        driver.receive(.connected(.init(session: "s1", resumed: false, lastSequence: 0, time: time)))
        driver.command(.open(conversation: "stukov"))
        var old = message(1)
        old.timestamp = time - 300_000
        driver.answerPage("/conversations/stukov/messages", [old])
        return driver.text("message.time_text[m1]") == "5m ago"
    },
    Proof("swallowServerError") { driver in
        driver.startConnected()
        driver.send()
        driver.receive(rateLimited(driver.key))
        return driver.text("banner.kind") == "rate_limited"
    },
    Proof("arrivalOrder") { driver in
        driver.startConnected()
        driver.receive(.message(message(2)))
        driver.receive(.message(message(1)))
        return driver.list("conversation.messages[stukov]") == ["m1", "m2"]
    },
    Proof("clientClockUsed", profile: { $0.device.clockSkew = .seconds(7200) }) { driver in
        driver.startConnected()
        driver.send()
        driver.confirm(driver.key, sequence: 1)
        driver.receive(.message(message(2)))
        return driver.list("conversation.messages[stukov]") == [driver.key, "m2"]
    },
    Proof("noResponseDedup") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        return driver.list("conversation.messages[stukov]") == ["m1"]
    },
    Proof("noHistoryDedup") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(messagesOfStukov, [message(1)])
        return driver.list("view.rows") == ["m1"]
    },
    Proof("noStaleReplyGuard") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.open(conversation: "kerrigan"))
        driver.answerPage(messagesOfStukov, [message(1)])
        return driver.list("view.rows").isEmpty
    },
    Proof("staleErrorShown") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.open(conversation: "kerrigan"))
        driver.failRequest(messagesOfStukov)
        return driver["banner.kind"] == JSON.null
    },
    Proof("dropOtherAgentMessages") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "kerrigan"))
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 1
    },
    Proof("globalCache", profile: { $0.cache.perConversation = 2 }) { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "quiet")))
        for sequence in 2...4 as ClosedRange<Int64> { driver.receive(.message(message(sequence, in: "busy"))) }
        driver.killAndStart()
        return driver.list("conversation.messages[quiet]") == ["m1"]
    },
    Proof("cacheUnlimited", profile: { $0.cache.perConversation = 2 }) { driver in
        driver.startConnected()
        for sequence in 1...3 as ClosedRange<Int64> { driver.receive(.message(message(sequence, in: "busy"))) }
        driver.killAndStart()
        return driver.list("conversation.messages[busy]") == ["m2", "m3"]
    },
    Proof("wipeOnSwitch") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "stukov"))
        return driver.list("view.rows") == ["m1"]
    },
    Proof("openDoesNotClear") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "stukov"))
        return driver["unread[stukov]"] == 0
    },
    Proof("noAutoRead") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 0
    },
    Proof("autoReadInBackground") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.background)
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 1
    },
    Proof("receiptDropped", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(messagesOfStukov, [])
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.answerList([message(1)])
        driver.answerPage(messagesOfStukov, [message(1)])
        driver.command(.reconnect)
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        return driver.said(.readReceipt).count == 1
    },
    Proof("pollingReportsNoReading", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(messagesOfStukov, [])
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.answerList([message(1)])
        driver.answerPage(messagesOfStukov, [message(1)])
        return driver.open("/conversations/stukov/read").count == 1
    },
    Proof("receiptNotSent") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        return driver.said(.readReceipt).count == 1
    },
    Proof("doubleReceipt") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        return driver.said(.readReceipt).count == 1
    },
    Proof("unreadNotPersisted") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.killAndStart()
        return driver["unread[stukov]"] == 1
    },
    Proof("readFailureIgnored") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        driver.failRequest("/conversations/stukov/read")
        driver.comeBack(lastSequence: 1)
        return driver.open("/conversations/stukov/read").count == 1
    },
    Proof("noRefreshHaptic") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.command(.refresh)
        driver.answerPage(messagesOfStukov, [])
        driver.answerPage(messagesOfStukov, [])
        return driver.events("client.haptic").count == 1
    },
    Proof("silentRefreshFailure") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.failRequest(messagesOfStukov)
        return driver.text("banner.kind") == "error"
    },
    Proof("silentAbsorption") { driver in
        driver.startConnected()
        driver.receive(.error(ServerFrame.ServerError(code: .internalError, message: "broken")))
        return driver.text("banner.text") == "broken"
    },
    Proof("emptyWhileLoading") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        return driver.text("view.phase") == "skeleton"
    },
    Proof("blankLoading") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        return driver.text("view.phase") == "skeleton"
    },
    Proof("noQueueCount") { driver in
        driver.start()
        driver.send()
        return driver.text("outbox.header_text") == "1 message queued"
    },
    Proof("statusUnclear") { driver in
        driver.start()
        driver.send()
        return driver.history("message.status") == ["queued"]
    },
    Proof("noPerMessageFailure") { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(16))
        return driver.history("message.status").last == "failed"
    },
    Proof("paceHoldsEveryMessage", profile: { $0.flush.perMinute = 2 }) { driver in
        driver.startConnected()
        for _ in 0..<3 { driver.send() }
        return driver.sends.count == 3
    },
]
