import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Applies the script's rules to each response, and sends the response immediately or after a delay.
extension ChatServer {
    /// Sends a frame, and returns the instant at which it is due.
    ///
    /// For a swallowed or held frame, returns the current instant, because such a frame does not delay later ones.
    @discardableResult
    mutating func send(_ frame: ServerFrame, to id: LinkID) -> Instant {
        let frame = identified(frame)
        return dispatch(outgoing(fitted(frame, to: id) ?? frame, answering: answering), to: id)
    }

    /// Returns the frame, with a new ID if it is an `error` frame.
    private mutating func identified(_ frame: ServerFrame) -> ServerFrame {
        guard case .error(var error) = frame else { return frame }
        errorsSent += 1
        error.id = "error-\(errorsSent)"
        return .error(error)
    }

    /// Returns the frame reduced to the client's maximum message size; nil if the client has set no maximum.
    private func fitted(_ frame: ServerFrame, to id: LinkID) -> ServerFrame? {
        links.read(id, \.messageLimit).flatMap(\.self).map { frame.fitting($0, wire) }
    }

    /// Sends a frame on every authenticated connection except those for which `isLeftOut` returns true.
    mutating func broadcast(_ frame: ServerFrame, except isLeftOut: (LinkID) -> Bool = { _ in false }) {
        let receivers = links.authenticated().filter { !isLeftOut($0) }
        guard !receivers.isEmpty else { return }
        let frame = identified(frame)
        // For most receivers the frame is not a response, so it is encoded without a reference to a request.
        let outgoing = outgoing(frame, answering: nil)
        for id in receivers {
            if let fitted = fitted(frame, to: id), fitted != frame {
                dispatch(self.outgoing(fitted, answering: nil), to: id)
            } else {
                dispatch(outgoing, to: id)
            }
        }
    }

    @discardableResult
    private mutating func dispatch(_ outgoing: Outgoing, to id: LinkID) -> Instant {
        let fate = outgoing.role.map { ruling(on: .frame($0), for: id.client) } ?? .untouched
        switch fate {
        case .swallowed:
            if let role = outgoing.role {
                note("server.swallowed.\(role.rawValue)", key: outgoing.note.key, outgoing.note.fields, of: id.client)
            }
            return now
        case .held(let label):
            held.append((label, HeldReply(link: id, content: .frame(outgoing))))
            return now
        case .written(let wait, let copies):
            let due = now + profile.reply.delay + wait
            for _ in 0..<copies {
                if due <= now { deliver(outgoing, to: id) } else { tasks.add(.deliver(outgoing, id), at: due) }
            }
            return due
        }
    }

    /// Returns the result of the script's rules for a response; records a hit for each rule that applied.
    private mutating func ruling(on target: ReplyRule.Target, for client: ClientID) -> ReplyRules.Fate {
        var hits: [ActionAim] = []
        let fate = replyRules.fate(of: target, for: client, hits: &hits)
        for aim in hits { noteHit(aim, of: client) }
        return fate
    }

    /// Sends a scripted message, bypassing the script's reply rules.
    mutating func say(_ outgoing: Outgoing, to id: LinkID, after wait: TimeSpan = .zero) {
        let due = now + profile.reply.delay + wait
        if due <= now { deliver(outgoing, to: id) } else { tasks.add(.deliver(outgoing, id), at: due) }
    }

    mutating func deliver(_ outgoing: Outgoing, to id: LinkID) {
        if case .frame(.message(let message), _) = outgoing.payload, !isOpen(id) {
            mqttSessions.enqueue(message.sequence, of: id.client)
        }
        var isUnencodable = false
        var number: Int64?
        let written = links.change(id) { [wire, policy] link -> [UInt8] in
            guard link.phase == .socket, !link.isClosing else { return [] }
            switch outgoing.payload {
            // A scripted text that does not encode a control packet is sent as a text message.
            case .text(let bytes):
                link.send(wire.message(ofServer: bytes, isScripted: true, in: &link.dialogue) ?? .text(bytes))
            case .binary(let bytes): link.socket?.sendRaw(WebSocketFrame(.binary, payload: bytes))
            case .frame(let frame, let answered):
                let left: [WireField] = policy.leavesOutIdentity(of: frame) ? [.messageID] : []
                guard
                    let bytes = frame.encode(wire, answering: answered, lacking: left, in: &link.dialogue),
                    let message = wire.message(ofServer: bytes, in: &link.dialogue)
                else {
                    isUnencodable = wire.has(frame.role, by: .server)
                    return []
                }
                link.send(message)
                number = link.dialogue.writtenNumber
                for next in link.dialogue.following {
                    if let message = wire.message(of: next, in: &link.dialogue) { link.send(message) }
                }
                if case .connected = frame {
                    for message in wire.repeatedMessages(in: &link.dialogue) { link.send(message) }
                }
                link.dialogue.following = []
            }
            return link.socket?.takeOutput() ?? link.polling?.packets.last ?? []
        }
        if isUnencodable, let role = outgoing.role {
            note("server.unsaid", ["frame": .string(role.rawValue)], of: id.client)
        }
        guard let written, !written.isEmpty else { return }
        if let number, case .frame(.message(let message), _) = outgoing.payload {
            sessions.note(number, of: message.sequence, sentTo: id.client)
        }
        if links.read(id, { $0.polling != nil }) == true {
            answerPoll(of: id)
        } else {
            outputs.append(.write(id, written))
        }
        note(outgoing.name, key: outgoing.note.key, outgoing.note.fields, of: id.client)
    }

