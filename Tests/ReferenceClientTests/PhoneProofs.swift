import ChatWire
import ReferenceClient
import SquallCore

/// The checks for defects that involve the phone or the account.
let phoneProofs: [Proof] = tokenProofs + accountProofs + notificationProofs + badgeProofs + linkedProofs

private let tokenProofs: [Proof] = [
    Proof("loadingTargetUnnamed") { driver in
        driver.startConnected()
        driver.tap("anna")
        return driver.text("view.loading_text") == "Loading conversation with anna..."
    },
    Proof("tokenNotRegistered") { driver in
        driver.startConnected()
        driver.signOut()
        driver.command(.token("t1"))
        driver.command(.signIn(user: "anna", key: "key-2"))
        return driver.open("/push_token").count == 1
    },
    Proof("handledPushesForgotten") { driver in
        driver.startConnected()
        driver.push("hello")
        driver.killAndStart()
        driver.push("hello")
        return driver.notified.isEmpty
    },
    Proof("tokenRefreshIgnored") { driver in
        driver.startWithToken()
        driver.answer("/push_token", 200)
        driver.command(.token("t2"))
        return driver.open("/push_token").count == 1
    },
    Proof("tokenSaveNoRetry") { driver in
        driver.startWithToken()
        driver.answer("/push_token", 503)
        driver.advance(by: .seconds(1))
        return driver.open("/push_token").count == 1
    },
    Proof("tokenSaveNoBackoff") { driver in
        driver.startWithToken()
        for _ in 1...2 {
            driver.answer("/push_token", 503)
            driver.advance(by: .seconds(1))
        }
        return driver.open("/push_token").isEmpty
    },
    Proof("tokenGivenUpForGood") { driver in
        driver.startWithToken()
        for delay: Int64 in [1, 2, 4] {
            driver.answer("/push_token", 503)
            driver.advance(by: .seconds(delay))
        }
        driver.killAndStart(Phone(token: "t1"))
        return driver.open("/push_token").count == 1
    },
    Proof("backoffSkipsLast") { driver in
        driver.startWithToken()
        driver.answer("/push_token", 503)
        driver.advance(by: .seconds(1))
        driver.answer("/push_token", 503)
        driver.advance(by: .seconds(2))
        return driver.open("/push_token").count == 1
    },
    Proof("staleTokenRetry") { driver in
        driver.startWithToken()
        driver.answer("/push_token", 503)
        driver.signOut()
        driver.forget()
        driver.advance(by: .seconds(10))
        return driver.requests.isEmpty
    },
    Proof("tokenKeptOnSignOut") { driver in
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        return driver.open("/push_token").count == 1
    },
    Proof("exactTimeInUTC", profile: { $0.times.utcOffset = .seconds(3600) }) { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.longPress(message: "m1"))
        return driver.text("message.exact_time[m1]") == "2026-01-01 01:00:01"
    },
    Proof("headingsNotRenewed", profile: { $0.times.isShown = true }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        var (old, new) = (message(1), message(2))
        (old.timestamp, new.timestamp) = (1_767_222_000_000, 1_767_225_600_000)
        driver.receive(.message(old))
        driver.receive(.message(new))
        return driver.text("message.day[m1]") == "Yesterday"
    },
    Proof("headingAboveEachMessage", profile: { $0.times.isShown = true }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [message(1), message(2)])
        return driver["message.day[m1]"] != .null && driver["message.day[m2]"] == .null
    },
]

private let accountProofs: [Proof] = [
    Proof("signOutOrder") { driver in
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        return driver.requests.last?.request.authorization == "Bearer key-1"
    },
    Proof("signOutBlocked") { driver in
        driver.startWithToken()
        driver.answer("/push_token")
        driver.command(.signOut)
        driver.failRequest("/push_token")
        return driver["app.user"] == .null
    },
    Proof("staticStateSurvives") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.signOut()
        return driver["app.user"] == .null && driver["app.viewing"] == .null
    },
    Proof("viewingOutlivesScreen") { driver in
        driver.startWithToken()
        driver.command(.open(conversation: "stukov"))
        driver.command(.leave)
        driver.advance(by: .seconds(1))
        return driver["app.viewing"] == .null
    },
    Proof("disappearClearsOther") { driver in
        driver.startWithToken()
        driver.command(.open(conversation: "stukov"))
        driver.command(.open(conversation: "anna"))
        driver.advance(by: .seconds(1))
        return driver["app.viewing"] == "anna"
    },
    Proof("appStateRace") { driver in
        driver.startWithToken()
        driver.command(.open(conversation: "stukov"))
        return driver["app.viewing"] == "stukov"
    },
]

