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
        .imageState,
        .networkFrames,
        .attemptBegan
    )

    private struct Sent {
        let key: String
        let conversation: JSON?
        /// The index of the event that last sent the message; -1 if the client does not report it.
        var lastSent = -1
        /// The largest `lastSent` of the messages accepted after this one but stored before it; nil if there are none.
        var overtakenBy: Int?
        /// The index of the event that last reported the message's rejection; nil if the server has never rejected it.
        var refused: Int?
        /// The number of the connection on which the client last sent the message.
        var connection: Int?
        /// Whether the network held, dropped or altered a message on the connection on which this message was last
        /// sent, before this message arrived.
        var isDisturbed = false
        var hasFailed = false
        /// Whether the client shows a file in the message. In protocols whose frames carry no files, `server.stored`
        /// does not mention the file.
        var hasFile = false
        var isStored = false
    }

    private var record = FindingRecorder(until: "fewer than two messages of a conversation were accepted and stored")
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
            for index in sent.indices where sent[index].connection == connections { sent[index].isDisturbed = true }
        }
        guard let key = event.key else { return }
        let index = sent.firstIndex { $0.key == key }
        switch (kind, index) {
        case (.accepted, nil): sent.append(Sent(key: key, conversation: event.fields?["conversation"]))
        case (.sentOther, let index?):
            sent[index].connection = connections
            sent[index].isDisturbed = false
            sent[index].lastSent = event.index
        case (.messageStatus, let index?):
            if case .set("failed") = event.observation.change { sent[index].hasFailed = true }
        case (.imageState, let index?): sent[index].hasFile = true
        case (.receivedError, let index?): sent[index].refused = event.index
        // The rejection counts even if the client was killed before receiving it: the client then sends the message
        // again after its restart.
        case (.serverDisturbed, let index?) where event.name == "server.rejected.send":
            sent[index].refused = event.index
        case (.serverStored, let index?) where !sent[index].isStored:
            store(index, event)
        default: break
        }
    }

    private mutating func store(_ index: Int, _ event: TraceEvent) {
        sent[index].isStored = true
        let overtakenBy = sent[index].overtakenBy
        // The client can hold back messages that the user sends after a rejection, but not messages that it had already
        // sent before the rejection.
        let wasTooLate = overtakenBy.map { overtaken in sent[index].refused.map { $0 > overtaken } ?? false } ?? false
        if overtakenBy != nil, sent[index].hasFailed || wasTooLate {
            record.recordCheck()
        } else if overtakenBy != nil, event.fields?["media"] == nil, !sent[index].hasFile {
            record.violate(
                "message \(sent[index].key) was stored at \(event.time), after a message that the user sent later",
                events: [event.index]
            )
        }
        for earlier in sent.indices.prefix(index) where sent[earlier].conversation == sent[index].conversation {
            if sent[earlier].isStored {
                record.recordCheck()
            } else if !sent[earlier].isDisturbed || sent[earlier].connection != sent[index].connection {
                sent[earlier].overtakenBy = max(sent[earlier].overtakenBy ?? -1, sent[index].lastSent)
            }
        }
    }
}
