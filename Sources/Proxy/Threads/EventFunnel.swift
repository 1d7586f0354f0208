import SquallCore
import Synchronization

/// Events of all threads on their way to the one log.
///
/// Each gets its time where it gets its place, under one lock: their order is that of their times.
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

    /// With the `mailbox` of whoever collects.
    init(_ clock: MonotonicClock, to mailbox: ReactorInbox) {
        self.clock = clock
        self.mailbox = mailbox
    }

    /// From any thread; the collector is woken.
    func post(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) {
        if add(kind, proxy: proxy, link: link) == 1 { mailbox.post(.events) }
    }

    /// For the collector itself, who is awake.
    @discardableResult
    func add(_ kind: ProxyEvent.Kind, proxy: String?, link: Int?) -> Int {
        waiting.withLock { waiting in
            waiting.append(Entry(kind: kind, at: clock.now, proxy: proxy, link: link))
            return waiting.count
        }
    }

    /// All so far, in the order of their times.
    func collect() -> [Entry] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
