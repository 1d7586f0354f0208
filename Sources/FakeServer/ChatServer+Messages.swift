import ChatWire
import Faults
import SquallCore
import WebSocketWire

// Answers messages according to a script's rules for their content, whether or not they are protocol frames.

extension ChatServer {
    /// Answers a message according to the script's rules. If the protocol is unknown, only these rules answer messages.
    ///
    /// - Returns: Whether the message needs no further handling.
    mutating func answerByRule(_ text: String, on id: LinkID) -> Bool {
        guard links.read(id, \.acceptsFrames) == true else { return false }
        let answer = requestRules.answer(to: text, of: id.client)
        guard answer != nil || wire.isUnknown else { return false }
        let fields: JSON = ["kind": "text", "bytes": .integer(Int64(text.utf8.count))]
        note("server.received.text", key: answer?.rule.label, fields, of: id.client)
        if let (rule, values) = answer { give(rule, filledFrom: values, on: id) }
        return true
    }

    /// Answers an HTTP request according to the script's rules; returns whether a rule matches.
    mutating func answerByRule(_ head: HTTPRequestHead, _ body: [UInt8], on id: LinkID) -> Bool {
        guard let (rule, values) = requestRules.answer(to: head, body, of: id.client),
            case .response(let response) = rule.answer
        else { return false }
        // The query may contain an API key, so only the path is recorded.
        let path = String(head.path.prefix { $0 != "?" })
        let fields: JSON = ["method": .string(head.method), "target": .string(path)]
        note("server.received.request", key: rule.label, fields, of: id.client)
        noteHit(rule.aim, of: id.client)
        links.change(id) { $0.phase = .answering }
        var outgoing = response.outgoing(filledFrom: values)
        (outgoing.isByRule, outgoing.rule) = (true, rule.label)
        let due = now + profile.reply.delay + response.after
        if due <= now { write(outgoing, on: id) } else { tasks.add(.respond(outgoing, id), at: due) }
        return true
    }

    /// Sends the script's response to a WebSocket's opening handshake.
    mutating func answerOpening(on id: LinkID) {
        if let rule = requestRules.answerToOpening(of: id.client) { give(rule, filledFrom: [], on: id) }
    }

    private mutating func give(_ rule: RequestRule, filledFrom values: [JSONMember], on id: LinkID) {
        noteHit(rule.aim, of: id.client)
        if case .replies(let replies) = rule.answer { send(replies, filledFrom: values, on: id) }
    }

    mutating func send(_ replies: [RequestRule.Reply], filledFrom values: [JSONMember], on id: LinkID) {
        for reply in replies {
            let content = reply.content.filled(values)
            let bytes = content.stringValue.map { Array($0.utf8) } ?? content.encode()
            say(outgoing(text: bytes), to: id, after: reply.after)
        }
    }
}