    private func isOpen(_ id: LinkID) -> Bool {
        links.read(id) { $0.phase == .socket && !$0.isClosing } == true
    }

    mutating func close(_ id: LinkID, _ reason: CloseReason, at due: Instant) {
        if due <= now { close(id, reason) } else { tasks.add(.close(id, reason), at: due) }
    }

    /// Sends an HTTP response, after which the connection ends.
    mutating func respond(_ response: OutgoingResponse, on id: LinkID) {
        links.change(id) { $0.phase = .answering }
        send(HeldReply(link: id, content: .response(response)), for: response.route)
    }

    /// Sends a response, after applying the script's rules for responses on this route.
    mutating func send(_ reply: HeldReply, for route: ServerRoute?) {
        switch route.map({ ruling(on: .route($0), for: reply.link.client) }) ?? .untouched {
        case .swallowed: break
        case .held(let label): held.append((label, reply))
        case .written(let wait, _):
            // The `hello` that follows the 101 response is already delayed; delaying both would double the wait.
            let due = now + (reply.content == .upgrade ? .zero : profile.reply.delay) + wait
            guard due > now else { return put(reply) }
            switch reply.content {
            case .frame(let outgoing): tasks.add(.deliver(outgoing, reply.link), at: due)
            case .response(let response): tasks.add(.respond(response, reply.link), at: due)
            case .upgrade: tasks.add(.upgrade(reply.link), at: due)
            }
        }
    }

    private mutating func put(_ reply: HeldReply) {
        switch reply.content {
        case .frame(let outgoing): deliver(outgoing, to: reply.link)
        case .response(let response): write(response, on: reply.link)
        case .upgrade: completeUpgrade(reply.link)
        }
    }

    mutating func write(_ response: OutgoingResponse, on id: LinkID) {
        guard links.read(id, \.phase) == .answering else { return }
        // The response to HEAD has the header fields of the response to GET, but no body (RFC 9110, section 9.3.2).
        let isHead = links.read(id) { $0.request.head?.method == "HEAD" } == true
        outputs.append(.write(id, isHead ? response.head : response.head + response.body))
        if let route = response.route {
            note("server.answered.\(route.word)", ["status": .integer(Int64(response.status))], of: id.client)
        }
        if response.isByRule {
            let fields: JSON = ["status": .integer(Int64(response.status))]
            note("server.sent.response", key: response.rule, fields, of: id.client)
        }
        end(id, .fin)
    }

    mutating func release(_ label: String, _ order: ReleaseOrder) {
        replyRules.stopHolding(label)
        let replies = held.filter { $0.label == label }.map(\.reply)
        held.removeAll { $0.label == label }
        if let first = replies.first, order.fits(replies.count) { noteHit(.release(label), of: first.link.client) }
        for reply in order.arrange(replies) { put(reply) }
    }
}

// MARK: - Encoding messages

extension ChatServer {
    private func outgoing(_ frame: ServerFrame, answering: WireDialogue.Reference?) -> Outgoing {
        let payload: Outgoing.Payload =
            wire.frames == nil ? .text(encode(frame)) : .frame(frame, answering: answering)
        return Outgoing(frame.role, payload, store.note(of: frame))
    }

    /// Creates a scripted text message, which is sent unchanged. If it is a protocol frame, the trace names the frame.
    func outgoing(text: [UInt8]) -> Outgoing {
        var unknown = WireDialogue()
        if case .frame(let frame) = ServerFrame.decode(String(decoding: text, as: UTF8.self), wire, in: &unknown) {
            return Outgoing(frame.role, .text(text), store.note(of: frame))
        }
        return Outgoing(nil, .text(text), FrameNote(["kind": "text", "bytes": .integer(Int64(text.count))]))
    }

    func outgoing(binary: [UInt8]) -> Outgoing {
        Outgoing(nil, .binary(binary), FrameNote(["kind": "binary", "bytes": .integer(Int64(binary.count))]))
    }

    private func encode(_ frame: ServerFrame) -> [UInt8] {
        let bytes = frame.encode(wire)
        guard policy.leavesOutIdentity(of: frame), let json = try? JSON.decode(bytes) else { return bytes }
        return json.without(wire[.messageID]).encode()
    }
}

extension ServerPolicy {
    /// Returns whether the frame's messages are encoded without their ids.
    fileprivate func leavesOutIdentity(of frame: ServerFrame) -> Bool {
        switch (message.identity, frame) {
        case (.omitted, .message), (.omitted, .replay): true
        case (.given, _), (.omitted, _): false
        }
    }
}

extension JSON {
    /// Returns the value without the members called `name`, at any depth.
    fileprivate func without(_ name: String) -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.without(name) })
        case .object(let members):
            .object(members.filter { $0.name != name }.map { JSONMember($0.name, $0.value.without(name)) })
        case .null, .bool, .integer, .number, .string: self
        }
    }
}
