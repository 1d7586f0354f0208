import Conformance
import Foundation
import SquallCore
import Testing

/// What the published suite said of libraries, recorded case by case; how it was run stands in the file.
struct Recorded {
    struct Outcome: Equatable {
        var behavior: String
        var closeBehavior: String
        var code: Int64?
    }

    /// Verdicts that depend on how the bytes of several writes reach the peer: OK where it reads the first message alone, and
    /// NON-STRICT where it reads the fault with it. The published suite gives both to the same peer in different runs.
    static let timed: Set<String> = ["3.2", "3.3", "3.4", "4.1.3", "4.1.4", "4.1.5", "4.2.3", "4.2.4", "4.2.5", "5.15"]

    let outcomes: [String: Outcome]

    /// `kind` is `clients` or `servers`.
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

    /// Every case of which the two suites say different things, and why not where it may.
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
            // Where the peer has broken the protocol itself we end at once and read no close of its own.
            if ours.behavior == "FAILED" && recorded.behavior == "FAILED" && result.failedByUs { return nil }
            return "\(id): recorded \(recorded), now \(ours) (\(result.why))"
        }
    }
}
