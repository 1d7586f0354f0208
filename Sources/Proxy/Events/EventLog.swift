import SquallCore

/// The most recent proxy events, and the subscriptions to new ones.
final class EventLog {
    /// The maximum number of events stored for `GET /events`.
    static let capacity = 10_000

    private var events: [ProxyEvent] = []
    private var first = 0
    private var count = 0
    private var listeners: [Int: (ProxyEvent) -> Void] = [:]
    private var lastListener = 0

    /// Numbers and stores an event, and passes it to all subscribers.
    @discardableResult
    func record(_ kind: ProxyEvent.Kind, at now: Instant, proxy: String?, link: Int?) -> ProxyEvent {
        count += 1
        let event = ProxyEvent(kind, number: count, at: now, proxy: proxy, link: link)
        if events.count < Self.capacity {
            events.append(event)
        } else {
            events[first] = event
            first = (first + 1) % Self.capacity
        }
        for listener in listeners.values { listener(event) }
        return event
    }

    /// Returns the stored events whose number is greater than `number`, in order.
    func since(_ number: Int) -> [ProxyEvent] {
        (events[first...] + events[..<first]).filter { $0.number > number }
    }

    /// Subscribes to new events. Returns the subscription's id.
    func listen(_ listener: @escaping (ProxyEvent) -> Void) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        return lastListener
    }

    func stopListening(_ number: Int) {
        listeners[number] = nil
    }
}
