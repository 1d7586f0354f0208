import Conformance
import Foundation
import SquallCore
import Testing

/// The Autobahn test suite's verdict on a library for each case. The JSON file states how the suite was run.
struct Recorded {
    struct Outcome: Equatable {
        var behavior: String
        var closeBehavior: String
        var code: Int64?
    }

    /// The cases whose verdict depends on how the bytes of several writes are split across the peer's reads.
    ///
    /// A peer that reads the first message separately gets OK; a peer that reads it together with the protocol
    /// violation gets NON-STRICT. The Autobahn test suite's verdict on the same peer varies from run to run.
    static let timed: Set<String> = ["3.2", "3.3", "3.4", "4.1.3", "4.1.4", "4.1.5", "4.2.3", "4.2.4", "4.2.5", "5.15"]

    let outcomes: [String: Outcome]

    /// Reads a recording. `kind` is `clients` or `servers`.
    init(_ kind: String, _ agent: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Recorded/autobahn.json"
        )
        let json = try JSON.decode(Array(Data(contentsOf: file)))
        let cases = try #require(json[kind]?[agent]?.members)
        outcomes = Dictionary(
            uniqueKeysWithValues: cases.compactMap { member in
                guard let behavior = member.value[0]?.stringValue, let close = member.value[1]?.stringValue else {
                    return nil
                }
                return (member.name, Outcome(behavior: behavior, closeBehavior: close, code: member.value[2]?.intValue))
            }
        )
    }

    /// Describes the cases on which the two suites disagree without a known reason.
    func disagreements(with results: [ConformanceResult]) -> [String] {
        results.compactMap { result in
            let id = result.id.description
            guard let recorded = outcomes[id] else { return nil }
            let ours = Outcome(
                behavior: result.behavior.rawValue,
                closeBehavior: result.closeBehavior.rawValue,
                code: result.remoteCode.map { Int64($0) }
            )
            if ours == recorded { return nil }
            let isTimed = Self.timed.contains(id) && ["OK", "NON-STRICT"].contains(ours.behavior)
            if isTimed && ["OK", "NON-STRICT"].contains(recorded.behavior)
                && ours.closeBehavior == recorded.closeBehavior
            {
                return nil
            }
            // If the peer has violated the protocol, Squall closes the connection at once, without waiting for the
            // peer's close frame.
            if ours.behavior == "FAILED" && recorded.behavior == "FAILED" && result.failedByUs { return nil }
            return "\(id): recorded \(recorded), now \(ours) (\(result.why))"
        }
    }
}
