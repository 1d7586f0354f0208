import ChatWire
import SquallCore
import WebSocketWire

extension ChatRun {
    /// A description of what the run waits for, used in failure messages.
    var wanted: String {
        if handshakeParser != nil { return connections > 0 ? "the client's next connection" : "the client's handshake" }
        guard next < testCase.steps.count else { return "the end" }
        switch testCase.steps[next] {
        case .ask: return "the HTTP response"
        case _ where !isOpen: return "the opening of the connection"
        case .expect(let pattern): return pattern.role.rawValue
        case .expectAny(let patterns, _): return patterns.map(\.role.rawValue).joined(separator: " or ")
        case .expectReplay: return FrameRole.replay.rawValue
        case .expectClose(let code, _): return "a close with \(code)"
        case .silence, .noReplay, .expectNoReconnect, .say, .sayText, .close, .reconnect, .openAnother, .command:
            return "the next step"
        }
    }

    /// Performs steps until a step must wait for the peer.
    mutating func proceed() {
        while result == nil, handshakeParser == nil {
            guard next < testCase.steps.count else { return finish(.ok, "as expected") }
            guard isReady(for: testCase.steps[next]) else { return }
            guard perform(testCase.steps[next]) else { return }
            next += 1
        }
    }

    /// Returns whether the WebSocket that the step needs is open. Opens a connection to a server if necessary.
    private mutating func isReady(for step: ChatStep) -> Bool {
        switch step {
        case .ask, .reconnect, .openAnother, .expectNoReconnect, .command: return true
        case .say, .sayText, .expect, .expectAny, .silence, .expectReplay, .noReplay, .expectClose, .close:
            if !isOpen, socket == nil || exchange != nil, testCase.testedRole == .server { dial() }
            return isOpen
        }
    }

    /// Performs a step. Returns false if the step now waits for the peer.
    private mutating func perform(_ step: ChatStep) -> Bool {
        switch step {
        case .say(let role, let fields):
            if role == .connected { newest = fields[.lastSequence]?.resolved(saved).intValue ?? newest }
            say(frame(role, fields))
        case .sayText(let text): say(text)
        case .close(let code): close(code)
        case .command(let command):
            flush()
            log.note("the client receives the command \(command.word)", at: now - began)
            outputs.append(.command(command))
        case .reconnect(let user):
            if testCase.testedRole == .client {
                next += 1
                awaitReturn(within: Self.reconnectTimeout)
                return false
            }
            cut(user: user)
        case .openAnother(let user):
            leaveOpen(user: user)
        case .expectNoReconnect(let span):
            awaitReturn(within: span)
            return false
        case .ask(let ask, _):
            begin(ask)
            return false
        case .silence(let span, _), .noReplay(_, let span):
            limit = now + span
            return false
        case .expect(let pattern):
            limit = now + pattern.limit
            return false
        case .expectAny, .expectReplay, .expectClose:
            limit = now + Self.timeout
            return false
        }
        return true
    }

    private mutating func close(_ code: UInt16) {
        hasClosed = true
        socket?.sendClose(CloseCode(code))
        let payload = ClosePayload(CloseCode(code)).encode()
        log.frame(WebSocketFrame(.close, payload: payload), .sent, at: now - began)
    }

    mutating func say(_ text: String) {
        log.frame(WebSocketFrame(.text, payload: Array(text.utf8)), .sent, at: now - began)
        socket?.sendText(text)
    }

    func frame(_ role: FrameRole, _ fields: [WireField: ChatValue]) -> String {
        let wire = target.wire
        var fields = fields
        if role == .connect, target.checksFreshness, fields[.nonce] == nil {
            fields[.nonce] = .exactly(.string("squall-\(target.nonce)-\(testCase.summary.id)-\(next)"))
            fields[.timestamp] = .exactly(ChatCatalogue.timestamp(target))
        }
        let members = WireField.allCases.compactMap { field in
            fields[field].map { JSONMember(wire[field], $0.resolved(saved)) }
        }
        return JSON.object([JSONMember(wire[.type], .string(wire[type: role]))] + members).description
    }
}
