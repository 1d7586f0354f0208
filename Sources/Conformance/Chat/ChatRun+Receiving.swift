import ChatWire
import SquallCore
import WebSocketWire

/// Handles the frames that the peer sends on the WebSocket.
extension ChatRun {
    /// The roles of frames that a peer may send at any time; they are skipped unless a case expects them.
    private var passing: Set<FrameRole> {
        testCase.testedRole == .server
            ? [.message, .presence, .typing, .token, .readReceipt, .ping, .draining, .commandStarted, .stopped]
            : [.ping, .pong, .sync, .messageAck, .readReceipt, .typing, .send]
    }

    mutating func take(_ event: WebSocketConnection.Event) {
        switch event {
        case .opened(let head):
            log.bytes(head.encode(), .received, at: now - began, "HTTP")
            isOpen = true
            proceed()
        case .received(.text(let text)): received(text)
        case .received(.close(let close)): closed(close)
        case .received(.binary): fail("received a binary message, which the protocol does not have")
        case .received(.ping), .received(.pong): break
        case .failed(let failure): fail("the connection failed: \(failure)")
        }
    }

    private mutating func closed(_ close: ClosePayload) {
        log.frame(WebSocketFrame(.close, payload: close.encode()), .received, at: now - began)
        closeCode = close.code?.rawValue
        guard next < testCase.steps.count else { return finish(.ok, "as expected") }
        switch testCase.steps[next] {
        // The peer may omit the code when it answers Squall's close frame.
        case .expectClose(let code, let name) where closeCode == code || hasClosed && closeCode == nil:
            let reason = JSON.string(close.reason)
            if let name, let first = firstSaved(as: name, reason), first != reason {
                return fail("the peer closed with the reason \(reason), but with \(first) before")
            }
            next += 1
            proceed()
        case .expectAny(_, let code) where closeCode == code:
            next += 1
            proceed()
        default: fail("the peer closed with \(closeCode.map(String.init) ?? "no code") instead of \(wanted)")
        }
    }

    private mutating func received(_ text: String) {
        log.frame(WebSocketFrame(.text, payload: Array(text.utf8)), .received, at: now - began)
        let (role, problem) = read(text)
        if let problem { return fail("the peer sent an invalid frame: \(problem)") }
        // Rule 4 of the protocol requires that frames of unknown types be ignored.
        guard let role, let json = try? JSON.decode(text), next < testCase.steps.count else { return }
        let step = testCase.steps[next]
        if case .expect(let pattern) = step, pattern.role == role { return match(json, pattern) }
        if testCase.testedRole == .client { answerAsServer(role, json) }
        switch step {
        case .expect: pass(role)
        case .expectAny(let patterns, _):
            if let pattern = patterns.first(where: { $0.role == role }) { match(json, pattern) } else { pass(role) }
        case .expectReplay(let including, let excluding, let fromStart):
            if role == .replay { judgeReplay(json, including, excluding, fromStart) } else { pass(role) }
        case .noReplay(let name, _):
            if role == .replay, ids(in: json).contains(saved[name] ?? .null) {
                fail("a replay contains the message that was acknowledged")
            }
        case .silence(_, let allowed):
            if !allowed.contains(role) { fail("received \(role.rawValue), but expected silence") }
        case .expectClose: pass(role)
        case .say, .sayText, .close, .reconnect, .openAnother, .expectNoReconnect, .ask, .command: break
        }
    }

    /// Answers the frame if it is a `ping` or `sync`, as every server does, so that the client can continue.
    private mutating func answerAsServer(_ role: FrameRole, _ json: JSON) {
        let wire = target.wire
        switch role {
        case .ping:
            let id = json[wire[.id]] ?? .null
            say(frame(.pong, id.isNull ? [:] : [.id: .exactly(id)]))
        case .sync:
            let last = max(json[wire[.lastSequenceSeen]]?.intValue ?? 0, newest)
            say(
                frame(
                    .replay,
                    [.messages: .exactly([]), .complete: .exactly(true), .lastSequence: .exactly(.integer(last))]
                )
            )
        default: break
        }
    }

    /// Decodes a frame. Returns its role (nil for an unknown type), or the reason why the frame is invalid (`problem`).
    private func read(_ text: String) -> (role: FrameRole?, problem: String?) {
        switch testCase.testedRole {
        case .server:
            switch ServerFrame.decode(text, target.wire) {
            case .frame(let frame): (frame.role, nil)
            case .unknownType: (nil, nil)
            case .untyped(let reason), .malformed(let reason): (nil, reason)
            }
        case .client:
            switch ClientFrame.decode(text, target.wire) {
            case .frame(let frame): (frame.role, nil)
            case .unknownType(let type): (nil, "unknown type \(type)")
            case .untyped(let reason), .malformed(let reason): (nil, reason)
            }
        }
    }

    private mutating func pass(_ role: FrameRole) {
        if !passing.contains(role) { fail("received \(role.rawValue) instead of \(wanted)") }
    }

    private mutating func match(_ json: JSON, _ pattern: ChatPattern) {
        for field in WireField.allCases {
            let name = target.wire[field]
            guard let value = pattern.fields[field] else { continue }
            let seen = json[name] ?? .null
            guard value.matches(seen, saved) else {
                // A mismatch is not a failure for frames that a peer may send at any time, such as an acknowledgement
                // of another message.
                if passing.contains(pattern.role) { return }
                return fail("received \(pattern.role.rawValue) with \(name) \(seen)")
            }
        }
        if let name = pattern.sameAs {
            var content = json
            _ = content.remove(target.wire[.timestamp])
            if let first = firstSaved(as: name, content), first != content {
                return fail("received \(content), but \(first) before")
            }
        }
        for (field, name) in pattern.saves { saved[name] = json[target.wire[field]] ?? .null }
        next += 1
        proceed()
    }

    /// Returns the value that was saved under `name` before; if there is none, saves `value` and returns nil.
    private mutating func firstSaved(as name: String, _ value: JSON) -> JSON? {
        if let first = saved[name] { return first }
        saved[name] = value
        return nil
    }

    private func ids(in replay: JSON) -> [JSON] {
        (replay[target.wire[.messages]]?.arrayValue ?? []).compactMap { $0[target.wire[.messageID]] }
    }

    private mutating func judgeReplay(_ json: JSON, _ including: [String], _ excluding: [String], _ fromStart: Bool) {
        let wire = target.wire
        let places = (json[wire[.messages]]?.arrayValue ?? []).compactMap { $0[wire[.sequence]]?.intValue }
        let (ids, isComplete) = (ids(in: json), json[wire[.complete]]?.boolValue ?? false)
        if zip(places, places.dropFirst()).contains(where: { $0 >= $1 }) {
            return fail("the replay is not in ascending order")
        }
        if let last = places.last, let stated = json[wire[.lastSequence]]?.intValue, stated < last {
            return fail(
                "the replay's \(wire[.lastSequence]) is \(stated), less than the \(wire[.sequence]) of its messages"
            )
        }
        if let missing = including.first(where: { !ids.contains(saved[$0] ?? .null) }) {
            let why = "the replay is \(isComplete ? "complete" : "incomplete") and lacks the message '\(missing)'"
            guard fromStart, !isComplete else { return fail(why) }
            tolerated.append(why)
        }
        if let present = excluding.first(where: { ids.contains(saved[$0] ?? .null) }) {
            return fail("the replay contains '\(present)', which was already received")
        }
        next += 1
        proceed()
    }
}
