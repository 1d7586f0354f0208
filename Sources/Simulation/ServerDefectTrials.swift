import ChatWire
import Conformance
import FakeServer
package import ScenarioModel
package import SquallCore
import WebSocketWire

/// Runs the conformance cases named in a catalogue's rows (requirements) against the fake server: once without defects,
/// and once with each server defect named in the rows.
///
/// A scenario could not test the server this way, because its only evidence would be the server's own events.
package enum ServerDefectTrials {
    /// A target that supports every feature a case may require.
    private static let target = ChatTarget(
        otherKey: "key-1",
        foreignConversation: "raynor",
        replaysUntilAcknowledged: true,
        locksConversations: true,
        checksFreshness: true,
        listsDeletedLast: true,
        clock: ServerProfile().clock.epoch
    )

    /// Returns one trial for each case pattern in the catalogue's rows.
    package static func play(_ catalogue: Catalogue, seed: Seed) -> [ConformanceTrial] {
        let cases = ChatCatalogue.cases(target).filter {
            $0.testedRole == .server && ChatCatalogue.reasonNotRunnable($0, target) == nil
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

    /// Returns the reason why a case failed, or nil if it passed. An optional feature that the server lacks counts as a
    /// failure.
    private static func failure(of testCase: ChatCase, _ policy: ServerPolicy, _ seed: Seed) -> String? {
        var profile = ServerProfile()
        profile.replay.mode = .untilAcknowledged
        profile.auth.window = .seconds(300)
        profile.page.order = .byIndex
        // Only cases about conversation locks need the server to work slowly. Other cases may send a second message,
        // which the server would reject while it is still working on the first.
        if testCase.needs.contains(.lockedConversations) { profile.work.span = .seconds(60) }
        let server = ChatServer(profile: profile, policy: policy, wire: target.wire, seed: seed)
        var run = SimulatedChatCase(testCase, target, server)
        guard let result = run.play() else { return "\(testCase.summary.id): the case does not end" }
        return result.behavior == .ok ? nil : "\(testCase.summary.id): \(result.why)"
    }
}
