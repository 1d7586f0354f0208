package import SquallCore
package import Trace

/// The drafts from which a guided exploration derives new ones: for each feature, the smallest draft that exhibits it.
///
/// Inserting a draft again has no effect. Of two drafts of the same size, the first one inserted is kept.
package struct Corpus: Sendable {
    package struct Entry: Hashable, Sendable {
        package var draft: Draft
        /// The distinct times of the events in the draft's run, in order. Faults at these times are the most likely to
        /// occur while the client is in an unusual state.
        package var instants: [Instant]

        package init(_ draft: Draft, instants: [Instant] = []) {
            (self.draft, self.instants) = (draft, instants)
        }

        /// Creates an entry from a draft and the recording of its run.
        package init(_ draft: Draft, _ recording: Recording) {
            self.init(draft)
            instants = recording.events.reduce(into: []) { times, event in
                if times.last != event.time { times.append(event.time) }
            }
        }
    }

    /// The entries in insertion order.
    package private(set) var entries: [Entry] = []
    /// The index of the entry for each feature.
    private var owners: [Feature: Int] = [:]

    package init() {}

    /// The entries, each with the features for which it is kept.
    package var owned: [(entry: Entry, features: [Feature])] {
        let features = Dictionary(grouping: owners.keys) { owners[$0] ?? 0 }
        return entries.enumerated().map { ($1, features[$0, default: []].sorted()) }
    }

    /// Inserts a draft if, for at least one feature, it is smaller than all earlier drafts that exhibit the feature.
    /// Removes entries that are no longer needed for any feature.
    ///
    /// Returns false if the draft is not needed.
    @discardableResult
    package mutating func insert(_ entry: Entry, showing shown: Set<Feature>) -> Bool {
        let size = entry.draft.size
        let won = shown.filter { feature in owners[feature].map { entries[$0].draft.size > size } ?? true }
        guard !won.isEmpty else { return false }
        for feature in won { owners[feature] = entries.count }
        entries.append(entry)
        removeUnneeded()
        return true
    }

    private mutating func removeUnneeded() {
        let needed = Set(owners.values)
        guard needed.count < entries.count else { return }
        let kept = entries.indices.filter(needed.contains)
        let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        entries = kept.map { entries[$0] }
        owners = owners.compactMapValues { places[$0] }
    }
}