private let notificationProofs: [Proof] = [
    Proof("rawAgentIdTitle") { driver in
        driver.startConnected()
        driver.push("hello", in: "stukov/adjutant")
        return driver.notified.last?.title == "Stukov"
    },
    Proof("notificationUncut") { driver in
        driver.startConnected()
        driver.push(String(repeating: "a", count: 101))
        return driver.notified.last?.body.count == 100
    },
    Proof("noThreadIdentifier") { driver in
        driver.startConnected()
        driver.push("hello")
        return driver.notified.last?.thread == "stukov"
    },
    Proof("noInlineReply") { driver in
        driver.startConnected()
        driver.push("hello")
        return driver.notified.last?.takesReply == true
    },
    Proof("duplicateNotification") { driver in
        driver.startConnected()
        driver.push("hello")
        driver.push("hello")
        return driver.notified.count == 1
    },
    Proof("noSuppression") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.push("hello")
        return driver.presentations.last == []
    },
    Proof("foreignNotificationsShown") { driver in
        driver.startWithToken()
        driver.answer("/push_token")
        driver.signOut()
        return driver.wishes.contains(.showNotifications(of: nil))
    },
    Proof("pushTextKept") { driver in
        driver.startConnected()
        driver.push("te…")
        driver.receive(.message(message(1)))
        return driver.text("message.text[m1]") == "text 1"
    },
    Proof("permissionCheckedOnce") { driver in
        driver.startConnected()
        driver.command(.permission(.denied))
        driver.killAndStart(Phone(permission: .granted))
        return driver["permission.state"] == "granted"
    },
    Proof("promptAtLaunch", profile: { $0.notification.asks = .afterSend }) { driver in
        driver.startConnected()
        return !driver.wishes.contains(.requestPermission)
    },
    Proof("promptAfterDenial", profile: { $0.notification.asks = .afterSend }) { driver in
        driver.startConnected()
        driver.command(.send(conversation: "stukov", text: "hello", label: nil))
        driver.command(.permission(.denied))
        driver.command(.send(conversation: "stukov", text: "again", label: nil))
        return driver.wishes.count { $0 == .requestPermission } == 1
    },
    Proof("noPermissionBanner") { driver in
        driver.startConnected()
        driver.command(.permission(.denied))
        return driver.text("permission.banner_action") == "Open Settings"
    },
]

private let badgeProofs: [Proof] = [
    Proof("badgeWaitsForConnection") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.background)
        driver.advance(by: .seconds(31))
        driver.push("hello", in: "anna", message: "m2")
        driver.push("hello", in: "anna", message: "m2")
        return driver["badge.app"] == 2 && driver["unread[anna]"] == 1
    },
    Proof("badgeNotUpdated") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.receive(.message(message(2)))
        return driver["badge.app"] == 2
    },
]

private let linkedProofs: [Proof] = [
    Proof("noScrollToTarget") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.receive(.message(message(2, in: "anna")))
        driver.tap("anna", message: "m1")
        return driver.text("scroll.anchor") == "m1"
    },
    Proof("noHighlight") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna", message: "m1")
        return driver.text("highlight.target") == "m1"
    },
    Proof("highlightStays") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna", message: "m1")
        driver.advance(by: .seconds(3))
        return driver["highlight.target"] == JSON.null
    },
    Proof("goneTargetNotReported") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna", message: "m9")
        driver.answerPage("/conversations/anna/messages", [message(1, in: "anna")])
        let anna = ConversationSummary(id: "anna", name: "Anna", unread: 0, lastMessage: nil)
        driver.answer("/conversations/anna", body: anna.encode(driver.wire))
        return driver.text("banner.text") == "This message is no longer available"
    },
    Proof("pendingIdOnAppearOnly") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna")
        return driver.text("view.conversation") == "anna"
    },
    Proof("pendingIdNotCleared") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna")
        driver.command(.open(conversation: "stukov"))
        return driver.text("view.conversation") == "stukov"
    },
    Proof("deepLinkSilentFail") { driver in
        driver.startConnected()
        driver.tap("anna")
        return driver.open("/conversations/anna").count == 1
    },
    Proof("slowDeepLink") { driver in
        driver.startConnected()
        driver.tap("anna")
        let summary = ConversationSummary(id: "anna", name: "anna", unread: 0)
        driver.answer("/conversations/anna", body: summary.encode(driver.wire))
        return driver.text("view.conversation") == "anna"
    },
    Proof("loadedTargetFetched") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.tap("anna")
        return driver.text("view.conversation") == "anna"
    },
    Proof("everyErrorIsDeleted") { driver in
        driver.startConnected()
        driver.tap("anna")
        driver.answer("/conversations/anna", 403)
        return driver.text("deep_link.error") == "forbidden"
    },
    Proof("deepLinkRace") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, in: "anna")))
        driver.command(.open(conversation: "stukov"))
        driver.tap("anna")
        return driver.text("view.conversation") == "anna"
    },
]

extension Driver {
    mutating func startWithToken() {
        startConnected()
        command(.token("t1"))
    }

    /// Signs out, and fails the request that removes the push token if one was sent.
    mutating func signOut() {
        command(.signOut)
        failRequest("/push_token")
    }

    mutating func push(_ text: String, in conversation: String = "stukov", message: String = "m1") {
        command(
            .push(Push(for: "client", conversation: conversation, message: message, sender: conversation, text: text))
        )
    }

    mutating func tap(_ conversation: String, message: String = "m1") {
        let push = Push(
            for: "client",
            conversation: conversation,
            message: message,
            sender: conversation,
            text: "hello"
        )
        command(.tap(label: nil, push: push))
    }

    private var given: [(PhoneNotification, [Presentation])] {
        wishes.compactMap { if case .notify(let notification, let ways) = $0 { (notification, ways) } else { nil } }
    }

    var notified: [PhoneNotification] { given.map(\.0) }

    var presentations: [[Presentation]] { given.map(\.1) }
}
