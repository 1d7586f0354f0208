import ChatWire
import Faults
import SquallCore
import WebSocketWire

// How the connection reacts to the server, or to a captive portal that answers instead of it.

extension Connection {
    /// The server for HTTP requests; nil if only one server is configured.
    var requestHost: String? { servers.areSeveral ? host : nil }

    mutating func connectFailed(_ id: ConnectionID, _ failure: LinkFailure, _ step: inout Step) {
        surplus.removeAll { $0 == id }
        guard link?.id == id else { return }
        failAttempt(.link(failure), wasAnswered: failure == .tls, .alreadyClosed, &step)
    }

    mutating func ended(_ id: ConnectionID, _ failure: LinkFailure, _ step: inout Step) {
        if let index = surplus.firstIndex(of: id) {
            surplus.remove(at: index)
            step.changes.insert(.connection)
        }
        guard link?.id == id else { return }
        loseOrFail(.link(failure), failure == .endOfStream ? .afterPendingOutput : .alreadyClosed, &step)
    }

    mutating func received(_ id: ConnectionID, _ bytes: [UInt8], _ step: inout Step) {
        // Late bytes of an abandoned connection are ignored.
        guard link?.id == id else { return }
        let events = link?.receive(bytes) ?? []
        if !events.isEmpty, !heartbeat.frameArrived(at: step.now) {
            loseOrFail(.pongTimeout, .withReset, &step)
            return
        }
        for event in events where link?.id == id && !step.hasCrashed { take(event, &step) }
        flush(&step)
    }

    private mutating func take(_ event: ClientLink.Event, _ step: inout Step) {
        switch event {
        case .upgraded:
            link?.stage = .awaitingHello
            step.changes.insert(.connection)
            link?.sendExtras(after: .opened, rules.wire)
            if rules.wire.isUnknown { return becomeLive(.init(session: "", resumed: false, lastSequence: 0), &step) }
            if !rules.wire.has(.hello, by: .server) {
                // No frame announces the heartbeat interval, so it comes from the profile.
                heartbeat.serverInterval = rules.profile.heartbeat.interval
                sendConnect(&step)
            }
            guard rules.policy.heartbeat.begin == .whenUpgraded, let id = heartbeat.ping(at: step.now) else { return }
            say(.ping(id: id), &step)
        case .binary(let message) where rules.wire.isBinary: readPackets(message, &step)
        case .text(let text):
            for frame in rules.wire.frames(in: text) { read(frame, &step) }
        case .binary:
            cannotRead("a binary message", &step)
            if rules.policy.frames.malformed == .crashes { step.crash("a binary message") }
        case .closedByServer(let code):
            // If the protocol has no `auth_error` frame, the server rejects the key with a policy close code.
            if link?.stage == .authenticating, !rules.wire.has(.authError, by: .server), ChatCloseCode(code) == .policy
            {
                return keyRefused(.closedByServer(code), .afterPendingOutput, &step)
            }
            let wasLive = phase == .live
            loseOrFail(.closedByServer(code), .afterPendingOutput, &step)
            // A clean close means that the server is done with this client or has handed the session over to another
            // client. A reconnect would take the session back.
            if wasLive, ChatCloseCode(code) == .clean { disconnect(&step) }
        case .refused(let head):
            if portal.judge(upgrade: head) == .portal {
                endAttemptAtPortal(&step)
            } else if head.status == ChatStatus.unauthorized.rawValue {
                // The server would reject the same key again (RFC 9110 section 15.5.2). A 403 need not come from the
                // server, because proxies that forbid WebSockets also send it.
                keyRefused(.status(head.status), .afterPendingOutput, &step)
            } else {
                loseOrFail(.status(head.status), .afterPendingOutput, asked: head.retryAfter, &step)
            }
        case .broken:
            loseOrFail(.protocolError, .afterPendingOutput, &step)
        }
    }

