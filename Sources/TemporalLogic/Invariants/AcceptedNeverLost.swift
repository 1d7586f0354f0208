import SquallCore
import Trace

/// `accepted_never_lost`: at the end of the run, every accepted message is stored by the server, or shown by the client
/// as queued, sending or failed.
struct AcceptedNeverLost: StandingInvariant {
    let interest = InvariantKinds(.accepted, .messageStatus, .started, .killed)
    private let settings: InvariantSettings
    private var record = FindingRecorder(until: "the client accepted no message")
    private var accepted: [Accepted] = []
    /// The message statuses that the client has reported since its process was started, by message key.
    private var statuses: [String: (value: JSON, event: Int)] = [:]
    private var saysStatus = false
    /// Messages that the client might not have written to its store when its process was killed.
    private var unwritten: Set<String> = []
    private struct Accepted {
        let key: String
        /// The user who sent the message, or the client's name if no user has been reported.
        let user: JSON?
        let time: Instant
        let event: Int
    }

    private static let visible: [JSON] = ["queued", "sending", "failed"]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        self.settings = settings
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .accepted:
            guard let key = event.key else { return }
            let user = circumstances.user ?? event.client.map { .string($0.description) }
            accepted.append(Accepted(key: key, user: user, time: event.time, event: event.index))
        case .messageStatus:
            guard let key = event.key, case .set(let status) = event.observation.change else { return }
            saysStatus = true
            statuses[key] = (status, event.index)
        case .killed:
            for message in accepted.reversed() {
                guard circumstances.maybeUnwritten(message.time, at: event.time) else { break }
                unwritten.insert(message.key)
            }
        default: statuses = [:]
        }
    }

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        guard !accepted.isEmpty else { return }
        guard circumstances.seesServer, saysStatus else {
            record = FindingRecorder(until: "neither the server nor the client reports the fate of messages")
            return
        }
        // A client that was killed or has just started needs time to show its stored messages. Once it has reconnected,
        // it has had enough time.
        guard let since = circumstances.runningSince,
            circumstances.liveSince != nil || end - since >= settings.liveness ?? .zero
        else {
            record = FindingRecorder(until: "the client was not running long enough at the end")
            return
        }
        record.recordCheck()
        for message in accepted where messages.fate(of: message.key)?.isStored != true {
            let last = statuses[message.key]
            let status = last?.value ?? .null
            guard !Self.visible.contains(status), !unwritten.contains(message.key) else { continue }
            // The client keeps the messages of a user who has signed out, but does not show them to other users.
            if let user = circumstances.user, user != message.user { continue }
            record.violate(
                """
                message \(message.key), accepted at \(message.time), was not stored by the server, and its status \
                at the end was \(status.readable); expected queued, sending or failed
                """,
                // The client may have abandoned the message long after accepting it, so the event that reported its
                // last status is also cited.
                events: [message.event] + (last.map { [$0.event] } ?? [])
            )
        }
    }
}
