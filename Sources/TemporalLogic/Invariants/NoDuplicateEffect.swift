import SquallCore
import Trace

/// `no_duplicate_effect`: no message is stored twice or shown twice.
struct NoDuplicateEffect: StandingInvariant {
    let interest = InvariantKinds(.serverStored, .messageList, .rows)
    private var record = FindingRecorder(until: "no message was stored or shown")
    private var rows = RowCounter()
    /// A message listed twice in a conversation, and a message shown twice in the rows on the screen, if any.
    private var doubled: (inList: Doubled?, inRows: Doubled?)

    private struct Doubled {
        var key: String
        var list: String
        var event: Int
        var time: Instant
    }

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }
    /// The instant at which a duplicate appeared. It is checked after all events of the instant, because a duplicate
    /// that is gone by then was never visible.
    var deadline: Instant? { (doubled.inList ?? doubled.inRows)?.time }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        record.recordCheck()
        switch kind {
        case .serverStored:
            guard let key = event.key, let fate = messages.fate(of: key), fate.storedTimes > 1 else { return }
            record.violate("message \(key) was stored a second time at \(event.time)", events: [event.index])
        case .messageList: doubled.inList = find(messages.firstDoubled, event)
        default:
            rows.take(event.observation.change)
            doubled.inRows = find(rows.doubled.first { messages.fate(of: $0)?.isTampered != true }, event)
        }
    }

    private func find(_ key: String?, _ event: TraceEvent) -> Doubled? {
        key.map { Doubled(key: $0, list: event.name, event: event.index, time: event.time) }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let found = doubled.inList ?? doubled.inRows else { return }
        doubled = (nil, nil)
        record.violate("\(found.list) contained message \(found.key) twice at \(found.time)", events: [found.event])
    }
}

/// Counts the occurrences of each row in a list.
private struct RowCounter {
    private var rows: [JSON] = []
    private var counts: [JSON: Int] = [:]
    private var repeated: [JSON] = []

    /// The rows that the list contains more than once.
    var doubled: some Sequence<String> { repeated.lazy.map(\.readable) }

    mutating func take(_ change: Change) {
        if case .set(let value) = change {
            rows = value.arrayValue ?? []
            counts = [:]
            repeated = []
            for row in rows { add(row, 1) }
            return
        }
        let before = rows.count
        if let gone = rows.edit(change) { add(gone, -1) }
        switch change {
        case .inserted(_, let item) where rows.count > before: add(item, 1)
        case .replaced(let index, let item) where rows.indices.contains(index): add(item, 1)
        case .happened, .set, .inserted, .removed, .replaced: break
        }
    }

    private mutating func add(_ row: JSON, _ step: Int) {
        let count = (counts[row] ?? 0) + step
        counts[row] = count
        if step > 0, count == 2 { repeated.append(row) }
        if step < 0, count == 1 { repeated.removeAll { $0 == row } }
    }
}
