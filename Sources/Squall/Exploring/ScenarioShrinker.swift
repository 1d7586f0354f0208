import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic

/// Shrinks a failing scenario file, whether it was generated or written by hand.
package struct ScenarioShrinker: Sendable {
    package struct Result: Sendable {
        /// The text of the shrunk scenario file.
        package var text: String
        package var why: String
        package var sizes: (before: Int, after: Int)
        package var tries: Int
        package var isMinimal: Bool
        package var replay: String
    }

    private let options: ExploreOptions
    private let file: String

    /// Creates a shrinker for a scenario file.
    ///
    /// - Parameter options: The client, the defects and the seed.
    package init(_ file: String, _ options: ExploreOptions) {
        (self.file, self.options) = (file, options)
    }

    /// Shrinks the case named `variant` or, if it is nil, the first case that fails. `path` is the file to which the
    /// caller writes the result.
    ///
    /// - Throws: ``SquallError`` if the file is invalid, the case does not exist, or no case fails.
    package func shrink(case variant: String?, writingTo path: String) async throws -> Result {
        let source = try ScenarioFiles.read(file)
        let scenarios = try Suite.load(source).filter { variant == nil || $0.variant == variant }
        if let variant, scenarios.isEmpty { throw SquallError.usage("'\(file)' has no case '\(variant)'") }
        let names = try Profiles.named(ProfileReader.names)
        let player = TrialPlayer(options: options, profiles: try Profiles.all(with: names), file: file)
        for scenario in scenarios {
            let played = try await player.play(scenario, seed: options.seed, .whole)
            guard let first = played.violations.min(by: { $0.time < $1.time }) else { continue }
            guard let draft = ScenarioReader.draft(source, variant: scenario.variant),
                let same = player.read(draft)
            else {
                throw SquallError.failed("'\(file)' cannot be split into its steps")
            }
            let again = try await player.play(same, seed: options.seed, .whole)
            guard let violation = again.violations.first(where: { $0.cause == first.cause }) else {
                throw SquallError.failed("'\(file)' does not fail with the same cause when its steps are written again")
            }
            var shrinking = Shrinking(draft, violation, seed: options.seed, player)
            try await shrinking.shrink { _, _, _ in }
            return result(shrinking, of: scenario, draft, player, path)
        }
        throw SquallError.usage("'\(file)' does not fail\(variant.map { " in the case '\($0)'" } ?? "")")
    }

    private func result(
        _ shrinking: Shrinking,
        of scenario: Scenario,
        _ draft: Draft,
        _ player: TrialPlayer,
        _ path: String
    ) -> Result {
        let isComparison = shrinking.violation.cause.judge == Cause.against
        let replay =
            isComparison
            ? FindingText.comparison(path, options, seed: shrinking.seed)
            : FindingText.replay(path, options, seed: shrinking.seed)
        let sizes = (before: draft.size, after: shrinking.best.size)
        var comments = [
            "\(file)\(scenario.variant.map { " (\($0))" } ?? "") shrunk by squall \(SquallVersion.current): "
                + "\(sizes.before) steps became \(sizes.after) in \(shrinking.tries) runs."
        ]
        if shrinking.isMinimal { comments.append("If any single step is removed, it passes.") }
        comments.append("")
        comments.append("\(shrinking.violation.cause.judge): \(shrinking.violation.why)")
        comments += shrinking.violation.story.map { "  \($0)" }
        comments += ["", "Replay: \(replay)"]
        let head = ScenarioWriter.Head(name: scenario.name, comments: comments)
        return Result(
            text: player.text(of: shrinking.best, head),
            why: shrinking.violation.why,
            sizes: sizes,
            tries: shrinking.tries,
            isMinimal: shrinking.isMinimal,
            replay: replay
        )
    }
}
