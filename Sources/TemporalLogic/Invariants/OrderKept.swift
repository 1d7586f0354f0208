import SquallCore
import Trace

/// `order`: messages are stored in the order in which they were accepted.
///
/// Three kinds of messages are excluded: failed messages, messages with files, and messages that the server rejected
/// after the client had already sent later ones.
struct OrderKept: StandingInvariant {
    let interest = InvariantKinds(
        .accepted,
        .sentOther,
        .receivedError,
        .serverDisturbed,
        .serverStored,
        .messageStatus,
        .networkFrames,
        .attemptBegan
    )

    private struct Sent {
        let key: String
        let conversation: JSON?
        /// The index of the event with which the message was last sent; -1 if the client does not report it.
        var lastSent = -1
        /// The largest `lastSent` of the later messages that were stored before this one; nil if there are none.
        var overtakenBy: Int?
        /// The index of the last event with which the server rejected the message; nil if it never did.
        var refused: Int?
        /// The number of the connection on which the client last sent the message.
        var connection: Int?
        /// Whether the network held, dropped or altered a message on that connection before this message arrived.
        var isDisturbed = false
        var hasFailed = false
        var isStored = false
    }

    private var record = Record(until: "fewer than two messages of a conversation were accepted and stored")
    private var sent: [Sent] = []
    private var connections = 0

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        if kind == .attemptBegan { connections += 1 }
        if kind == .networkFrames, event.fields?["direction"] == "upstream" {
            for place in sent.indices where sent[place].connection == connections { sent[place].isDisturbed = true }
        }
        guard let key = event.key else { return }
        let place = sent.firstIndex { $0.key == key }
        switch (kind, place) {
        case (.accepted, nil): sent.append(Sent(key: key, conversation: event.fields?["conversation"]))
        case (.sentOther, let place?):
            sent[place].connection = connections
            sent[place].isDisturbed = false
            sent[place].lastSent = event.index
        case (.messageStatus, let place?):
            if case .set("failed") = event.observation.change { sent[place].hasFailed = true }
        case (.receivedError, let place?): sent[place].refused = event.index
        // A client that is killed before it receives the rejection sends the message again after its restart.
        case (.serverDisturbed, let place?) where event.name == "server.rejected.send":
            sent[place].refused = event.index
        case (.serverStored, let place?) where !sent[place].isStored:
            store(place, event)
        default: break
        }
    }

    private mutating func store(_ place: Int, _ event: TraceEvent) {
        sent[place].isStored = true
        let overtakenBy = sent[place].overtakenBy
        // The client can hold back messages that the user sends after a rejection, but not messages that it had already
        // sent before the rejection.
        let wasTooLate = overtakenBy.map { overtaken in sent[place].refused.map { $0 > overtaken } ?? false } ?? false
        if overtakenBy != nil, sent[place].hasFailed || wasTooLate {
            record.keep()
        } else if overtakenBy != nil, event.fields?["media"] == nil {
            record.violate(
                "message \(sent[place].key) was stored at \(event.time), after a message that the user sent later",
                events: [event.index]
            )
        }
        for earlier in sent.indices.prefix(place) where sent[earlier].conversation == sent[place].conversation {
            if sent[earlier].isStored {
                record.keep()
            } else if !sent[earlier].isDisturbed || sent[earlier].connection != sent[place].connection {
                sent[earlier].overtakenBy = max(sent[earlier].overtakenBy ?? -1, sent[place].lastSent)
            }
        }
    }
}
