import SquallCore
import Trace

extension Prover {
    /// Returns mutations that insert the formula's violations at several instants: at the first ten events in `order`
    /// that may concern the violation's client, then in the middle, at the end and at the start of the run. `order`
    /// lists the events that the expectation read.
    func insertions(after order: [Int], in recording: Recording) -> [Mutation] {
        let violations = expectation.formula.claim.violations(for: expectation.clients.first)
        guard !violations.isEmpty else { return [] }
        let read = order.filter(recording.events.indices.contains).map { recording.events[$0] }
        let half = Instant(nanoseconds: recording.end.nanoseconds / 2)
        return violations.flatMap { violation -> [Mutation] in
            // In a scenario with many clients, most events concern other clients than the one that is to violate it.
            let own = read.filter { violation.client == nil || $0.client == nil || $0.client == violation.client }
            var moments: [Instant] = []
            for moment in own.prefix(10).map(\.time) + [half, recording.end, .zero] where !moments.contains(moment) {
                moments.append(moment)
            }
            return moments.map { Mutation.insert(violation.observations, client: violation.client, at: $0) }
        }
    }
}
