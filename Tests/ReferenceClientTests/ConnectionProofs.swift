import ChatWire
import Faults
import ReferenceClient
import SquallCore
import WebSocketWire

let connectionProofs: [Proof] = [
    Proof("noBackoff") { driver in
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        driver.refuse()
        driver.advance(by: .milliseconds(1500))
        return driver.attempts.count == 2
    },
    Proof("noJitter", profile: { $0.reconnect.jitterPercent = 25 }) { driver in
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        return driver.attempts.count == 1
    },
    Proof("delayAboveCap", profile: { $0.reconnect.cap = .seconds(1) }) { driver in
        driver.start()
        for _ in 0..<2 {
            driver.refuse()
            driver.advance(by: .seconds(1))
        }
        return driver.attempts.count == 3
    },
    Proof("delayBelowFloor", profile: { $0.reconnect.jitterPercent = 100 }) { driver in
        for _ in 0..<20 {
            driver.start()
            driver.refuse()
            driver.advance(by: .milliseconds(999))
            if driver.attempts.count > 1 { return false }
            driver.advance(by: .seconds(1))
            driver.connect()
            driver.drop()
            driver.forget()
            driver.advance(by: .milliseconds(999))
            if !driver.attempts.isEmpty { return false }
            driver = Driver(driver.profile, policy: driver.policy, seed: driver.seed + 1)
        }
        return true
    },
    Proof("backoffNotReset") { driver in
        driver.startConnected()
        driver.comeBack()
        driver.drop()
        driver.forget()
        driver.advance(by: .seconds(1))
        return driver.attempts.count == 1
    },
    Proof("resetOnTcpOpen") { driver in
        driver.start()
        for _ in 0..<3 {
            driver.open()
            driver.drop()
            driver.failRequest("/health")
            driver.advance(by: .seconds(4))
        }
        return driver["connection.attempt"] == 3 || driver["connection.attempt"] == 2
    },
    Proof("retriesForever", profile: { $0.reconnect.onExhausted = .stop }) { driver in
        driver.start()
        driver.spendAttempts()
        return driver.state == "unavailable" && driver.attempts.count == 20
    },
    Proof("blindReconnectTimer") { driver in
        driver.startConnected()
        driver.command(.network(reachable: false))
        driver.advance(by: .seconds(30))
        return driver.attempts.count == 1
    },
    Proof("noReconnectOnNetworkRestore") { driver in
        driver.startConnected()
        driver.command(.network(reachable: false))
        driver.command(.network(reachable: true))
        driver.advance(by: .seconds(20))
        return driver.attempts.count > 1
    },
    Proof("slowNetworkRestore") { driver in
        driver.startConnected()
        driver.command(.network(reachable: false))
        driver.command(.network(reachable: true))
        return driver.attempts.count > 1
    },
    Proof("labelOnlyConnecting") { driver in
        driver.startConnected()
        driver.command(.network(reachable: false))
        driver.command(.network(reachable: true))
        return driver.state == "connecting" && driver.attempts.count == 2
    },
    Proof("pollWaitsFullInterval") { driver in
        driver.startConnected()
        driver.drop()
        driver.advance(by: .seconds(1))
        driver.spendAttempts()
        driver.command(.network(reachable: false))
        driver.forget()
        driver.command(.network(reachable: true))
        return driver.open("/conversations").count == 1
    },
    Proof("pollingEndsWithView") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.drop()
        driver.spendAttempts()
        driver.command(.disappear(conversation: "stukov"))
        return driver["poll.active"] == true
    },
    Proof("redundantConnect") { driver in
        driver.startConnected()
        driver.command(.network(reachable: true))
        driver.open()
        return driver["connection.open_sockets"] == 1 && driver.attempts.count == 1
    },
    Proof("handoffUnnoticed") { driver in
        driver.startConnected()
        driver.command(.handoff)
        return driver.attempts.count == 2
    },
    Proof("noCleanDisconnect") { driver in
        driver.startConnected()
        driver.command(.background)
        driver.advance(by: .seconds(30))
        return driver.closeFrames == 1
    },
    Proof("disconnectLeavesTimers") { driver in
        driver.startConnected()
        driver.drop()
        driver.command(.disconnect)
        driver.advance(by: .seconds(30))
        return driver.client.nextDeadline == nil
    },
    Proof("pollingCancelledForGood") { driver in
        driver.startConnected()
        driver.drop()
        driver.spendAttempts()
        driver.command(.background)
        driver.advance(by: .seconds(31))
        driver.forget()
        driver.command(.foreground)
        return driver.attempts.count == 1
    },
    Proof("authRetryLoop") { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        driver.receive(.authError(message: "no"))
        driver.advance(by: .seconds(60))
        return driver.attempts.count == 1
    },
    Proof("retryWithoutKey") { driver in
        driver = Driver(driver.profile, policy: driver.policy, key: "")
        driver.start()
        return driver.attempts.isEmpty
    },
    Proof("keyCachedInMemory") { driver in
        driver.startConnected()
        driver.command(.setKey("key-2"))
        driver.comeBack()
        return driver.said(.connect).last == .connect(ClientFrame.Connect(key: "key-2", session: "s1"))
    },
    Proof("lockedKeyCountsAsMissing") { driver in
        driver.start()
        driver.killAndStart(Phone(isLocked: true, areKeysLocked: true))
        let hasWaited = driver.attempts.isEmpty && driver["auth.requires_reauth"] != true
        driver.command(.unlock)
        return hasWaited && driver.attempts.count == 1
    },
    Proof("sendsBeforeAuth") { driver in
        driver.start()
        driver.send()
        driver.open()
        driver.upgrade()
        return driver.sends.isEmpty
    },
    Proof("authFlagOnNetworkError") { driver in
        driver.start()
        driver.refuse()
        return driver["auth.requires_reauth"] == false
    },
    Proof("versionIgnored") { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.2.0", authVersion: 2))
        return driver.text("auth.version_warning") != nil
    },
    Proof("noHeartbeat") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(31))
        return driver.said(.ping).count == 1
    },
    Proof("pingBeforeAuth") { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        return driver.said(.ping).isEmpty
    },
    Proof("pongIgnored") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(41))
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        return driver.state == "reconnecting"
    },
    Proof("halfOpenUnnoticed") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(41))
        return driver.state == "reconnecting"
    },
    Proof("zombieConnection") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(35))
        driver.receive(.typing(conversation: "stukov", user: "stukov", active: true))
        driver.advance(by: .seconds(6))
        return driver.state == "reconnecting"
    },
    Proof("tcpTimeoutOnly") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(60))
        return driver.state == "reconnecting"
    },
    Proof("slowTreatedAsDead") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(32))
        return driver.state == "connected"
    },
    Proof("pingTimerLeak") { driver in
        driver.startConnected()
        for _ in 0..<3 { driver.comeBack() }
        driver.forget()
        driver.answersPings = true
        driver.advance(by: .seconds(30))
        return driver.said(.ping).count == 1
    },
    Proof("chattyIdle") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(5))
        return driver.said(.ping).isEmpty
    },
    Proof("drainingIgnored") { driver in
        driver.startConnected()
        driver.receive(.draining(message: "bye", retryAfter: nil))
        return driver.state == "draining"
    },
    Proof("drainingCountsAsFailure") { driver in
        driver.startConnected()
        driver.receive(.draining(message: "bye", retryAfter: nil))
        return driver["connection.attempt"] == 0
    },
    Proof("drainHerd", profile: { $0.drain.jitterPercent = 25 }) { driver in
        driver.startConnected()
        driver.receive(.draining(message: "bye", retryAfter: nil))
        driver.advance(by: .seconds(5))
        return driver.attempts.count == 1
    },
    Proof(
        "drainAllowsNoMoreAttempts",
        profile: {
            $0.reconnect.maxAttempts = 1
            $0.drain.maxAttempts = 2
        }
    ) { driver in
        driver.startConnected()
        driver.receive(.draining(message: "bye", retryAfter: nil))
        driver.advance(by: .seconds(5))
        driver.refuse()
        return driver.state == "reconnecting"
    },
    Proof("inflightLostOnDrain") { driver in
        driver.startConnected()
        driver.send()
        driver.receive(.draining(message: "bye", retryAfter: nil))
        return driver.text("message.status[\(driver.key)]") == "queued"
    },
    Proof("crashOnUnknownType") { driver in
        driver.startConnected()
        driver.receive(text: #"{"type":"horoscope"}"#)
        return driver.crash == nil
    },
    Proof("crashOnMalformed") { driver in
        driver.startConnected()
        driver.receive(text: "nonsense")
        return driver.crash == nil
    },
    Proof("portalAsGenericFailure") { driver in
        driver.start()
        driver.open()
        driver.refuseUpgrade(302, ["Location": "http://portal.test/"])
        return driver.state == "captive_portal"
    },
    Proof("any3xxIsPortal") { driver in
        driver.start()
        driver.open()
        driver.refuseUpgrade(302, ["Location": "/elsewhere"])
        return driver.state == "reconnecting"
    },
    Proof("probeFollowsRedirect") { driver in
        driver.start()
        driver.open()
        driver.drop()
        driver.answer("/health", 302, headers: [(name: "location", value: "http://portal.test/")])
        return driver.state == "captive_portal"
    },
    Proof("portalBurnsAttempts") { driver in
        driver.start()
        driver.open()
        driver.refuseUpgrade(302, ["Location": "http://portal.test/"])
        driver.advance(by: .seconds(60))
        return driver["connection.attempt"] == 0 && driver.attempts.count == 1
    },
    Proof("noPortalAlert") { driver in
        driver.start()
        driver.open()
        driver.refuseUpgrade(302, ["Location": "http://portal.test/"])
        return driver.text("alert.title") != nil
    },
    Proof("noPortalRecheck") { driver in
        driver.start()
        driver.open()
        driver.refuseUpgrade(302, ["Location": "http://portal.test/"])
        driver.command(.portalLogin)
        return driver.open("/health").count == 1
    },
    Proof("redirectAsSuccess", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.start()
        driver.refuse()
        driver.send()
        driver.answer(
            "/conversations/stukov/messages",
            302,
            headers: [(name: "location", value: "http://portal.test/")]
        )
        return driver["outbox.count"] == 1
    },
    Proof("noReconnectBanner") { driver in
        driver.startConnected()
        driver.drop()
        return driver.text("banner.kind") == "reconnecting"
    },
    Proof("dismissalLasts") { driver in
        driver.startConnected()
        driver.drop()
        driver.command(.dismissBanner)
        driver.advance(by: .seconds(1))
        driver.refuse()
        return driver.text("banner.kind") == "reconnecting"
    },
    Proof("degradedAsOffline", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.start()
        driver.refuse()
        return driver.text("connection.label") == "POLLING (30S)" && driver.text("connection.tone") == "amber"
    },
    Proof("badgeSaysConnected") { driver in
        driver.startConnected()
        driver.drop()
        return driver.text("connection.label") == "RECONNECTING"
    },
    Proof("pollsForever", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(600))
        return driver.attempts.count > 1
    },
    Proof(
        "pollingIntervalIsFixed",
        profile: {
            $0.reconnect.maxAttempts = 1
            $0.poll.interval = .seconds(5)
        }
    ) { driver in
        driver.start()
        driver.refuse()
        return driver.text("connection.label") == "POLLING (5S)"
    },
    Proof("lastSeenWhenFetched") { driver in
        driver.startConnected()
        driver.command(.openList)
        driver.answerAgents([Agent(user: "stukov", conversation: "stukov", name: "Alexei", status: .offline)])
        return driver["peer.presence[stukov]"] != nil && driver.text("peer.last_seen[stukov]") == nil
    },
    Proof("badgeStaysGreen") { driver in
        driver.startConnected()
        driver.drop()
        return driver.text("connection.tone") == "yellow"
    },
    Proof("falseConnected") { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        return driver.state == "connecting"
    },
]
