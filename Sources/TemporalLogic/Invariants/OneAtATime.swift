import SquallCore
import Trace

/// `one_at_a_time`: the server processes the messages of a conversation one at a time.
struct OneAtATime: StandingInvariant {
    let interest = InvariantKinds(.serverPrompt, .serverStopped)
    private var record = FindingRecorder(until: "the server worked on no message")
    /// For each conversation, the message that the server is processing.
    private var working: [String: (message: String, event: Int)] = [:]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        // When a server stops, it abandons the messages that it is processing.
        guard kind == .serverPrompt else { return working = [:] }
        guard let key = event.key, let conversation = event.fields?["conversation"]?.stringValue else { return }
        record.recordCheck()
        if event.name == "server.prompt.ended" {
            if working[conversation]?.message == key { working[conversation] = nil }
            return
        }
        if let other = working[conversation] {
            record.violate(
                "the server began to work on message \(key) at \(event.time), while message \(other.message) of "
                    + "\(conversation) was in progress",
                events: [other.event, event.index]
            )
        }
        working[conversation] = (key, event.index)
    }
}
