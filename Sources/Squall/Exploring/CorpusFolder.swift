import Exploration
import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Reads a guided exploration's initial drafts from scenario files, and writes the drafts that the exploration keeps.
struct CorpusFolder: Sendable {
    let options: ExploreOptions
    let player: TrialPlayer

    /// The maximum number of clients in a draft: one run with many clients can take as long as a hundred others.
    private static let maximumClients = 8
    /// The maximum number of features listed in a file's comment.
    private static let maximumListed = 3

    /// Runs the cases in the scenario files in virtual time, and returns those that can be varied, each with the
    /// features that its run exhibited.
    ///
    /// Two kinds of cases are omitted: those that fail, and those that a generated draft cannot express, such as a case
    /// that defines its own frames.
    ///
    ///  - Throws: ``SquallError`` if there are no such cases, or a file is invalid.
    func read(progress: @escaping @Sendable (Int, Int) -> Void) async throws -> [(
        entry: Corpus.Entry, features: Set<Feature>
    )] {
        var paths = options.starts
        if let folder = options.corpus, FileManager.default.fileExists(atPath: folder) { paths.append(folder) }
        guard !paths.isEmpty else { return [] }
        let scenarios: [Scenario]
        do throws(SquallError) {
            scenarios = try Suite.load(SuiteSelection(paths: paths))
        } catch {
            // The corpus folder may still be empty at the start of an exploration.
            guard options.starts.isEmpty, (try? ScenarioFiles.findAll(paths))?.isEmpty ?? true else { throw error }
            return []
        }
        var perturbing = PerturbOptions()
        perturbing.seed = options.seed
        let chosen = perturbing
        let meter = Meter(total: scenarios.count) { progress($0.done, $0.total) }
        let profiles = player.profiles
        let read = await Parallel.map(scenarios.count, jobs: options.jobs) {
            index -> Result<(entry: Corpus.Entry, features: Set<Feature>)?, any Error> in
            defer { meter.step(scenarios[index].name) }
            return Result {
                let played = PerturbedCase(scenario: scenarios[index], options: chosen, quota: nil)
                guard !Task.isCancelled, scenarios[index].clients.count <= Self.maximumClients,
                    case .played(let baseline, _) = try played.undisturbed(
                        PerturbedCase.player(for: scenarios[index].file, chosen)
                    ), var entry = baseline.corpusEntry, !entry.instants.isEmpty,
                    let profile = profiles[entry.draft.profile]
                else { return nil }
                entry.draft = entry.draft.legalised(profile)
                return (entry, baseline.features)
            }
        }
        let found = try read.compactMap { try $0.get() }
        guard !found.isEmpty || options.starts.isEmpty || Task.isCancelled else {
            throw SquallError.usage(
                "none of the \(scenarios.count) cases can be varied; see 'squall help explore play'"
            )
        }
        return found
    }

    /// Writes the drafts of the corpus that have no file yet.
    ///
    /// - Throws: ``SquallError`` if a file cannot be written.
    func write(_ corpus: Corpus) throws(SquallError) {
        guard let folder = options.corpus else { return }
        try ReportFolder.makeFolder(folder)
        for (entry, features) in corpus.owned {
            var draft = entry.draft
            // The draft's final fault-free period is not written, because `squall run` appends one to every run.
            draft.ending = .none
            let listed = features.sorted().prefix(Self.maximumListed).map { "  \($0)" }
            let more = features.count > listed.count ? ["  and \(features.count - listed.count) more"] : []
            let head = ScenarioWriter.Head(
                name:
                    "\(draft.size) steps that show \(features.count == 1 ? "a feature" : "\(features.count) features")",
                comments: ["Kept by squall explore, because no smaller scenario has shown:"] + listed + more
            )
            let text = player.text(of: draft, head)
            // The file name depends only on the steps, so that the same draft is not written twice.
            let steps = player.text(of: draft, ScenarioWriter.Head(name: "", comments: []))
            var digest = Seed(0).stream(steps)
            let path = "\(folder)/\(draft.size)-\(String(digest.next(), radix: 16)).yaml"
            if !FileManager.default.fileExists(atPath: path) { try WholeFile.write(text, to: path) }
        }
    }
}
