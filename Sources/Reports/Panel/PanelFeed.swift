package import SquallCore
package import Trace

/// What the pages of a panel receive: the events of a running run, and what follows from them.
///
/// The newest events are kept, so that a page that reads slowly or connects late receives all of those. Earlier events
/// that it missed are counted in its next batch. A value without I/O, clock or randomness.
package struct PanelFeed: Sendable {
    /// How far a page has read.
    package struct Position: Hashable, Sendable {
        /// The index of the next event.
        package var next: Int
        /// The version of the board that the page shows; nil for none.
        fileprivate var version: Int?

        package init(next: Int = 0) {
            self.next = next
        }
    }

    private let limit: Int
    private let batchLimit: Int
    /// The newest events, in order.
    private var events: [TraceEvent] = []
    private var arrows = FrameArrows()
    /// The arrows that each kept event began or ended, in the order of the events.
    private var drawn: [(place: Int, arrow: FrameArrow)] = []
    private var ribbons = PanelRibbons()
    private var board: PanelBoard
    /// The number of changes of the board and of the list of ribbons.
    private var version = 0

    /// Creates the feed of a run that begins.
    ///
    /// - Parameters:
    ///   - clients: The run's clients.
    /// The number of events kept for pages that are behind.
    ///   - batchLimit: How many events a batch may have.
    package init(clients: [ClientID], limit: Int = 20_000, batchLimit: Int = 1_000) {
        self.limit = max(limit, 1)
        self.batchLimit = max(batchLimit, 1)
        board = PanelBoard(clients: clients)
    }

    /// The number of events so far.
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
        // In larger steps, since each removal moves the rest.
        if events.count > limit + limit / 4 {
            events.removeFirst(events.count - limit)
            let first = events.first?.index ?? count
            drawn.removeFirst(drawn.firstIndex { $0.place >= first } ?? drawn.count)
        }
    }

    /// Replaces the state of the standing invariants.
    package mutating func show(_ lights: [PanelLight]) {
        guard board.lights != lights else { return }
        board.lights = lights
        version += 1
    }

    /// Replaces the proxies as their API shows them.
    package mutating func show(_ proxies: [JSON]) {
        guard board.proxies != proxies else { return }
        board.proxies = proxies
        version += 1
    }

    /// Shows where the clients find their servers.
    package mutating func announce(_ urls: [ClientID: [String]]) {
        board.announce(urls)
        version += 1
    }

    /// Shows that the run has ended, and its verdict.
    package mutating func end(_ verdict: String) {
        board.verdict = verdict
        version += 1
    }

    /// Whether a page at this position can get a batch.
    package func hasMore(after position: Position) -> Bool {
        position.next < count || position.version != version
    }

    /// The next batch for a page, and its position after that.
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
        // The steps of the ribbons are kept for longer than the events: a page that has missed events gets all of them.
        let steps = ribbons.steps(from: min(position.next, from), to: to)
        if !steps.isEmpty { json.set("steps", to: .array(steps)) }
        var after = Position(next: to)
        after.version = version
        return (json, after)
    }
}
