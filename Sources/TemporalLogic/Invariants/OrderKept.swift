import SquallCore
import Trace

/// `order`: messages are stored in the order accepted, except failed messages and messages with files.
struct OrderKept: StandingInvariant {
    let interest = InvariantKinds(.accepted, .serverStored, .messageStatus)

    private struct Sent {
        let key: String
        let conversation: JSON?
        var storedAfter = false
        var hasFailed = false
        var isStored = false
    }

    private var record = Record(until: "fewer than two messages of a conversation were accepted and stored")
    private var sent: [Sent] = []

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        guard let key = event.key else { return }
        let place = sent.firstIndex { $0.key == key }
        switch (kind, place) {
        case (.accepted, nil): sent.append(Sent(key: key, conversation: event.fields?["conversation"]))
        case (.messageStatus, let place?):
            if case .set("failed") = event.observation.change { sent[place].hasFailed = true }
        case (.serverStored, let place?) where !sent[place].isStored:
            store(place, event)
        default: break
        }
    }

    private mutating func store(_ place: Int, _ event: TraceEvent) {
        sent[place].isStored = true
        if sent[place].storedAfter, sent[place].hasFailed {
            record.keep()
        } else if sent[place].storedAfter, event.fields?["media"] == nil {
            record.violate(
                "message \(sent[place].key) was stored at \(event.time), after a message that the user sent later",
                events: [event.index]
            )
        }
        for earlier in sent.indices.prefix(place) where sent[earlier].conversation == sent[place].conversation {
            if sent[earlier].isStored { record.keep() } else { sent[earlier].storedAfter = true }
        }
    }
}
