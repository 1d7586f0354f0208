import ChatWire
import Conformance
import FakeServer
package import ScenarioModel
package import SquallCore
import WebSocketWire

/// Plays the conformance cases of the catalogue's rows against the fake server, without defects and with each of the
/// server defects of these rows.
///
/// The server's own events in a scenario would prove nothing about the server.
package enum ServerTrials {
    /// A target with all features that a case may require.
    private static let target = ChatTarget(
        otherKey: "key-1",
        replaysUntilAcknowledged: true,
        locksConversations: true,
        checksFreshness: true,
        clock: ServerProfile().clock.epoch
    )

    /// Returns one trial for each pattern in the catalogue's rows.
    package static func play(_ catalogue: Catalogue, seed: Seed) -> [ConformanceTrial] {
        let cases = ChatCatalogue.cases(target).filter {
            $0.judged == .server && ChatCatalogue.obstacle($0, target) == nil
        }
        return Set(catalogue.rows.flatMap(\.conformance)).sorted().map { pattern in
            let named = cases.filter { $0.summary.id.matches(pattern) }
            let rows = catalogue.rows.filter { $0.conformance.contains(pattern) }
            let defects = Set(rows.flatMap(\.defects)).compactMap(ServerDefect.named)
            return ConformanceTrial(
                pattern: pattern,
                cases: named.count,
                failure: named.lazy.compactMap { failure(of: $0, ServerPolicy(), seed) }.first,
                tried: Set(defects.map(\.name)),
                catches: Set(
                    defects.filter { defect in
                        var policy = ServerPolicy()
                        defect.change(&policy)
                        return named.contains { failure(of: $0, policy, seed) != nil }
                    }.map(\.name)
                )
            )
        }
    }

    /// Returns the reason why a case does not pass; nil if it passes. An optional feature that the server lacks is a
    /// failure.
    private static func failure(of subject: ChatCase, _ policy: ServerPolicy, _ seed: Seed) -> String? {
        var profile = ServerProfile()
        profile.replay.mode = .untilAcknowledged
        profile.auth.window = .seconds(300)
        // A case that is not about locks may send a second message, which the server would reject while it works on the
        // first.
        if subject.needs.contains(.lockedConversations) { profile.work.span = .seconds(60) }
        let server = ChatServer(profile: profile, policy: policy, wire: target.wire, seed: seed)
        var run = SimulatedChatCase(subject, target, server)
        guard let result = run.play() else { return "\(subject.summary.id): the case does not end" }
        return result.behavior == .ok ? nil : "\(subject.summary.id): \(result.why)"
    }
}
