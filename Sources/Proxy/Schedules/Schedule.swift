import SquallCore

/// A program of faults in time: what is done when, counted from its beginning or from events.
///
/// Decides only; its holder tells it of events, wakes it at its deadline, and does what it says.
struct Schedule: Sendable {
    enum ScheduledOperation: Sendable {
        /// With a time to live, after which it goes by itself.
        case add(proxy: String, toxic: JSON, lasting: TimeSpan?)
        case update(proxy: String, toxic: String, change: JSON)
        case remove(proxy: String, toxic: String)
        case enable(proxy: String)
        case disable(proxy: String)
        case reset
    }

    /// An event that a step waits for.
    struct Anchor: Hashable, Sendable {
        var event: String
        var proxy: String?
        var link: Int64?
        /// The how manieth that fits, counted from the schedule's beginning.
        var nth: Int64

        func fits(_ event: ProxyEvent) -> Bool {
            event.name == self.event && (proxy == nil || proxy == event.proxy)
                && (link == nil || link == event.link.map { Int64($0) })
        }
    }

    struct Step: Sendable {
        /// Nil: counted from the schedule's beginning.
        var anchor: Anchor?
        var after: TimeSpan
        /// Again and again at this distance; nil: once.
        var every: TimeSpan?
        var operation: ScheduledOperation
        /// How often it has been done.
        fileprivate var done: Int64 = 0
        /// Events that fit so far.
        fileprivate var seen: Int64 = 0
        /// When it is done next; nil: not before its event, or never again.
        fileprivate var due: Instant?
    }

    let name: String
    let source: JSON
    private(set) var steps: [Step]

    /// `{"name", "steps": [{"at" or "on" and "after", "every", what to do}]}`; the `progress` of one that was told may stand there, and says
    /// nothing.
    init(_ json: JSON, at path: String = "schedule") throws(APIError) {
        let object = try StrictObject(json, at: path, known: ["name", "steps", "progress"])
        name = try object.need(text: "name")
        source = .object((json.members ?? []).filter { $0.name != "progress" })
        guard let list = try object.list("steps"), !list.isEmpty else {
            throw APIError("\(path).steps: a list of steps is wanted", 400)
        }
        steps = []
        for (place, entry) in list.enumerated() {
            steps.append(try ScheduleReader.step(entry, at: "\(path).steps[\(place)]"))
        }
    }

    mutating func begin(at now: Instant) {
        for place in steps.indices where steps[place].anchor == nil { steps[place].due = now + steps[place].after }
    }

    mutating func note(_ event: ProxyEvent) {
        for place in steps.indices {
            guard let anchor = steps[place].anchor, anchor.fits(event) else { continue }
            steps[place].seen += 1
            if steps[place].seen == anchor.nth { steps[place].due = event.at + steps[place].after }
        }
    }

    var nextDeadline: Instant? { steps.compactMap(\.due).min() }

    /// Nothing is left that its holder could wake it for; an event still can.
    var isIdle: Bool { nextDeadline == nil }

    /// The program, and of each step how often it has been done and in how many milliseconds it is due, null where nothing is.
    func progressJSON(at now: Instant) -> JSON {
        var json = source
        let progress = steps.map { step -> JSON in
            let left = step.due.map { JSON.integer(max(0, ($0 - now).nanoseconds / 1_000_000)) }
            return ["done": .integer(step.done), "due_in": left ?? .null]
        }
        json.set("progress", to: .array(progress))
        return json
    }

    /// The proxies that its steps name, each with the place where it does.
    var proxies: [(path: String, name: String)] {
        steps.enumerated().compactMap { place, step in
            switch step.operation {
            case .add(let proxy, _, _): ("steps[\(place)].add.proxy", proxy)
            case .update(let proxy, _, _): ("steps[\(place)].update.proxy", proxy)
            case .remove(let proxy, _): ("steps[\(place)].remove.proxy", proxy)
            case .enable(let proxy): ("steps[\(place)].enable", proxy)
            case .disable(let proxy): ("steps[\(place)].disable", proxy)
            case .reset: nil
            }
        }
    }

    /// Refuses a step, or an event, of a proxy that is none of these: it would fail later, where nobody looks.
    func check(knowing known: [String], at path: String = "schedule") throws(APIError) {
        let awaited = steps.enumerated().compactMap { place, step in
            step.anchor?.proxy.map { (path: "steps[\(place)].on.proxy", name: $0) }
        }
        for (place, name) in proxies + awaited where !known.contains(name) {
            let near = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
            throw APIError("\(path).\(place): there is no proxy '\(name)'\(near)", 400)
        }
    }

    /// The first that has come due and when it was to be done, in the order of time, and of the steps where times are the same.
    mutating func next(by now: Instant) -> (due: Instant, step: Int, operation: ScheduledOperation)? {
        let first = steps.indices.compactMap { place in steps[place].due.map { (due: $0, place: place) } }.min {
            $0 < $1
        }
        guard let (due, place) = first, due <= now else { return nil }
        steps[place].done += 1
        steps[place].due = steps[place].every.map { due + $0 }
        return (due, place, steps[place].operation)
    }
}

extension Schedule.Step {
    init(anchor: Schedule.Anchor?, after: TimeSpan, every: TimeSpan?, operation: Schedule.ScheduledOperation) {
        self.anchor = anchor
        self.after = after
        self.every = every
        self.operation = operation
    }
}
