import ChatWire
import Faults
import ReferenceClient
import SquallCore

// The checks for defects in read marks, unread counts, presence and displayed times.

private let pageOfStukov = "/conversations/stukov/messages"

extension Driver {
    /// Connects and opens an empty conversation with this name.
    fileprivate mutating func startLooking(at conversation: String = "stukov") {
        startConnected()
        command(.open(conversation: conversation))
        answerPage("/conversations/\(conversation)/messages", [])
    }

    fileprivate mutating func openList(_ agents: [Agent] = []) {
        command(.openList)
        answer("/conversations", body: ConversationList([]).encode(wire))
        answer("/agents", body: AgentList(agents).encode(wire))
    }

    /// Opens the conversation and the list while the partner is online.
    fileprivate mutating func startWithStukov() {
        startLooking()
        openList([Agent(user: "stukov", conversation: "stukov", name: "stukov", status: .online, text: "Here")])
    }

    fileprivate mutating func hearPresence(_ status: PresenceStatus) {
        receive(.presence(user: "stukov", status: status, lastSeen: nil))
    }
}

let readingProofs: [Proof] = [
    Proof("autoReadInactive") { driver in
        driver.startLooking()
        driver.command(.disappear(conversation: "stukov"))
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 1 && driver.said(.readReceipt).isEmpty
    },
    Proof("autoReadOwn") { driver in
        driver.startLooking()
        driver.receive(.message(message(1, from: "client")))
        return driver.said(.readReceipt).isEmpty
    },
    Proof("autoReadWrongConversation") { driver in
        driver.startLooking()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        return driver["unread[kerrigan]"] == 1 && driver.said(.readReceipt).isEmpty
    },
    Proof("readMarkForgotten") { driver in
        driver.startLooking()
        driver.receive(.message(message(1, from: "client")))
        driver.receive(.readReceipt(conversation: "stukov", messageID: "m1", reader: "stukov"))
        driver.killAndStart()
        return driver["message.read[m1]"] == true
    },
    Proof("eagerBadgeClear", profile: { $0.unread.clearOn = .visible }) { driver in
        driver.startLooking(at: "kerrigan")
        driver.command(.openList)
        let summary = ConversationSummary(id: "stukov", name: "stukov", unread: 2, lastMessage: message(2))
        driver.answer("/conversations", body: ConversationList([summary]).encode(driver.wire))
        driver.command(.open(conversation: "stukov"))
        guard driver["unread[stukov]"] == 2 else { return false }
        driver.answerPage(pageOfStukov, [message(1), message(2)])
        return driver["unread[stukov]"] == 0
    },
    Proof("viewFlagRace") { driver in
        driver.startLooking()
        driver.command(.open(conversation: "kerrigan"))
        driver.command(.disappear(conversation: "stukov"))
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        return driver["unread[kerrigan]"] == 0
    },
    Proof("viewStaysActive") { driver in
        driver.startLooking()
        driver.command(.disappear(conversation: "stukov"))
        return driver["view.active[stukov]"] == false
    },
    Proof("unreadDrift") { driver in
        driver.startLooking(at: "kerrigan")
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 1
    },
    Proof("doubleDecrement") { driver in
        driver.startLooking()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        return driver["unread[stukov]"] == 0
    },
    Proof("deletionLowersCount") { driver in
        driver.startLooking()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "kerrigan"))
        driver.receive(.message(message(2)))
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m1", at: 9, by: "stukov")))
        return driver["unread[stukov]"] == 1
    },
    Proof("negativeUnread") { driver in
        driver.startLooking(at: "kerrigan")
        driver.receive(.message(message(1)))
        for _ in 0..<2 { driver.receive(.readReceipt(conversation: "stukov", messageID: "m1", reader: "client")) }
        return driver["unread[stukov]"] == 0
    },
    Proof("readElsewhereMissed") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.comeBack(lastSequence: 1)
        let count = UnreadCount(conversation: "stukov", unread: 0, sequence: 1)
        driver.answer("/unread", body: UnreadCounts([count]).encode(driver.wire))
        return driver["unread[stukov]"] == 0
    },
    Proof("readingsPile") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "b", from: "b")))
        driver.drop()
        for _ in 0..<2 { driver.command(.markRead(conversation: "b")) }
        driver.advance(by: .milliseconds(1250))
        driver.connect(lastSequence: 1)
        driver.replay([], through: 1)
        driver.answer("/conversations/b/read", body: UnreadCount(conversation: "b", unread: 0).encode(driver.wire))
        return driver.open("/conversations/b/read").isEmpty
    },
    Proof("crashOnUnknownClear") { driver in
        driver.startConnected()
        driver.command(.markRead(conversation: "unknown"))
        return driver.crash == nil
    },
    Proof("unreadFetchedOnce") { driver in
        driver.startLooking()
        driver.openList()
        driver.command(.openList)
        return driver.open("/conversations").count == 1
    },
    Proof("listNotNotified") { driver in
        driver.startLooking()
        driver.openList()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        return driver.text("badge.text[kerrigan]") == "1"
    },
    Proof("listFailureSilent") { driver in
        driver.startConnected()
        driver.command(.openList)
        driver.answer("/conversations", 500)
        return driver.text("banner.text") == "The conversations could not be loaded."
    },
    Proof("badgeNotCleared") { driver in
        driver.startLooking()
        driver.openList()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        driver.command(.open(conversation: "kerrigan"))
        return driver.text("badge.text[kerrigan]") == nil
    },
    Proof("redBadge", profile: { $0.badge.limit = 1 }) { driver in
        driver.startLooking()
        driver.openList()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        driver.receive(.message(message(2, in: "kerrigan", from: "kerrigan")))
        return driver.text("badge.tone[kerrigan]") == "blue"
    },
    Proof("slowUnread") { driver in
        driver.startLooking()
        driver.receive(.message(message(1, in: "kerrigan", from: "kerrigan")))
        return driver["unread[kerrigan]"] == 1
    },
    Proof("partialReplyLost") { driver in
        driver.startLooking()
        let token = ServerFrame.Token(conversation: "stukov", messageID: "m9", index: 0, text: "a", final: false)
        driver.receive(.token(token))
        driver.drop()
        return driver.text("stream.text[m9]") == "a"
    },
    Proof("lateConfirmIgnored") { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(16))
        driver.confirm(driver.sends.first?.clientMessageID ?? "", sequence: 1)
        return driver.text("message.status[\(driver.key)]") == "delivered"
    },
    Proof("slowStatus") { driver in
        driver.start()
        driver.send(label: "one")
        return driver.history("message.status") == ["queued"]
    },
    Proof("storeNoDedup") { driver in
        driver.startLooking()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(1)))
        driver.command(.refresh)
        driver.answerPage(pageOfStukov, [message(1)])
        return driver.list("conversation.messages[stukov]") == ["m1"]
    },
    Proof("stringSort") { driver in
        driver.startLooking()
        driver.receive(.message(message(1)))
        // The message is an hour older, although its id sorts later.
        let early = #"{"type":"message","message_id":"m2","conversation_id":"stukov","sender_id":"stukov","seq":2,"#
        driver.receive(text: early + #""timestamp":"2026-01-01T08:00:00+09:00","text":"early"}"#)
        return driver.list("view.rows") == ["m2", "m1"]
    },
    Proof("storeRace") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.receive(.message(message(2)))
        driver.answerPage(pageOfStukov, [message(1)])
        return driver.list("view.rows") == ["m1", "m2"]
    },
    Proof("presenceNoRetry") { driver in
        driver.startConnected()
        driver.command(.openList)
        driver.answer("/agents", 503)
        driver.advance(by: .seconds(1))
        return driver.open("/agents").count == 1
    },
    Proof("presenceSurfacesDiffer") { driver in
        driver.startWithStukov()
        driver.command(.open(conversation: "stukov"))
        driver.hearPresence(.busy)
        return driver.text("header.presence") == "busy" && driver.text("list.presence[stukov]") == "busy"
    },
    Proof("memberPresenceFrozen") { driver in
        driver.startLooking()
        let group = ["stukov", "ben"].map { Agent(user: $0, conversation: "team", name: $0, status: .online) }
        driver.openList(group)
        driver.command(.open(conversation: "team"))
        driver.hearPresence(.busy)
        return driver.text("member.presence[stukov]") == "busy"
    },
    Proof("noAgentStatus") { driver in
        driver.startWithStukov()
        return driver.text("header.tone") == "green" && driver.text("list.tone[stukov]") == "green"
            && driver.text("header.subtitle") == "Here"
    },
    Proof("typingOfOthersShown") { driver in
        driver.startWithStukov()
        driver.receive(.typing(conversation: "kerrigan", user: "kerrigan", active: true))
        return driver["header.typing"] == false
    },
    Proof("typingBeforeOpeningMissed") { driver in
        driver.startLooking(at: "kerrigan")
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        driver.command(.open(conversation: "stukov"))
        return driver["header.typing"] == true
    },
    Proof("agentStatusFromConnection") { driver in
        driver.startWithStukov()
        driver.hearPresence(.offline)
        return driver.text("header.presence") == "offline"
    },
    Proof("receiptBeforeStored") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.diskIsFast = false
        driver.receive(.message(message(1)))
        return driver.said(.readReceipt).isEmpty
    },
    Proof("slowPresence") { driver in
        driver.startConnected()
        driver.receive(.presence(user: "stukov", status: .busy, lastSeen: nil))
        return driver.text("peer.presence[stukov]") == "busy"
    },
    Proof("presenceStale") { driver in
        driver.startConnected()
        driver.receive(.presence(user: "stukov", status: .online, lastSeen: nil))
        driver.drop()
        return driver.text("peer.presence[stukov]") == "last_seen"
    },
]
