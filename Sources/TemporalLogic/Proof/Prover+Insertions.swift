import SquallCore
import Trace

extension Prover {
    /// Returns mutations that insert the formula's violations at several instants: at the first ten events in `order`,
    /// then in the middle, at the end and at the start of the run. `order` lists the events that the expectation read.
    func insertions(after order: [Int], in recording: Recording) -> [Mutation] {
        let violations = expectation.formula.claim.violations(for: expectation.clients.first)
        guard !violations.isEmpty else { return [] }
        let read = order.prefix(10).filter(recording.events.indices.contains).map { recording.events[$0].time }
        let half = Instant(nanoseconds: recording.end.nanoseconds / 2)
        var moments: [Instant] = []
        for moment in read + [half, recording.end, .zero] where !moments.contains(moment) { moments.append(moment) }
        return moments.flatMap { moment in
            violations.map { .insert($0.observations, client: $0.client, at: moment) }
        }
    }
}
