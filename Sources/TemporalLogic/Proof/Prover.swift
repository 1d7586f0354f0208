import SquallCore
package import Trace

/// The result of trying to make a passing expectation fail.
package enum Proof: Hashable, Sendable {
    /// This change to the recording turns the pass into a failure.
    case falsifiable(Mutation, reason: String)
    /// None of the changes that were tried makes the expectation fail, so its pass proves nothing in this run.
    case unprovable(tries: Int)
    /// The expectation does not pass on the unchanged recording.
    case notPassing(Outcome)
}

/// Checks that a passing expectation can fail, by evaluating it on changed copies of its recording.
///
/// The prover removes, delays, duplicates and changes events that the expectation read, and inserts observations that
/// the formula forbids. The search ends with the first change that makes the expectation fail; an inconclusive verdict
/// is not enough.
package struct Prover: Sendable {
    /// The maximum number of changes that are tried.
    package static let maximumTries = 200
    /// The maximum number of decisive events to change before any other events.
    private static let maximumDecisiveEvents = 8

    let expectation: Expectation
    private let tolerance: Tolerance

    package init(_ expectation: Expectation, tolerance: Tolerance = .none) {
        self.expectation = expectation
        self.tolerance = tolerance
    }

    package func prove(_ recording: Recording) -> Proof {
        let (verdict, read) = judge(recording)
        guard verdict.outcome == .pass else { return .notPassing(verdict.outcome) }
        // The run ended as soon as every expectation was decided. A deadline can be missed only in a longer run.
        var longer = recording
        longer.end = longer.end + timeout
        let base = judge(longer).0.outcome == .pass ? longer : recording
        var tries = 0
        for mutation in mutations(of: read, decisive: verdict.reason.events, in: recording) {
            guard tries < Prover.maximumTries else { break }
            tries += 1
            let (changed, _) = judge(mutation.applied(to: base, grace: timeout))
            if changed.outcome == .fail { return .falsifiable(mutation, reason: changed.reason.text) }
        }
        return .unprovable(tries: tries)
    }

    /// Returns the outcome on the unchanged recording.
    package func outcome(on recording: Recording) -> Outcome { judge(recording).0.outcome }

    func judge(_ recording: Recording) -> (Verdict, [Int]) {
        var monitors = MonitorSet([expectation], tolerance: tolerance)
        let judgement = monitors.live(through: recording)
        return (judgement.expectations[0], monitors.monitors[0].readEvents)
    }

    /// A duration that is longer than the expectation's bound.
    private var timeout: TimeSpan {
        let bound = expectation.bound ?? .zero
        return bound + tolerance.of(bound) + .milliseconds(1)
    }

    /// Returns the changes to try, most promising first: violations, changes to decisive events, removals of all events
    /// with the same name, then changes to the other events that the expectation read. These last changes are tried in
    /// reverse trace order, because the last values matter most.
    private func mutations(of read: [Int], decisive: [Int], in recording: Recording) -> [Mutation] {
        let events = recording.events
        let decisive = decisive.filter(events.indices.contains)
        let rest = decisive.dropFirst(Prover.maximumDecisiveEvents) + read.reversed().filter { !decisive.contains($0) }
        var names: [String] = []
        for index in read where !names.contains(events[index].name) { names.append(events[index].name) }
        func single(_ indexes: some Sequence<Int>) -> [Mutation] {
            indexes.prefix(Prover.maximumTries).flatMap { mutations(of: events[$0], end: recording.end) }
        }
        return insertions(after: decisive + read.reversed(), in: recording)
            + single(decisive.prefix(Prover.maximumDecisiveEvents))
            + names.map { .removeAll(named: $0) }
            + single(rest)
    }

    private func mutations(of event: TraceEvent, end: Instant) -> [Mutation] {
        let index = event.index
        // If there is no bound, only an event after the end of the run is late.
        let delay = expectation.bound == nil ? (end - event.time) + timeout : timeout
        var mutations: [Mutation] = [.remove(index), .delay(index, by: delay), .double(index)]
        switch event.observation.change {
        case .happened(let fields):
            mutations += fields.similarValues.filter { $0.members != nil }.prefix(4).map {
                .change(index, to: .happened($0))
            }
        case .set(let value):
            mutations += value.similarValues.prefix(4).map { .change(index, to: .set($0)) }
        case .inserted(let place, let item):
            if place > 0 { mutations.append(.change(index, to: .inserted(at: 0, item))) }
            mutations += item.similarValues.prefix(1).map { .change(index, to: .inserted(at: place, $0)) }
        case .replaced(let place, let item):
            mutations += item.similarValues.prefix(1).map { .change(index, to: .replaced(at: place, $0)) }
        case .removed: break
        }
        return mutations
    }
}
