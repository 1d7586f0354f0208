import ChatWire
import ReferenceClient
import SquallCore

private let ofStukov = "/conversations/stukov/messages"
private let ofKerrigan = "/conversations/kerrigan/messages"

private func messages(_ sequences: ClosedRange<Int64>, in conversation: String = "stukov") -> [ChatMessage] {
    sequences.map { message($0, in: conversation, from: conversation) }
}

extension Driver {
    /// Connects and displays messages 11 to 14 of `stukov`; the server has older messages.
    mutating func look() {
        startConnected(lastSequence: 14)
        command(.open(conversation: "stukov"))
        answerPage(ofStukov, messages(11...14), hasMore: true)
        answer("/conversations/stukov/read")
    }

    mutating func answerAgents(_ agents: [Agent]) {
        answer("/agents", body: AgentList(agents).encode(wire))
    }
}

let screenProofs: [Proof] = [
    Proof("failedPageStaysMissing", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answer("/conversations/stukov/messages", 500)
        driver.receive(.message(message(1)))
        return driver.open("/conversations/stukov/messages").count == 1
    },
    Proof("refreshOutlivesFailure") { driver in
        driver.refreshStukov()
        driver.failRequest("/conversations/stukov/messages")
        return driver["refresh.in_flight"] == false
    },
    Proof("refreshNotDisplayed") { driver in
        driver.refreshStukov()
        return driver["refresh.in_flight"] == true
    },
    Proof("failedRefreshEmpties") { driver in
        driver.refreshStukov()
        driver.failRequest("/conversations/stukov/messages")
        return driver.list("view.rows") == ["m1"]
    },
    Proof("offlineMissedWhileDisconnected") { driver in
        driver.startConnected()
        driver.command(.disconnect)
        driver.command(.network(reachable: false))
        return driver.text("connection.label") == "OFFLINE"
    },
    Proof("deletionsOfOthersCount") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m1", at: 9, by: "stukov")))
        return driver["metrics.deletions"] != 1
    },
    Proof("staleHasMore") { driver in
        driver.look()
        driver.command(.open(conversation: "kerrigan"))
        return driver["history.control_text"] == .null
    },
    Proof("loadMoreLoop") { driver in
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(ofStukov, messages(7...10), hasMore: true)
        return driver.requests.isEmpty
    },
    Proof("lateListOpens", profile: { $0.start.asksForPartners = true }) { driver in
        driver.start()
        driver.command(.open(conversation: "stukov"))
        driver.command(.leave)
        driver.answerAgents([Agent(user: "anna", conversation: "anna", name: "Anna", status: .online)])
        return driver["view.conversation"] == .null
    },
    Proof("newestPageRestoresControl") { driver in
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(ofStukov, messages(9...10))
        driver.command(.refresh)
        driver.answerPage(ofStukov, messages(11...14), hasMore: true)
        return driver["history.control_text"] == .null
    },
    Proof("searchPagesForever") { driver in
        driver.look()
        driver.tap("stukov", message: "m1")
        driver.answerPage(ofStukov, messages(11...14), hasMore: true)
        for _ in 1...3 where !driver.open(ofStukov).isEmpty { driver.answerPage(ofStukov, [], hasMore: true) }
        return driver.open(ofStukov).isEmpty
    },
    Proof("pageRestoresDeleted") { driver in
        driver.look()
        driver.receive(.deleted(.init(conversation: "stukov", messageID: "m12", at: 9, by: "stukov")))
        driver.command(.refresh)
        driver.answerPage(ofStukov, messages(11...14), hasMore: true)
        return driver.text("message.text[m12]") == "Message deleted"
    },
    Proof("addedCountsKnown") { driver in
        driver.look()
        driver.command(.loadEarlier)
        driver.answerPage(ofStukov, messages(10...12), hasMore: true)
        return driver.events("client.history.ended").last?["added"] == 1
    },
    Proof("countsFetchedTooOften", profile: { $0.unread.refresh = .seconds(20) }) { driver in
        driver.look()
        driver.command(.openList)
        driver.advance(by: .seconds(5))
        return driver.open("/unread").isEmpty
    },
    Proof("scrollToBottomOnCountChange") { driver in
        driver.look()
        driver.command(.scroll(to: .start))
        driver.answerPage(ofStukov, messages(7...10), hasMore: true)
        return driver.text("scroll.anchor") == "m11"
    },
    Proof("newMessageNotScrolledTo") { driver in
        driver.look()
        driver.command(.scroll(to: .end))
        driver.receive(.message(message(15)))
        return driver.events("client.scrolled").last == ["cause": "new_message", "to": "end"]
    },
    Proof("switchesLookAlike") { driver in
        driver.look()
        driver.command(.open(conversation: "kerrigan"))
        driver.command(.open(conversation: "stukov"))
        return driver.events("client.transition").last == ["direction": "right"]
    },
    Proof("keptRowsLookCurrent", profile: { $0.switching.keepsDimmed = true }) { driver in
        driver.look()
        driver.command(.open(conversation: "kerrigan"))
        return driver["view.stale"] == true
    },
    Proof("scrollLostOnSwitch") { driver in
        driver.look()
        driver.command(.scroll(to: .message("m12")))
        driver.command(.open(conversation: "kerrigan"))
        driver.command(.open(conversation: "stukov"))
        return driver.text("scroll.anchor") == "m12"
    },
    Proof("noNewMarker") { driver in
        driver.look()
        driver.command(.background)
        driver.receive(.message(message(15)))
        driver.command(.foreground)
        return driver.text("new_marker.before") == "m15"
    },
    Proof("serialBootstrap", profile: { $0.start.asksForPartners = true }) { driver in
        driver.look()
        driver.killAndStart()
        return driver.open(ofStukov).count == 1
    },
    Proof("draftFollowsTheUser") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(ofStukov, [])
        driver.command(.takeSuggestion(1))
        driver.command(.open(conversation: "kerrigan"))
        return driver.text("composer.text") == ""
    },
    Proof("genericEmptyState") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage(ofStukov, [])
        return driver.list("view.suggestions").count > 1
    },
    Proof("bannerInList") { driver in
        driver.look()
        driver.command(.refresh)
        driver.failRequest(ofStukov)
        return driver.text("banner.placement") == "overlay"
    },
    Proof("bannerHeadsList") { driver in
        driver.look()
        driver.command(.refresh)
        driver.failRequest(ofStukov)
        return driver["banner.in_sight"] == true
    },
    Proof("pendingLostOnSwitch") { driver in
        driver.look()
        driver.send()
        driver.command(.open(conversation: "kerrigan"))
        driver.command(.open(conversation: "stukov"))
        return driver.list("view.rows").contains(driver.key)
    },
]

extension Driver {
    /// Opens a conversation with one message, and begins a refresh by the user.
    fileprivate mutating func refreshStukov() {
        startConnected()
        command(.open(conversation: "stukov"))
        answerPage("/conversations/stukov/messages", [message(1)])
        command(.refresh)
    }
}
