import ChatWire
import SquallCore
import WebSocketWire

/// What the peer says on the WebSocket.
extension ChatRun {
    /// Frames that a peer may send at any time, and that no case waits for unless it says so.
    private var passing: Set<FrameRole> {
        subject.judged == .server
            ? [.message, .presence, .typing, .token, .readReceipt, .ping, .draining, .commandStarted, .stopped]
            : [.ping, .pong, .sync, .messageAck, .readReceipt, .typing, .send]
    }

    mutating func take(_ event: WebSocketConnection.Event) {
        switch event {
        case .opened(let head):
            log.bytes(head.encode(), .received, at: now - began, "HTTP")
            isOpen = true
            proceed()
        case .received(.text(let text)): heard(text)
        case .received(.close(let close)): closed(close)
        case .received(.binary): fail("a binary message came, and the protocol has none")
        case .received(.ping), .received(.pong): break
        case .failed(let failure): fail("the connection failed: \(failure)")
        }
    }

    private mutating func closed(_ close: ClosePayload) {
        log.frame(WebSocketFrame(.close, payload: close.encode()), .received, at: now - began)
        closeCode = close.code?.rawValue
        guard next < subject.steps.count else { return finish(.ok, "as it should be") }
        switch subject.steps[next] {
        // Who answers our close may leave the code out.
        case .expectClose(let code) where closeCode == code || hasClosed && closeCode == nil,
            .expectAny(_, let code) where closeCode == code:
            next += 1
            proceed()
        default: fail("the peer closed with \(closeCode.map(String.init) ?? "no code") instead of \(wanted)")
        }
    }

    private mutating func heard(_ text: String) {
        log.frame(WebSocketFrame(.text, payload: Array(text.utf8)), .received, at: now - began)
        let (role, problem) = read(text)
        if let problem { return fail("the peer said what is no frame: \(problem)") }
        // An unknown type is ignored, as the protocol has it.
        guard let role, let json = try? JSON.decode(text), next < subject.steps.count else { return }
        let step = subject.steps[next]
        if case .expect(let pattern) = step, pattern.role == role { return match(json, pattern) }
        if subject.judged == .client { oblige(role, json) }
        switch step {
        case .expect: pass(role)
        case .expectAny(let patterns, _):
            if let pattern = patterns.first(where: { $0.role == role }) { match(json, pattern) } else { pass(role) }
        case .expectReplay(let holding, let lacking, let fromStart):
            if role == .replay { judgeReplay(json, holding, lacking, fromStart) } else { pass(role) }
        case .noReplay(let name, _):
            if role == .replay, ids(in: json).contains(kept[name] ?? .null) {
                fail("a replay holds the message that was acknowledged")
            }
        case .silence(_, let allowed):
            if !allowed.contains(role) { fail("\(role.rawValue) came where nothing should") }
        case .expectClose: pass(role)
        case .say, .sayText, .close, .reconnect, .staysAway, .ask, .command: break
        }
    }

    /// What every server answers, so that a client has what it needs to go on.
    private mutating func oblige(_ role: FrameRole, _ json: JSON) {
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

    /// The frame's role, nil for a type that the profile does not know; or what is wrong with it.
    private func read(_ text: String) -> (role: FrameRole?, problem: String?) {
        switch subject.judged {
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
        if !passing.contains(role) { fail("\(role.rawValue) came instead of \(wanted)") }
    }

    private mutating func match(_ json: JSON, _ pattern: ChatPattern) {
        for field in WireField.allCases {
            let name = target.wire[field]
            guard let value = pattern.fields[field] else { continue }
            let seen = json[name] ?? .null
            guard value.matches(seen, kept) else {
                // Acknowledgements of other messages are the peer's affair.
                if passing.contains(pattern.role) { return }
                return fail("\(pattern.role.rawValue) came with \(name) \(seen)")
            }
        }
        for (field, name) in pattern.keeps { kept[name] = json[target.wire[field]] ?? .null }
        next += 1
        proceed()
    }

    private func ids(in replay: JSON) -> [JSON] {
        (replay[target.wire[.messages]]?.arrayValue ?? []).compactMap { $0[target.wire[.messageID]] }
    }

    private mutating func judgeReplay(_ json: JSON, _ holding: [String], _ lacking: [String], _ fromStart: Bool) {
        let wire = target.wire
        let places = (json[wire[.messages]]?.arrayValue ?? []).compactMap { $0[wire[.sequence]]?.intValue }
        let (ids, isComplete) = (ids(in: json), json[wire[.complete]]?.boolValue ?? false)
        if zip(places, places.dropFirst()).contains(where: { $0 >= $1 }) { return fail("the replay does not ascend") }
        if let last = places.last, let told = json[wire[.lastSequence]]?.intValue, told < last {
            return fail("the replay's \(wire[.lastSequence]) is \(told), below that of its own messages")
        }
        if let missing = holding.first(where: { !ids.contains(kept[$0] ?? .null) }) {
            let why = "the replay is \(isComplete ? "complete" : "not complete") and lacks the message '\(missing)'"
            guard fromStart, !isComplete else { return fail(why) }
            tolerated.append(why)
        }
        if let present = lacking.first(where: { ids.contains(kept[$0] ?? .null) }) {
            return fail("the replay holds '\(present)', which was seen")
        }
        next += 1
        proceed()
    }
}
