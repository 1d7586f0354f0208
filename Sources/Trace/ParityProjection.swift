package import SquallCore

/// How the values of one name are compared between two runs of a scenario.
package struct ParityRule: Hashable, Sendable {
    package var parity: ParityClass
    /// Fields of an event that no two runs share: latencies, byte counts.
    package var measured: [String]

    package init(_ parity: ParityClass, measured: [String] = []) {
        self.parity = parity
        self.measured = measured
    }

    /// What the registry says of a name.
    package init(_ entry: RegistryEntry) {
        parity = entry.parity
        measured = []
        if case .fields(_, let fields) = entry.value { measured = fields }
    }
}

/// What two runs of one scenario must share: for each (client, name, key) its values, without their instants.
///
/// Two projections are equal when every series is, whatever the order between series: sockets, HTTP and other clients are
/// concurrent in the real world. Lists are compared by their edits, which follow from the values one to one.
package struct ParityProjection: Sendable {
    /// One value of a series, with where it stood in the trace.
    struct Entry: Sendable {
        var change: Change
        var event: Int
        var time: Instant
        /// Changes of the client's connection state before it; counted for ``ParityClass/unordered`` alone.
        var epoch: Int
    }

    struct Series: Sendable {
        var parity: ParityClass
        var entries: [Entry] = []
        /// The value so far, for merging repeats.
        var value: JSON?
    }

    /// The observable whose changes part one epoch of ``ParityClass/unordered`` from the next.
    package static let epochName = "connection.state"

    private(set) var series: [ObservedName: Series] = [:]
    /// The series by their first event.
    private(set) var order: [ObservedName] = []

    /// `rule` is asked once for each name that occurs.
    package init(of recording: Recording, rule: (String) -> ParityRule) {
        var rules: [String: ParityRule] = [:]
        var epochs: [ClientID?: Int] = [:]
        var states: [ClientID?: JSON] = [:]
        for event in recording.events {
            if event.name == Self.epochName, case .set(let state) = event.observation.change,
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

    /// A multiset is compared by its sorted members.
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
    /// Takes the change in; true where the value stays as it was.
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
    /// Equal for equal changes, for ordering a multiset.
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
        // A sum, since equal projections may have met their series in another order.
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
    /// The position of the first entry in which the two differ; nil where they are equal.
    func firstDifference(from other: Self) -> Int? {
        let shared = Swift.min(entries.count, other.entries.count)
        for position in 0..<shared {
            let (mine, theirs) = (entries[position], other.entries[position])
            if mine.change != theirs.change { return position }
            if parity == .unordered, mine.epoch != theirs.epoch { return position }
        }
        return entries.count == other.entries.count ? nil : shared
    }
}