    private mutating func readPackets(_ message: [UInt8], _ step: inout Step) {
        guard let id = link?.id, let found = link?.frames(inBinary: message, rules.wire) else { return }
        for frame in found.frames where link?.id == id && !step.hasCrashed { read(frame, &step) }
        guard let violation = found.violation, link?.id == id else { return }
        // The start of the next packet is unknown, so the connection is no longer usable.
        cannotRead(violation, &step)
        loseOrFail(.protocolError, .afterPendingOutput, &step)
    }

    /// Sends `text` as a message without checking its content; does nothing unless the connection is live.
    mutating func say(text: String, _ step: inout Step) {
        guard phase == .live, link?.send(text: text, rules.wire) == true else { return }
        step.logWire(FrameLog.sentText, FrameLog.note(ofText: text))
        flush(&step)
    }

    private mutating func read(_ text: String, _ step: inout Step) {
        if rules.wire.isUnknown { return step.logWire(FrameLog.receivedText, FrameLog.note(ofText: text)) }
        guard let decoded = link?.read(text, rules.wire) else { return }
        switch decoded {
        case .frame(let frame):
            step.logReceived(frame)
            take(frame, &step)
        case .unknownType(let type):
            step.log("client.unknown_frame", ["type": .string(type)])
            if rules.policy.frames.unknownType == .crashes { step.crash("unknown frame type \(type)") }
        case .untyped(let reason):
            cannotRead(reason, &step)
            if rules.policy.frames.untyped == .crashes { step.crash("a frame without a type: \(reason)") }
        case .malformed(let reason):
            cannotRead(reason, &step)
            if rules.policy.frames.malformed == .crashes { step.crash("malformed frame: \(reason)") }
        }
    }

    private mutating func cannotRead(_ reason: String, _ step: inout Step) {
        step.log("client.malformed_frame", ["reason": .string(reason)])
    }

    private mutating func take(_ frame: ServerFrame, _ step: inout Step) {
        guard let stage = link?.stage else { return }
        switch (stage, frame) {
        case (.awaitingHello, .hello(_, let authVersion, let heartbeatInterval)):
            credentials.learn(serverVersion: authVersion, ours: rules.profile.connect.authVersion)
            heartbeat.serverInterval = heartbeatInterval.flatMap { $0 > .zero ? $0 : nil }
            sendConnect(&step)
        case (.authenticating, .connected(let connected)):
            if let time = connected.time { learn(serverTime: time, at: step.now) }
            becomeLive(connected, &step)
        case (_, .authError):
            keyRefused(.keyRefused, .withCloseFrame, &step)
        case (_, .pong(let id, let time)):
            heartbeat.pong(id, at: step.now)
            step.changes.insert(.connection)
            if let time {
                learn(serverTime: time, at: step.now)
                step.emit(.serverTime(time))
            }
            if let time = heartbeat.provenUntil { step.emit(.linkProven(until: time)) }
        case (_, .draining(_, let retryAfter)):
            drain(retryAfter, &step)
        case (.live, .ping(let id)):
            heartbeat.serverPinged(at: step.now)
            if rules.wire.frames?.has(.pong, by: .client) == true { say(.pong(id: id), &step) }
            step.emit(.received(frame))
        case (.live, .error(let error)):
            // The user may have retried the message since the first copy of this error arrived, so a second copy must
            // not mark the message as failed again.
            if link?.isCopy(error) == true, rules.policy.frames.copiedErrors == .areIgnored { return }
            step.emit(.received(frame))
        case (.live, _), (.authenticating, .presence), (.awaitingHello, .error), (.authenticating, .error):
            // A presence update that arrives before `connected` must be used, because the server does not send it
            // again.
            step.emit(.received(frame))
        default:
            // Any other frame before `connected` is ignored.
            break
        }
    }

