package import ScenarioModel

/// One part of a suite that several machines share: `--shard 2/5`.
package struct Shard: Hashable, Sendable {
    /// The number of this part, from 1.
    package let index: Int
    package let count: Int

    /// Parses `INDEX/COUNT` with 1 ≤ index ≤ count; nil for any other text.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count >= 1, 1...count ~= index else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    /// The cases of this part; consecutive cases go to different parts, so that the slow cases of one file are
    /// distributed.
    package func selected(of scenarios: [Scenario]) -> [Scenario] {
        scenarios.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }
}
