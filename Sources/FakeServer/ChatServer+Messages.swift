import ChatWire
import Faults
import SquallCore

// Answers messages according to a script's rules for their content, whether or not they are frames of the protocol.

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

    /// Sends the script's response to the opening of a WebSocket.
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
