import SquallCore
import Trace

/// `counts_add_up`: the number on the app's icon is the sum of the conversations' unread counts, and no count is
/// negative.
struct CountsAddUp: StandingInvariant {
    let interest = InvariantKinds(
        .unread,
        .badge,
        .metric,
        .connected,
        .attemptFailed,
        .backoffBegan,
        .started,
        .killed
    )
    private var record = FindingRecorder(until: "the client reported no number on its icon")
    private var unread: [String: Int64] = [:]
    /// The instant at which each conversation's count last changed.
    private var changes: [String: Instant] = [:]
    /// The conversations whose counts the client might not have written to disk when its process was killed.
    private var unwritten: Set<String> = []
    private let writeTime: TimeSpan
    private var badge: (value: Int64, event: Int)?
    /// The number of connection attempts that have succeeded or failed since the client's process was started, and the
    /// number of attempts that the client reports.
    ///
    /// The client's number may include attempts that have neither succeeded nor failed.
    private var attempts: (ended: Int64, shown: Int64?, event: Int) = (0, nil, -1)
    private var lastFailure: Instant?
    private let isOwnClient: Bool
    /// The instant of the last change. The values are compared after all events of that instant, because several of
    /// them may change at the same time.
    private(set) var deadline: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        writeTime = settings.writeTime
        isOwnClient = settings.isOwnClient
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .unread:
            guard let key = event.key, case .set(let value) = event.observation.change else { return }
            let count = value.intValue
            unread[key] = count
            changes[key] = event.time
            unwritten.remove(key)
            if let count, count < 0 {
                record.violate("unread[\(key)] was \(count) at \(event.time)", events: [event.index])
            }
            deadline = event.time
        case .badge:
            guard case .set(let value) = event.observation.change else { return }
            badge = value.intValue.map { ($0, event.index) }
            deadline = event.time
        case .attemptFailed: lastFailure = event.time
        case .connected, .backoffBegan:
            guard kind == .connected || lastFailure == event.time else { return }
            attempts.ended += 1
            deadline = event.time
        case .metric:
            guard event.name == "metrics.attempts", case .set(let value) = event.observation.change else { return }
            (attempts.shown, attempts.event) = (value.intValue, event.index)
            deadline = event.time
        default:
            attempts = (0, nil, -1)
            lastFailure = nil
            // The unread counts that the old process reported remain valid until the new process reports its own,
            // except those that might not have been written to disk.
            let full = circumstances.diskFullSince
            for (key, time) in changes where event.time - time <= writeTime || full.map({ time >= $0 }) ?? false {
                unwritten.insert(key)
            }
            badge = nil
            deadline = nil
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let time = deadline else { return }
        deadline = nil
        if isOwnClient, let shown = attempts.shown, shown < attempts.ended {
            record.violate(
                "metrics.attempts was \(shown) at \(time), although \(attempts.ended) attempts had ended",
                events: [attempts.event]
            )
        }
        guard let badge, unwritten.isEmpty else { return }
        record.recordCheck()
        let sum = unread.values.reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
        guard badge.value != sum else { return }
        record.violate(
            "badge.app was \(badge.value) at \(time), although the unread counts add up to \(sum)",
            events: [badge.event]
        )
    }
}
