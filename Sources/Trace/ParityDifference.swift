package import SquallCore

/// The first value that differs between two runs of a scenario.
package struct ParityDifference: Hashable, Sendable {
    /// One run's value at the point of difference, with the values that precede it.
    package struct Side: Hashable, Sendable {
        /// The differing value; nil if this run has no more values.
        package let change: Change?
        /// The index of the value's event in the recording; nil if there is no value.
        package let event: Int?
        package let time: Instant?
        /// Up to three preceding values of the same observable, oldest first.
        package let before: [Change]
        /// The events around the difference in this run's recording, including those of other observables.
        package let context: [TraceEvent]
    }

    package let name: ObservedName
    package let parity: ParityClass
    /// The index of the difference in the observable's sequence of values.
    package let position: Int
    package let left: Side
    package let right: Side
}

extension ParityProjection {
    /// Compares the projections of two recordings.
    ///
    /// If several observables differ, the difference that occurs first is returned, because the others usually follow
    /// from it. The recordings are used only for context.
    ///
    /// - Parameters:
    ///   - other: The other run's projection.
    ///   - mine: The recording from which this projection was made.
    ///   - theirs: The recording from which the other projection was made.
    ///   - names: The observables to compare; nil for all.
    /// - Returns: The first difference; nil if the projections are equal.
    package func firstDifference(
        from other: ParityProjection,
        _ mine: Recording,
        _ theirs: Recording,
        among names: [ObservedName]? = nil
    ) -> ParityDifference? {
        var first: (name: ObservedName, position: Int, time: Instant)?
        for name in names ?? allNames(with: other) {
            let empty = Series(parity: (series[name] ?? other.series[name])?.parity ?? .exact)
            let left = series[name] ?? empty
            let right = other.series[name] ?? empty
            guard
                let position = series[name] == nil || other.series[name] == nil ? 0 : left.firstDifference(from: right)
            else { continue }
            let times = [left, right].compactMap { $0.entries.dropFirst(position).first?.time }
            let time = times.min() ?? .never
            if let known = first, known.time <= time { continue }
            first = (name, position, time)
        }
        guard let first else { return nil }
        return ParityDifference(
            name: first.name,
            parity: (series[first.name] ?? other.series[first.name])?.parity ?? .exact,
            position: first.position,
            left: side(of: first.name, at: first.position, in: mine, near: first.time),
            right: other.side(of: first.name, at: first.position, in: theirs, near: first.time)
        )
    }

    /// Returns the observables and events in which two runs differ, ordered by first occurrence.
    ///
    /// A run ends once its verdict is decided, even if other activity is still in progress (a live run continues until
    /// its tolerance has elapsed). The runs are therefore compared only up to the earlier of their two ends. A value
    /// reported by only one run is ignored unless it occurs more than `grace` before that end, because the other run
    /// might have been about to report it.
    package func differing(
        from other: ParityProjection,
        ends: (mine: Instant, theirs: Instant),
        grace: TimeSpan
    ) -> [ObservedName] {
        let end = min(ends.mine, ends.theirs)
        return allNames(with: other).filter { name in
            let parity = (series[name] ?? other.series[name])?.parity ?? .exact
            let left = series[name] ?? Series(parity: parity)
            let right = other.series[name] ?? Series(parity: parity)
            guard left.differs(from: right, before: end, grace: grace) else { return false }
            // Unordered values are sorted, so values from after the end may come before others. Remove the values from
            // after the end and compare again.
            return left.until(end).differs(from: right.until(end), before: end, grace: grace)
        }
    }

    private func allNames(with other: ParityProjection) -> [ObservedName] {
        order + other.order.filter { series[$0] == nil }
    }

    private func side(
        of name: ObservedName,
        at position: Int,
        in recording: Recording,
        near time: Instant
    ) -> ParityDifference.Side {
        let entries = series[name]?.entries ?? []
        let entry = entries.dropFirst(position).first
        // If this run has no value at the difference, the context consists of its events around the time of the
        // difference.
        let centre = entry?.event ?? recording.events.firstIndex { $0.time > time } ?? recording.events.count
        return ParityDifference.Side(
            change: entry?.change,
            event: entry?.event,
            time: entry?.time,
            before: entries[max(0, min(position, entries.count) - 3)..<min(position, entries.count)].map(\.change),
            context: Array(recording.events[max(0, centre - 8)..<min(centre + 3, recording.events.count)])
        )
    }
}

extension ParityDifference: CustomStringConvertible {
    /// Describes the difference in one line; `left` and `right` are the names of the two runs.
    func summary(left leftName: String = "one run", right rightName: String = "the other") -> String {
        "\(name), value \(position + 1): \(left.what) in \(leftName), \(right.what) in \(rightName)"
    }

    package var description: String { text(left: "one run", right: "the other") }

    /// Describes the difference in several lines: the summary, and then for each run the events around the difference.
    package func text(left leftName: String, right rightName: String) -> String {
        var lines = [summary(left: leftName, right: rightName)]
        for (title, side) in [(leftName, left), (rightName, right)] {
            let before = side.before.map { $0.what }.joined(separator: ", ")
            lines.append("  \(title): after \(before.isEmpty ? "nothing" : before)")
            lines += side.context.map { "    \($0.index == side.event ? ">" : " ") \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}

extension ParityDifference.Side {
    fileprivate var what: String {
        guard let change else { return "none" }
        return "\(change.what)\(time.map { " (at \($0))" } ?? "")"
    }
}

extension Change {
    fileprivate var what: String {
        let text = tail.drop { $0 == " " || $0 == "=" }
        return text.isEmpty ? "the event" : String(text)
    }
}
