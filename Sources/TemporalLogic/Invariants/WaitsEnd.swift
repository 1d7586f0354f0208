import SquallCore
import Trace

/// `waits_end`: what the client shows as under way ends within its limit.
struct WaitsEnd: StandingInvariant {
    let interest = Circumstances.kinds.union(
        InvariantKinds(
            .messageStatus,
            .sentOther,
            .receivedOther,
            .requested,
            .viewPhase,
            .signingOut,
            .streamText,
            .messageText,
            .imageState
        )
    )
    private let sending: TimeSpan?
    private let settling: TimeSpan?
    private var record = Record(until: "the client showed nothing as under way")
    /// What is shown as under way, by name and key.
    private var waits: [String: Wait] = [:]
    /// The images, which are sent once their files have been stored, however long that takes.
    private var images: Set<String> = []
    private var settledSince: Instant?

    private struct Wait {
        let since: Instant
        let limit: TimeSpan
        let event: Int
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        sending = settings.sending.map { $0 + tolerance.of($0) }
        settling = settings.liveness.map { $0 + tolerance.of($0) }
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { first?.due }

    /// The wait that has to end first; nil while something keeps the client from ending any.
    private var first: (name: String, wait: Wait, due: Instant)? {
        guard let settledSince, !waits.isEmpty else { return nil }
        return waits.map { ($0.key, $0.value, max($0.value.since, settledSince) + $0.value.limit) }
            .min { ($0.2, $0.0) < ($1.2, $1.0) }
    }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        settledSince = circumstances.settledSince
        switch kind {
        case .messageStatus where event.key.map(images.contains) ?? false: break
        case .messageStatus: follow(event, isUnderWay: { $0 == "sending" }, sending)
        case .receivedOther:
            // A piece may leave the text as it is, if one before it is missing.
            guard event.name == "client.received.token", let key = event.key, let wait = waits["stream.text[\(key)]"]
            else { return }
            waits["stream.text[\(key)]"] = Wait(since: event.time, limit: wait.limit, event: wait.event)
        case .sentOther, .requested:
            // The time for a confirmation starts when the message is written.
            guard let key = event.key, let wait = waits["message.status[\(key)]"] else { return }
            waits["message.status[\(key)]"] = Wait(since: event.time, limit: wait.limit, event: wait.event)
        case .imageState:
            guard let key = event.key else { return }
            images.insert(key)
            waits["message.status[\(key)]"] = nil
        case .viewPhase: follow(event, isUnderWay: { $0 == "loading" }, settling)
        case .signingOut: follow(event, isUnderWay: { $0 == true }, settling)
        case .streamText: follow(event, isUnderWay: { !$0.isNull }, settling)
        case .messageText:
            // The complete message takes the place of its pieces.
            if let key = event.key { waits["stream.text[\(key)]"] = nil }
        case .started, .killed: waits = [:]
        default: break
        }
    }

    private mutating func follow(_ event: TraceEvent, isUnderWay: (JSON) -> Bool, _ limit: TimeSpan?) {
        guard let limit, case .set(let value) = event.observation.change else { return }
        let name = event.key.map { "\(event.name)[\($0)]" } ?? event.name
        guard isUnderWay(value) else {
            waits[name] = nil
            return
        }
        record.keep()
        waits[name] = Wait(since: event.time, limit: limit, event: event.index)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let (name, wait, due) = first else { return }
        waits[name] = nil
        record.violate(
            "\(name) had not changed from \(wait.since) to \(due); expected an end within \(wait.limit)",
            by: due,
            events: [wait.event]
        )
    }
}
