import ChatWire
import Faults
import ReferenceClient
import SquallCore
import WebSocketWire

/// The checks for connection defects that are not in `connectionProofs`.
let linkProofs: [Proof] = [
    Proof("stuckToDeadServer", profile: { $0.connect.otherHosts = "two.test" }) { driver in
        driver.start()
        driver.refuse()
        driver.advance(by: .seconds(1))
        return driver.text("connection.host") == "two.test"
    },
    Proof(
        "waitsByPhoneClock",
        profile: { ($0.device.clockJump, $0.device.clockJumpsAt) = (.seconds(60), .milliseconds(500)) }
    ) {
        driver in
        driver.start()
        driver.refuse()
        driver.advance(by: .milliseconds(999))
        return driver.attempts.count == 1
    },
    Proof("noReconnect") { driver in
        driver.startConnected()
        driver.drop()
        driver.forget()
        driver.advance(by: .seconds(2))
        return driver.attempts.count == 1
    },
    Proof("bannerStandsStill") { driver in
        driver.startConnected()
        driver.drop()
        return driver.text("banner.kind") == "reconnecting" && driver["banner.pulses"] == true
    },
    Proof("offlineAlarms", profile: { $0.banner.style = .calm }) { driver in
        driver.startConnected()
        driver.command(.network(reachable: false))
        return driver.text("banner.kind") == "offline" && driver.text("banner.tone") == "grey"
    },
    Proof("noProbeFirst", profile: { $0.connect.probesFirst = true }) { driver in
        driver.start()
        return driver.attempts.isEmpty && driver.open("/health").count == 1
    },
    Proof("pongLimitNeverGrows", profile: { $0.heartbeat.pongLimitCap = .seconds(30) }) { driver in
        driver.startConnected()
        driver.advance(by: .seconds(39))
        guard case .ping(let id)? = driver.said(.ping).last else { return false }
        driver.receive(.pong(id: id))
        // The next ping is sent at 60 s. The 9 s round trip has raised its pong limit from 10 s to 18 s.
        driver.advance(by: .seconds(38))
        guard driver.state == "connected" else { return false }
        driver.advance(by: .seconds(1))
        return driver.state == "reconnecting"
    },
    Proof("slowLimitFixed", profile: { $0.heartbeat.slowFactor = 3 }) { driver in
        driver.startConnected()
        var qualities: [String?] = []
        var before: Int64 = 0
        // The usual round trip is 400 ms after the first pong and 487.5 ms after the second, so the limit is 1462.5 ms.
        for roundTrip in [400, 1100, 1500] as [Int64] {
            driver.advance(by: .milliseconds(30_000 - before + roundTrip))
            guard case .ping(let id)? = driver.said(.ping).last else { return false }
            driver.receive(.pong(id: id))
            qualities.append(driver.text("connection.quality"))
            before = roundTrip
        }
        return qualities == ["good", "good", "slow"]
    },
    Proof("promptsOnBlip") { driver in
        driver.startConnected()
        driver.drop()
        return driver["auth.requires_reauth"] == false
    },
    Proof("reconnectOnlyWhenGivenUp") { driver in
        driver.start()
        driver.refuse()
        driver.command(.reconnect)
        return driver.attempts.count == 2
    },
    Proof("keyLeak") { driver in
        driver.start()
        driver.open()
        return driver.requestLine == "GET /ws HTTP/1.1"
    },
    Proof("keyInPings") { driver in
        driver.startConnected()
        driver.advance(by: .seconds(30))
        let pings = driver.said(.ping)
        return !pings.isEmpty && !pings.contains { "\($0)".contains("-key") }
    },
    Proof("crashOnUntyped") { driver in
        driver.startConnected()
        driver.receive(text: #"{"text":"of no type"}"#)
        return driver.crash == nil
    },
    Proof("noSyncOnReconnect") { driver in
        driver.startConnected(lastSequence: 3)
        driver.comeBack(lastSequence: 5)
        return driver.said(.sync) == [.sync(lastSequence: 3)]
    },
    Proof("subscriptionNotRenewed") { driver in
        let extras: JSON = ["subscribe": ["frame": ["do": "subscribe"], "after": "connected"]]
        guard let wire = try? OwnFramesTests.wire(extras: extras) else { return false }
        driver = Driver(driver.profile, policy: driver.policy, wire: wire)
        driver.startConnected()
        driver.comeBack()
        return driver.extras == ["subscribe", "subscribe"]
    },
    Proof("fullSyncOnForeground") { driver in
        driver.startConnected(lastSequence: 7)
        driver.command(.background)
        driver.advance(by: .seconds(40))
        driver.command(.foreground)
        driver.connect(lastSequence: 8)
        return driver.said(.sync) == [.sync(lastSequence: 7)]
    },
    Proof("promptRunsTwice") { driver in
        driver.startConnected()
        driver.send(label: "hello")
        driver.advance(by: .seconds(16))
        driver.command(.retry(label: "hello"))
        let ids = driver.sends.map(\.clientMessageID)
        return ids.count == 2 && Set(ids).count == 1
    },
    Proof("rttNotReset") { driver in
        driver.startConnected()
        driver.answersPings = true
        driver.advance(by: .seconds(31))
        driver.command(.handoff)
        driver.connect()
        return driver["connection.rtt"]?.isNull == true
    },
    Proof("acksLostOnSuspend") { driver in
        driver.startConnected()
        driver.command(.background)
        driver.receive(.message(message(1)))
        return driver.said(.messageAck).count == 1
    },
    Proof("errorsLookAlike") { driver in
        driver.startConnected()
        driver.receive(.error(ServerFrame.ServerError(code: .internalError, message: "oh no")))
        return driver.text("banner.text") == "oh no" && driver.text("banner.action") == "retry"
    },
    Proof("unloggedFailure") { driver in
        driver.startConnected()
        driver.drop()
        return driver.events("client.disconnected").first?["failure"] == "reset"
    },
    Proof("devicesDiverge") { driver in
        driver.startConnected()
        driver.receive(.message(message(1, from: driver.id.name)))
        return driver.list("conversation.messages[stukov]") == ["m1"]
    },
    Proof("reconnectBurst") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov", [])
        for _ in 0..<5 { driver.command(.refresh) }
        return driver.requests.count == 1
    },
    Proof("oversizeSentAgain") { driver in
        driver.startConnected()
        driver.send("short")
        driver.send("much longer")
        let longer = driver.sends.last?.clientMessageID
        driver.closeByServer(.messageTooBig)
        return driver.text("message.status[\(longer ?? "")]") == "failed"
            && driver.text("message.status[\(driver.key)]") == "queued"
    },
    Proof("gapAskedForever") { driver in
        driver.startConnected(lastSequence: 1)
        driver.receive(.message(message(3)))
        for _ in 1...2 { driver.receive(.replay(.init(messages: [], complete: true, lastSequence: 1))) }
        return driver["sync.last_sequence"] == 3
    },
    Proof("drainWithoutTimeAtOnce") { driver in
        driver.startConnected()
        driver.receive(.draining(message: "soon", retryAfter: nil))
        driver.advance(by: .seconds(1))
        return driver.text("connection.state") == "draining"
    },
    Proof("crashOnMalformedAnswer") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answer("/conversations/stukov/messages", body: [1])
        return driver.crash == nil
    },
    Proof("commandsQueued") { driver in
        driver.start()
        driver.command(.execute("make"))
        driver.connect()
        return driver.said(.executeCommand).isEmpty
    },
    Proof("commandsDeduplicated") { driver in
        driver.startConnected()
        for _ in 0..<2 { driver.command(.execute("make")) }
        return driver.said(.executeCommand).count == 2
    },
    Proof("pollsBeforeLastAttempt") { driver in
        driver.start()
        driver.refuse()
        return driver.text("connection.transport") != "http"
    },
    Proof("retriesInBackground") { driver in
        driver.start()
        driver.refuse()
        driver.command(.background)
        driver.advance(by: .seconds(40))
        let before = driver.attempts.count
        driver.advance(by: .seconds(300))
        return driver.attempts.count == before
    },
    Proof("networkMissedWhileSuspended") { driver in
        driver.startConnected()
        driver.command(.background)
        driver.advance(by: .seconds(60))
        driver.command(.network(reachable: false))
        driver.command(.foreground)
        return driver.text("connection.state") == "offline"
    },
    Proof("postsUntimed", profile: { $0.reconnect.maxAttempts = 1 }) { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.drop()
        driver.spendAttempts()
        driver.send()
        driver.advance(by: .seconds(14))
        return driver.history("message.status").last != "sending"
    },
    Proof("countsOverwritePending") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        driver.failRequest("/conversations/stukov/read")
        driver.command(.openList)
        let record = ConversationSummary(id: "stukov", name: "stukov", unread: 1)
        driver.answer("/conversations", body: ConversationList([record]).encode(driver.wire))
        return driver["unread[stukov]"] == 0
    },
    Proof("readingCoversAll") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.markRead(conversation: "stukov"))
        return driver.open("/conversations/stukov/read?last_seq_seen=1").count == 1
    },
    Proof("noRollback") { driver in
        driver.startConnected()
        driver.receive(.message(message(1)))
        driver.command(.open(conversation: "stukov"))
        driver.answer("/conversations/stukov/read", 403)
        return driver["unread[stukov]"] == 1 && driver.text("banner.text") != nil
    },
    Proof("oversizeKillsSocket", profile: { $0.connect.maxMessageSize = 2000 }) { driver in
        driver.startConnected()
        return driver.said(.connect) == [.connect(ClientFrame.Connect(key: "key-1", maxMessageSize: 2000))]
    },
    Proof("failedAttemptsUncounted") { driver in
        driver.start()
        driver.refuse()
        return driver["metrics.attempts"] == 1
    },
    Proof("lateDeliveriesUnmeasured") { driver in
        driver.startConnected()
        driver.command(.open(conversation: "stukov"))
        driver.answerPage("/conversations/stukov/messages", [])
        driver.send()
        driver.command(.refresh)
        var copy = message(1, from: "client")
        copy.clientMessageID = driver.key
        driver.answerPage("/conversations/stukov/messages", [copy])
        return driver["metrics.mean_delivery"]?.isNull == false
    },
    Proof(
        "latencyByPhoneClock",
        profile: { ($0.device.clockJump, $0.device.clockJumpsAt) = (.seconds(60), .seconds(1)) }
    ) { driver in
        driver.startConnected()
        driver.send()
        driver.advance(by: .seconds(2))
        driver.confirm(driver.key, sequence: 1)
        return driver["metrics.mean_delivery"]?.intValue == TimeSpan.seconds(2).nanoseconds
    },
    Proof(
        "loginDatedByPhone",
        profile: {
            $0.connect.provesFresh = true
            ($0.device.clockJump, $0.device.clockJumpsAt) = (.seconds(7200), .seconds(1))
        }
    ) { driver in
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "0.2.0", authVersion: 1))
        let connected = ServerFrame.Connected(session: "s1", resumed: false, lastSequence: 0, time: 1_767_225_600_000)
        driver.receive(.connected(connected))
        driver.advance(by: .seconds(2))
        driver.comeBack()
        guard case .connect(let login)? = driver.said(.connect).last else { return false }
        return login.freshness?.timestamp == 1_767_225_604_000
    },
    Proof("offersNoCompression", profile: { $0.connect.compressAbove = 1024 }) { driver in
        driver.start()
        driver.open()
        return driver.requestHead?.contains("permessage-deflate") == true
    },
]
