package import SquallCore

/// How the values of one registry entry are compared between two runs of a scenario.
package struct ParityRule: Hashable, Sendable {
    package var parity: ParityClass
    /// The fields of an event that are not compared, because they differ in every run (latencies, byte counts).
    package var measured: [String]

    package init(_ parity: ParityClass, measured: [String] = []) {
        self.parity = parity
        self.measured = measured
    }

    /// Creates the rule for a registry entry.
    package init(_ entry: RegistryEntry) {
        parity = entry.parity
        measured = []
        if case .fields(_, let fields) = entry.value { measured = fields }
    }
}

/// The part of a trace that must be equal in two runs of a scenario: the series of values, without times, for each
/// client, name and key.
///
/// Two projections are equal if all their series are equal. The relative order of series is ignored, because sockets,
/// HTTP requests and other clients run concurrently in live runs. Lists are compared by their edits, which determine
/// their values.
package struct ParityProjection: Sendable {
    /// One value of a series, with its position in the trace.
    struct Entry: Sendable {
        var change: Change
        var event: Int
        var time: Instant
        /// The number of times the client's connection state had changed before this entry. Used only for
        /// ``ParityClass/unordered``.
        var epoch: Int
    }

    struct Series: Sendable {
        var parity: ParityClass
        var entries: [Entry] = []
        /// The latest value. A new value is dropped if it is equal to this one.
        var value: JSON?
    }

    /// The observable whose changes divide a trace into epochs. In an epoch, the order of values of
    /// ``ParityClass/unordered`` is ignored.
    package static let epochObservable = "connection.state"

    private(set) var series: [ObservedName: Series] = [:]
    /// The names of the series, ordered by first event.
    private(set) var order: [ObservedName] = []

    /// Creates the projection of a recording. `rule` is called once for each name in the recording.
    package init(of recording: Recording, rule: (String) -> ParityRule) {
        var rules: [String: ParityRule] = [:]
        var epochs: [ClientID?: Int] = [:]
        var states: [ClientID?: JSON] = [:]
        for event in recording.events {
            if event.name == Self.epochObservable, case .set(let state) = event.observation.change,
                states[event.client] != state
            {
                states[event.client] = state
                epochs[event.client, default: 0] += 1
            }
            let known: ParityRule
            if let present = rules[event.name] {
                known = present
            } else {
                known = rule(event.name)
                rules[event.name] = known
            }
            guard known.parity != .measured else { continue }
            add(event, rule: known, epoch: epochs[event.client] ?? 0)
        }
        for name in order where series[name]?.parity == .unordered { sortEpochs(of: name) }
    }

    private mutating func add(_ event: TraceEvent, rule: ParityRule, epoch: Int) {
        let name = ObservedName(client: event.client, name: event.name, key: event.key)
        var change = event.observation.change
        if case .happened(var fields) = change, !rule.measured.isEmpty {
            for field in rule.measured { fields.remove(field) }
            change = .happened(fields)
        }
        if series[name] == nil {
            order.append(name)
            series[name] = Series(parity: rule.parity)
        }
        let isRepeat = rule.parity == .exact && series[name]?.merge(change) == true
        guard !isRepeat else { return }
        let entry = Entry(change: change, event: event.index, time: event.time, epoch: epoch)
        series[name]?.entries.append(entry)
    }

    /// Sorts the entries within each epoch, so that comparing them in order compares them as multisets.
    private mutating func sortEpochs(of name: ObservedName) {
        guard let entries = series[name]?.entries else { return }
        let keyed = entries.map { (entry: $0, text: $0.change.canonicalText) }
        let sorted = keyed.sorted {
            if $0.entry.epoch != $1.entry.epoch { return $0.entry.epoch < $1.entry.epoch }
            if $0.text != $1.text { return $0.text.lexicographicallyPrecedes($1.text) }
            return $0.entry.event < $1.entry.event
        }
        series[name]?.entries = sorted.map(\.entry)
    }
}

extension ParityProjection.Series {
    /// Applies the change. Returns true if the value stays the same.
    mutating func merge(_ change: Change) -> Bool {
        switch change {
        case .happened: return false
        case .set(let new):
            defer { value = new }
            return value == new
        case .replaced(let index, let item) where value?[index] == item: return true
        case .inserted, .removed, .replaced:
            if value == nil { value = .array([]) }
            value?.edit(change)
            return false
        }
    }
}

extension Change {
    /// The sort key of a change: equal changes have equal strings.
    fileprivate var canonicalText: [UInt8] { Array(tail.utf8) }
}

extension ParityProjection: Hashable {
    package static func == (left: ParityProjection, right: ParityProjection) -> Bool {
        left.order.count == right.order.count
            && left.order.allSatisfy { name in
                guard let mine = left.series[name], let other = right.series[name] else { return false }
                return mine.firstDifference(from: other) == nil
            }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(series.count)
        // The hashes are added up, so that the result, like `==`, does not depend on the order of the series.
        var sum = 0
        for name in order {
            var part = Hasher()
            part.combine(name)
            for entry in series[name]?.entries ?? [] { part.combine(entry.change) }
            sum &+= part.finalize()
        }
        hasher.combine(sum)
    }
}

extension ParityProjection.Series {
    /// Returns the index of the first entry that differs between two series; nil if they are equal.
    func firstDifference(from other: Self) -> Int? {
        let shared = Swift.min(entries.count, other.entries.count)
        for position in 0..<shared {
            let (mine, theirs) = (entries[position], other.entries[position])
            if mine.change != theirs.change { return position }
            if parity == .unordered, mine.epoch != theirs.epoch { return position }
        }
        return entries.count == other.entries.count ? nil : shared
    }

    /// Returns whether two series differ. A value that occurs in only one of them counts as a difference only if it
    /// occurs more than `grace` before `end`.
    func differs(from other: Self, before end: Instant, grace: TimeSpan) -> Bool {
        guard let position = firstDifference(from: other) else { return false }
        guard position == Swift.min(entries.count, other.entries.count) else { return true }
        return (entries.dropFirst(position) + other.entries.dropFirst(position)).contains { $0.time + grace < end }
    }

    /// Returns the series without any values after `end`.
    func until(_ end: Instant) -> Self {
        var cut = self
        cut.entries.removeAll { $0.time > end }
        return cut
    }
}
