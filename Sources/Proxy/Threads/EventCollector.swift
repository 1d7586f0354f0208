import SquallCore
import Synchronization

/// Collects events from all threads for the single event log.
///
/// Each event is assigned its time and its position under the same lock, so events are ordered by time.
final class EventCollector: Sendable {
    struct Entry: Sendable {
        let kind: ProxyEvent.Kind
        let at: Instant
        let proxy: String?
        let link: Int?
    }

    private let waiting = Mutex<[Entry]>([])
    private let clock: MonotonicClock
    private let mailbox: ReactorInbox

    /// Creates a collector that wakes the collecting thread through `mailbox`.
    init(_ clock: MonotonicClock, to mailbox: ReactorInbox) {
        self.clock = clock
        self.mailbox = mailbox
    }

    /// Adds an event from any thread and wakes the collector.
    func post(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) {
        if add(kind, proxy: proxy, link: link) == 1 { mailbox.post(.events) }
    }

    /// Adds an event without waking the collector; for use by the collecting thread itself.
    ///
    /// Returns the number of events waiting to be collected.
    @discardableResult
    func add(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) -> Int {
        waiting.withLock { waiting in
            let entry = Entry(kind: kind, at: clock.now, proxy: proxy, link: link)
            assert(waiting.last.map { $0.at <= entry.at } ?? true)
            waiting.append(entry)
            return waiting.count
        }
    }

    /// Removes and returns all events, ordered by time.
    func collect() -> [Entry] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
