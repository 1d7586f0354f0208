import SquallCore
import Synchronization

/// Collects the events of all threads for the one event log.
///
/// An event gets its time and its place under one lock, so events are in the order of their times.
final class EventFunnel: Sendable {
    struct Entry: Sendable {
        let kind: ProxyEvent.Kind
        let at: Instant
        let proxy: String?
        let link: Int?
    }

    private let waiting = Mutex<[Entry]>([])
    private let clock: MonotonicClock
    private let mailbox: ReactorInbox

    /// Makes a funnel that wakes the collecting thread through `mailbox`.
    init(_ clock: MonotonicClock, to mailbox: ReactorInbox) {
        self.clock = clock
        self.mailbox = mailbox
    }

    /// Adds an event from any thread and wakes the collector.
    func post(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) {
        if add(kind, proxy: proxy, link: link) == 1 { mailbox.post(.events) }
    }

    /// Adds an event without waking the collector, for the collecting thread itself.
    ///
    /// Returns the number of events that wait.
    @discardableResult
    func add(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) -> Int {
        waiting.withLock { waiting in
            let entry = Entry(kind: kind, at: clock.now, proxy: proxy, link: link)
            assert(waiting.last.map { $0.at <= entry.at } ?? true)
            waiting.append(entry)
            return waiting.count
        }
    }

    /// Removes and returns all events, in the order of their times.
    func collect() -> [Entry] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
