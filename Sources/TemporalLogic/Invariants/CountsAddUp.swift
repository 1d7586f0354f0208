import SquallCore
import Trace

/// `counts_add_up`: the number on the app's icon is the sum of the conversations' unread counts, and none is negative.
struct CountsAddUp: StandingInvariant {
    let interest = InvariantKinds(.unread, .badge, .started, .killed)
    private var record = Record(until: "the client reported no number on its icon")
    private var unread: [String: Int64] = [:]
    /// When each conversation's count has changed last.
    private var changes: [String: Instant] = [:]
    /// The conversations whose counts may not have been on disk when the process was killed.
    private var unwritten: Set<String> = []
    private let storing: TimeSpan
    private var badge: (value: Int64, event: Int)?
    /// Values that change together are compared at the end of their instant.
    private(set) var deadline: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        storing = settings.storing
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
        default:
            // The counts on the conversations stay until the next process reports others.
            for (key, time) in changes where event.time - time <= storing { unwritten.insert(key) }
            badge = nil
            deadline = nil
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let time = deadline else { return }
        deadline = nil
        guard let badge, unwritten.isEmpty else { return }
        record.keep()
        let sum = unread.values.reduce(Int64(0)) { $0.addingReportingOverflow($1).partialValue }
        guard badge.value != sum else { return }
        record.violate(
            "badge.app was \(badge.value) at \(time), although the unread counts add up to \(sum)",
            events: [badge.event]
        )
    }
}
