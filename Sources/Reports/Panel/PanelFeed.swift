package import SquallCore
package import Trace

/// The data that the pages of a web panel receive: the events of a run in progress, and the state derived from them.
///
/// The most recent events are retained, so that a page that reads slowly or connects late still receives them. Earlier
/// events that a page missed are counted in its next batch. The feed uses no I/O, clock or randomness.
package struct PanelFeed: Sendable {
    /// The position up to which a page has received the feed.
    package struct Position: Hashable, Sendable {
        /// The index of the next event to send.
        package var next: Int
        /// The version of the displayed state that the page has received; nil if the page has received none.
        fileprivate var version: Int?

        package init(next: Int = 0) {
            self.next = next
        }
    }

    private let limit: Int
    private let batchLimit: Int
    /// The most recent events, in order.
    private var events: [TraceEvent] = []
    private var arrows = FrameArrows()
    /// The arrows that the retained events began or ended, in event order.
    private var drawn: [(place: Int, arrow: FrameArrow)] = []
    private var ribbons = PanelRibbons()
    private var board: PanelBoard
    /// The number of times that the displayed state or the list of ribbons has changed so far.
    private var version = 0

    /// Creates the feed for a run that is about to begin.
    ///
    /// - Parameters:
    ///   - clients: The clients of the run.
    ///   - limit: The number of events that are retained for pages that have not received them yet.
    ///   - batchLimit: The maximum number of events in a batch.
    package init(clients: [ClientID], limit: Int = 20_000, batchLimit: Int = 1_000) {
        self.limit = max(limit, 1)
        self.batchLimit = max(batchLimit, 1)
        board = PanelBoard(clients: clients)
    }

    /// The number of events so far, including events that are no longer retained.
    package private(set) var count = 0

    /// Updates the feed with the next events of the trace.
    package mutating func append(_ new: [TraceEvent]) {
        var isChanged = false
        for event in new {
            if let arrow = arrows.observe(event, at: event.index) { drawn.append((event.index, arrow)) }
            if ribbons.observe(event) { isChanged = true }
            if board.observe(event) { isChanged = true }
        }
        events += new
        count += new.count
        if isChanged { version += 1 }
        // Remove events in batches, because each removal shifts all remaining events.
        if events.count > limit + limit / 4 {
            events.removeFirst(events.count - limit)
            let first = events.first?.index ?? count
            drawn.removeFirst(drawn.firstIndex { $0.place >= first } ?? drawn.count)
        }
    }

    /// Replaces the displayed states of the standing invariants (those that hold for every scenario).
    package mutating func show(_ lights: [PanelLight]) {
        guard board.lights != lights else { return }
        board.lights = lights
        version += 1
    }

    /// Replaces the displayed changes that last until another step undoes them.
    package mutating func show(_ changes: [PanelChange]) {
        guard board.changes != changes else { return }
        board.changes = changes
        version += 1
    }

    /// Replaces the displayed proxies, given in the JSON form of their API.
    package mutating func show(_ proxies: [JSON]) {
        guard board.proxies != proxies else { return }
        board.proxies = proxies
        version += 1
    }

    /// Sets the server addresses displayed for each client.
    package mutating func announce(_ urls: [ClientID: [String]]) {
        board.announce(urls)
        version += 1
    }

    /// Displays that the run has ended with this verdict.
    package mutating func end(_ verdict: String) {
        board.verdict = verdict
        version += 1
    }

    /// Returns whether there are events or changes that a page at this position has not received.
    package func hasMore(after position: Position) -> Bool {
        position.next < count || position.version != version
    }

    /// Returns the next batch for a page, and the position after the batch.
    ///
    /// - Parameter now: The time on the run's clock.
    package func batch(after position: Position, at now: Instant) -> (json: JSON, position: Position) {
        let first = count - events.count
        let from = min(max(position.next, first), count)
        let to = min(from + batchLimit, count)
        var json: JSON = [
            "next": .integer(Int64(to)), "count": .integer(Int64(count)), "now": .integer(now.nanoseconds),
        ]
        if from > position.next { json.set("dropped", to: .integer(Int64(from - position.next))) }
        if to > from { json.set("table", to: .object(EventTable(part: events[(from - first)..<(to - first)]).members)) }
        let arrows = drawn[(drawn.lastIndex { $0.place < from }.map { $0 + 1 } ?? 0)...].prefix { $0.place < to }
        if !arrows.isEmpty {
            let numbers = arrows.flatMap { [JSON.integer(Int64($0.arrow.from)), .integer(Int64($0.arrow.to ?? -2))] }
            json.set("arrows", to: .array(numbers))
        }
        if position.version != version {
            json.set("board", to: board.json)
            json.set("ribbons", to: ribbons.json)
        }
        // Ribbons retain their values for longer than the feed retains events, so a page that has missed events still
        // receives every value.
        let steps = ribbons.steps(from: min(position.next, from), to: to)
        if !steps.isEmpty { json.set("steps", to: .array(steps)) }
        var after = Position(next: to)
        after.version = version
        return (json, after)
    }
}
