package import SquallCore

/// The active faults, in the order in which they began. Bytes pass through the faults in the same order.
///
/// The ``Relay`` uses this type for the faults of a scenario, and each proxy uses it for its toxics. `Scope` identifies
/// the links that a fault affects, and holds other data that the owner needs for the fault. The owner always passes
/// ``Entry/current`` to links, because a flap has an effect only during its outages.
package struct ActiveFaults<Scope: Sendable>: Sendable {
    package struct Entry: Sendable {
        /// The fault's number, counted from 1 over all faults that have ever begun. A link's shapers and delayed ends
        /// refer to the fault by this number.
        package let number: Int
        package var scope: Scope
        /// The fault; nil for a toxic that has no effect.
        package fileprivate(set) var fault: Fault?
        /// The number of times that the fault has been replaced.
        package fileprivate(set) var updates = 0
        /// Whether a flap is in an outage; true for other faults.
        package fileprivate(set) var isDown = true
        /// The time at which a flap next begins or ends an outage; nil for other faults.
        package fileprivate(set) var turns: Instant?

        fileprivate init(number: Int, scope: Scope, fault: Fault?, at now: Instant) {
            (self.number, self.scope, self.fault) = (number, scope, fault)
            turns = outages.map { now + $0.length(isDown: isDown) }
        }

        fileprivate var outages: OutageSchedule? { fault?.behaviour.outages }

        /// The fault that applies to links now; nil while it has no effect.
        package var current: Fault? {
            guard let fault, let outages = fault.behaviour.outages else { return fault }
            return isDown ? Fault(Fault.Kind(outages.outage), toxicity: fault.toxicity) : nil
        }
    }

    package private(set) var entries: [Entry] = []
    private var count = 0

    package init() {}

    package var indices: Range<Int> { entries.indices }
    package var isEmpty: Bool { entries.isEmpty }

    /// Accesses the entry at an index. Its writable properties can be changed in place.
    package subscript(index: Int) -> Entry {
        _read { yield entries[index] }
        _modify { yield &entries[index] }
    }

    /// Appends a fault.
    @discardableResult
    package mutating func begin(_ fault: Fault?, for scope: Scope, at now: Instant) -> Entry {
        count += 1
        entries.append(Entry(number: count, scope: scope, fault: fault, at: now))
        return entries[entries.count - 1]
    }

    /// Replaces the fault of an entry. A flap restarts its current phase.
    @discardableResult
    package mutating func update(_ index: Int, to fault: Fault?, at now: Instant) -> Entry {
        entries[index].fault = fault
        entries[index].updates += 1
        entries[index].turns = entries[index].outages.map { now + $0.length(isDown: entries[index].isDown) }
        return entries[index]
    }

    package mutating func end(_ index: Int) -> Entry {
        entries.remove(at: index)
    }

    /// Begins or ends an outage of a flap. The next phase is timed from the moment at which this change was due, so
    /// that a late timer does not shift the schedule.
    @discardableResult
    package mutating func turn(_ index: Int) -> Entry {
        assert(entries[index].turns != nil, "only a flap turns")
        if let due = entries[index].turns, let outages = entries[index].outages {
            entries[index].isDown.toggle()
            entries[index].turns = due + outages.length(isDown: entries[index].isDown)
        }
        return entries[index]
    }

    /// Returns the strictest accept mode among the faults that match `predicate` and currently have an effect.
    package func acceptMode(where predicate: (Entry) -> Bool) -> AcceptMode {
        entries.reduce(.open) { mode, entry in
            predicate(entry) ? max(mode, entry.current?.acceptMode ?? .open) : mode
        }
    }
}