    /// Sends `connect` with the key: after the server's `hello`, or as the first frame if the protocol has no `hello`.
    private mutating func sendConnect(_ step: inout Step) {
        link?.stage = .authenticating
        step.changes.insert(.connection)
        let connect = ClientFrame.Connect(
            key: credentials.keyToUse,
            session: sessionID,
            maxMessageSize: rules.policy.frames.limit == .isAnnounced ? messageLimit : nil,
            freshness: freshness(at: step.now)
        )
        say(.connect(connect), &step)
    }

    /// Whether the client sends the subscription of its wire profile on this connection.
    var sendsSubscription: Bool { !hasBeenConnected || rules.policy.session.subscription == .isRenewed }

    /// Returns the nonce and timestamp that prove this login is not a replay; nil if the profile does not use them.
    private mutating func freshness(at now: Instant) -> ClientFrame.Freshness? {
        guard rules.profile.connect.provesFresh else { return nil }
        // The server rejects a login whose time differs too much from its own clock. The phone's clock may be wrong.
        var timestamp = rules.deviceTime(at: now)
        if rules.policy.auth.dating == .byServerClock, let serverClock {
            timestamp = serverClock &+ now.nanoseconds / 1_000_000
        }
        return ClientFrame.Freshness(nonce: nonces.nextUUID(), timestamp: timestamp)
    }

    /// Updates the estimate of the server's clock. Announcements always arrive late, so the highest estimate is the
    /// most accurate.
    private mutating func learn(serverTime time: Int64, at now: Instant) {
        serverClock = max(serverClock ?? .min, time &- now.nanoseconds / 1_000_000)
    }

    /// Stops connecting until the user enters another key, because the server has rejected the current key.
    private mutating func keyRefused(_ failure: Failure, _ mode: CloseMode, _ step: inout Step) {
        guard rules.policy.auth.refusal == .stops else {
            loseOrFail(failure, mode, &step)
            return
        }
        if phase == .live {
            lose(failure, mode, &step)
        } else {
            leaveAttempt(failure, mode, &step)
            lastFailure = failure
        }
        credentials.requiresNew = true
        enter(.refused, &step)
    }

    /// Ends the connection or the polling after the server has rejected the key in an HTTP request.
    mutating func unauthorized(_ step: inout Step) {
        guard isPolling || phase == .live, rules.policy.auth.refusal == .stops else { return }
        abandon(.keyRefused, &step)
        lastFailure = .keyRefused
        credentials.requiresNew = true
        enter(.refused, &step)
    }

    /// Ends an attempt that the server has rejected or that `draining` has interrupted, without counting it as a failed
    /// attempt.
    private mutating func leaveAttempt(_ failure: Failure, _ mode: CloseMode, _ step: inout Step) {
        close(mode, &step)
        step.log("client.attempt.failed", ["failure": record(of: failure)])
    }

    /// Returns the value that represents `failure` in events; null if the policy does not record failures.
    func record(of failure: Failure) -> JSON {
        rules.policy.log.record(of: failure).map { .string($0.word) } ?? .null
    }

    /// Closes the connection before the server shuts down, and schedules a reconnect after the delay that the server
    /// has specified.
    private mutating func drain(_ retryAfter: TimeSpan?, _ step: inout Step) {
        guard rules.policy.drain.notice == .isObeyed else { return }
        if phase == .live {
            lose(.own(.draining), .withCloseFrame, &step)
        } else {
            leaveAttempt(.own(.draining), .withCloseFrame, &step)
        }
        if rules.policy.drain.counting == .asFailure { backoff.countFailure() }
        if rules.policy.drain.attempts == .areMore { backoff.restartAnnounced() }
        isReturning = true
        guard rules.policy.reconnect.loss == .isRepaired else { return enter(.stopped, &step) }
        let usual = rules.policy.drain.missingTime == .meansNow ? .zero : rules.profile.drain.defaultRetryAfter
        let asked = max(retryAfter ?? usual, .zero)
        let wait = asked + drainSpread(of: asked)
        enter(.draining(until: step.now + wait), delay: wait, &step)
    }
}
