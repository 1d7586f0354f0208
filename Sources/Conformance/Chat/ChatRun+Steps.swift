import ChatWire
import Foundations
import WebSocketWire

extension ChatRun {
    /// Frames that a peer may send at any time, and that no case waits for unless it says so.
    private var passing: Set<FrameRole> {
        subject.judged == .server
            ? [.message, .presence, .typing, .token, .readReceipt, .ping, .draining, .commandStarted, .stopped]
            : [.ping, .sync, .messageAck, .readReceipt, .typing, .send]
    }

    /// What is waited for, in words.
    var wanted: String {
        guard isOpen else { return "the opening of the connection" }
        guard next < subject.steps.count else { return "the end" }
        switch subject.steps[next] {
        case .expect(let pattern): return pattern.role.rawValue
        case .expectAny(let patterns, _): return patterns.map(\.role.rawValue).joined(separator: " or ")
        case .expectReplay: return FrameRole.replay.rawValue
        case .expectClose(let code): return "a close with \(code)"
        case .silence, .say, .sayText, .close, .reconnect: return "the next step"
        }
    }

    /// Does what can be done without hearing from the peer.
    mutating func proceed() {
        while isOpen, result == nil {
            guard next < subject.steps.count else { return finish(.ok, "as it should be") }
            switch subject.steps[next] {
            case .say(let role, let fields): say(frame(role, fields))
            case .sayText(let text): say(text)
            case .close(let code):
                hasClosed = true
                socket.sendClose(CloseCode(code))
                log.frame(
                    WebSocketFrame(.close, payload: ClosePayload(CloseCode(code)).encode()),
                    .sent,
                    at: now - began
                )
            case .reconnect: redial()
            case .silence(let span, _):
                limit = now + span
                return
            case .expect, .expectAny, .expectReplay, .expectClose:
                limit = now + Self.patience
                return
            }
            next += 1
        }
        limit = now + Self.patience
    }

    private mutating func say(_ text: String) {
        log.frame(WebSocketFrame(.text, payload: Array(text.utf8)), .sent, at: now - began)
        socket.sendText(text)
    }

    private func frame(_ role: FrameRole, _ fields: [WireField: ChatValue]) -> String {
        let wire = target.wire
        var members = [JSONMember(wire[.type], .string(wire[type: role]))]
        for field in WireField.allCases {
            switch fields[field] {
            case .exactly(let json)?: members.append(JSONMember(wire[field], json))
            case .kept(let name)?: members.append(JSONMember(wire[field], kept[name] ?? .null))
            case .above?, .other?, nil: break
            }
        }
        return JSON.object(members).description
    }

    mutating func take(_ event: WebSocketConnection.Event) {
        switch event {
        case .opened:
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
        switch subject.steps[next] {
        case .expect(let pattern):
            if pattern.role == role { match(json, pattern) } else { pass(role) }
        case .expectAny(let patterns, _):
            if let pattern = patterns.first(where: { $0.role == role }) { match(json, pattern) } else { pass(role) }
        case .expectReplay(let holding, let without):
            if role == .replay { judgeReplay(json, holding, without) } else { pass(role) }
        case .silence(_, let allowed):
            if !allowed.contains(role) { fail("\(role.rawValue) came where nothing should") }
        case .expectClose: pass(role)
        case .say, .sayText, .close, .reconnect: break
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
            let isRight =
                switch value {
                case .exactly(let wanted): seen == wanted
                case .kept(let key): seen == kept[key]
                case .other(let key): seen != kept[key]
                case .above(let key): (seen.intValue ?? .min) > (kept[key]?.intValue ?? .max)
                }
            guard isRight else {
                // Acknowledgements of other messages are the peer's affair.
                if passing.contains(pattern.role) { return }
                return fail("\(pattern.role.rawValue) came with \(name) \(seen)")
            }
        }
        for (field, name) in pattern.keeps { kept[name] = json[target.wire[field]] ?? .null }
        next += 1
        proceed()
    }

    private mutating func judgeReplay(_ json: JSON, _ holding: String?, _ without: String?) {
        let wire = target.wire
        let messages = json[wire[.messages]]?.arrayValue ?? []
        let places = messages.compactMap { $0[wire[.sequence]]?.intValue }
        let ids = messages.compactMap { $0[wire[.messageID]] }
        if zip(places, places.dropFirst()).contains(where: { $0 >= $1 }) { return fail("the replay does not ascend") }
        let isComplete = json[wire[.complete]]?.boolValue ?? false
        if isComplete, let holding, let id = kept[holding], !ids.contains(id) {
            return fail("the replay is complete and without the message")
        }
        if let without, let id = kept[without], ids.contains(id) { return fail("the replay holds what was seen") }
        next += 1
        proceed()
    }
}
