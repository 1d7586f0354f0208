import SquallCore

/// A timed program of changes to proxies and toxics; each step is timed from the schedule's start or from an event.
///
/// A schedule is a pure value: its owner passes events to it, wakes it at its deadline, and executes the operations
/// that it returns.
struct Schedule: Sendable {
    enum ScheduledOperation: Sendable {
        /// Adds a toxic; if `lasting` is given, the toxic is removed again after that time.
        case add(proxy: String, toxic: JSON, lasting: TimeSpan?)
        case update(proxy: String, toxic: String, change: JSON)
        case remove(proxy: String, toxic: String)
        case enable(proxy: String)
        case disable(proxy: String)
        case reset
    }

    /// The event that a step waits for.
    struct Anchor: Hashable, Sendable {
        var event: String
        var proxy: String?
        var link: Int64?
        /// The ordinal of the event that the step waits for, counted from 1 among the matching events since the
        /// schedule's start.
        var nth: Int64

        func fits(_ event: ProxyEvent) -> Bool {
            event.name == self.event && (proxy == nil || proxy == event.proxy)
                && (link == nil || link == event.link.map { Int64($0) })
        }
    }

    struct Step: Sendable {
        /// The event from which the step is timed; nil if the step is timed from the schedule's start.
        var anchor: Anchor?
        /// The delay after the schedule's start, or after the event.
        var after: TimeSpan
        /// The interval between repetitions; nil for a step that runs once.
        var every: TimeSpan?
        var operation: ScheduledOperation
        /// The number of times that the step has run.
        fileprivate var done: Int64 = 0
        /// The number of matching events so far.
        fileprivate var seen: Int64 = 0
        /// When the step runs next; nil before the event that it waits for, and after its last run.
        fileprivate var due: Instant?
    }

    let name: String
    let source: JSON
    private(set) var steps: [Step]

    /// Parses a schedule from `{"name", "steps": [{"at" or "on" and "after", "every", operation}]}`.
    ///
    /// A `progress` member, as in the API's own responses, is ignored.
    ///
    /// - Throws: ``APIError`` with the path of the first error.
    init(_ json: JSON, at path: String = "schedule") throws(APIError) {
        let object = try StrictObject(json, at: path, known: ["name", "steps", "progress"])
        name = try object.need(text: "name")
        source = .object((json.members ?? []).filter { $0.name != "progress" })
        guard let list = try object.list("steps"), !list.isEmpty else {
            throw APIError("\(path).steps: expected a non-empty list of steps", 400)
        }
        steps = []
        for (index, entry) in list.enumerated() {
            steps.append(try ScheduleReader.step(entry, at: "\(path).steps[\(index)]"))
        }
    }

    mutating func begin(at now: Instant) {
        for index in steps.indices where steps[index].anchor == nil { steps[index].due = now + steps[index].after }
    }

    /// Counts an event, and schedules the steps that were waiting for it.
    mutating func note(_ event: ProxyEvent) {
        for index in steps.indices {
            guard let anchor = steps[index].anchor, anchor.fits(event) else { continue }
            steps[index].seen += 1
            if steps[index].seen == anchor.nth { steps[index].due = event.at + steps[index].after }
        }
    }

    var nextDeadline: Instant? { steps.compactMap(\.due).min() }

    /// Whether no step is scheduled; a later event may still schedule one.
    var isIdle: Bool { nextDeadline == nil }

    /// Returns the schedule's JSON as given, with the progress of its steps.
    ///
    /// The progress of each step is the number of times that it has run, and the milliseconds until it is due (or
    /// null).
    func progressJSON(at now: Instant) -> JSON {
        var json = source
        let progress = steps.map { step -> JSON in
            let left = step.due.map { JSON.integer(max(0, ($0 - now).nanoseconds / 1_000_000)) }
            return ["done": .integer(step.done), "due_in": left ?? .null]
        }
        json.set("progress", to: .array(progress))
        return json
    }

    /// The proxies that steps refer to, each with the path of the reference.
    var proxies: [(path: String, name: String)] {
        steps.enumerated().compactMap { index, step in
            switch step.operation {
            case .add(let proxy, _, _): ("steps[\(index)].add.proxy", proxy)
            case .update(let proxy, _, _): ("steps[\(index)].update.proxy", proxy)
            case .remove(let proxy, _): ("steps[\(index)].remove.proxy", proxy)
            case .enable(let proxy): ("steps[\(index)].enable", proxy)
            case .disable(let proxy): ("steps[\(index)].disable", proxy)
            case .reset: nil
            }
        }
    }

    /// Checks that all proxies named in steps and events exist; otherwise a step would fail later, unnoticed.
    ///
    /// - Throws: ``APIError`` for the first unknown name.
    func check(knowing known: [String], at path: String = "schedule") throws(APIError) {
        let awaited = steps.enumerated().compactMap { index, step in
            step.anchor?.proxy.map { (path: "steps[\(index)].on.proxy", name: $0) }
        }
        for (index, name) in proxies + awaited where !known.contains(name) {
            let near = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
            throw APIError("\(path).\(index): unknown proxy '\(name)'\(near)", 400)
        }
    }

    /// Returns the next operation that is due by `now`, ordered by time and then by step; nil if none is.
    ///
    /// The returned operation counts as having run.
    mutating func next(by now: Instant) -> (due: Instant, step: Int, operation: ScheduledOperation)? {
        let first = steps.indices.compactMap { index in steps[index].due.map { (due: $0, index: index) } }.min {
            $0 < $1
        }
        guard let (due, index) = first, due <= now else { return nil }
        steps[index].done += 1
        steps[index].due = steps[index].every.map { due + $0 }
        return (due, index, steps[index].operation)
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
