package import ScenarioLanguage
package import ScenarioModel
package import SquallCore
import TemporalLogic

/// Loads, selects and runs suites of scenarios.
package enum Suite {
    /// Reads and checks all files in a selection and returns the selected cases.
    ///
    /// - Returns: The cases; empty only for a shard of a suite that has fewer cases than shards.
    /// - Throws: ``SquallError`` with the errors in all files, or if no case is selected.
    package static func load(_ selection: SuiteSelection) throws(SquallError) -> [Scenario] {
        let all = try loadAll(selection)
        return try chosen(of: all, selection)
    }

    /// Reads and checks all files in a selection and returns all of their cases; ``chosen(of:_:)`` then selects among
    /// them.
    package static func loadAll(_ selection: SuiteSelection) throws(SquallError) -> [Scenario] {
        let profiles = try profileCache(with: selection.profile)
        var scenarios: [Scenario] = []
        var rejected = RejectedFiles()
        var unreadable: [SquallError] = []
        for file in try ScenarioFiles.findAll(selection.paths) {
            let source: SourceText
            do throws(SquallError) {
                source = try ScenarioFiles.read(file.path)
            } catch {
                unreadable.append(error)
                continue
            }
            if let beyond = selection.absentLine(in: source) { throw .usage(beyond) }
            let read = ScenarioReader.read(
                source,
                profile: selection.profile,
                profiles: profiles.files,
                catalogue: selection.catalogue
            )
            switch read {
            case .success(let cases):
                scenarios += cases
                rejected.add(source)
            case .failure(let found): rejected.add(file, source, mistakes: FileMistakes(found, in: source))
            }
        }
        let found = profiles.mistakes + rejected.mistakes(asked: profiles.asked)
        if found.isEmpty, unreadable.count == 1 { throw unreadable[0] }
        let mistakes = unreadable.map(FileMistakes.init) + found
        guard mistakes.isEmpty else { throw .scenarios(mistakes.rendered) }
        guard !scenarios.isEmpty else {
            throw .usage("there is no scenario in \(selection.paths.map { "'\($0)'" }.joined(separator: ", "))")
        }
        return scenarios
    }

    /// Reads the cases of a scenario given as text; error messages use the file name in `source`.
    package static func load(_ source: SourceText, profile: String? = nil) throws(SquallError) -> [Scenario] {
        let profiles = try profileCache(with: profile)
        switch ScenarioReader.read(source, profile: profile, profiles: profiles.files) {
        case .success(let cases): return cases
        case .failure(let found):
            throw .scenarios((profiles.mistakes + [FileMistakes(found, in: source)]).rendered)
        }
    }

    /// Creates a cache of profile files and checks that `profile`, a path or the name of a built-in profile, exists.
    private static func profileCache(with profile: String?) throws(SquallError) -> ProfileCache {
        let profiles = ProfileCache()
        if let profile {
            if ProfileFiles.isPath(profile) {
                try profiles.require(profile)
            } else if !ProfileReader.names.contains(profile) {
                let names = ProfileReader.names.joined(separator: ", ")
                throw .usage("there is no profile '\(profile)'; there are: \(names), and files: ./\(profile).yaml")
            }
        }
        return profiles
    }

    /// Returns the cases selected by name, tag and row, limited to those in the selected shard of the suite.
    ///
    /// - Throws: ``SquallError`` if a name, tag or row is unknown, or if no case matches all criteria.
    package static func chosen(
        of scenarios: [Scenario],
        _ selection: SuiteSelection
    ) throws(SquallError) -> [Scenario] {
        if let unknown = selection.unknownWord(in: scenarios) { throw .usage(unknown) }
        let chosen = scenarios.filter(selection.includes)
        guard !chosen.isEmpty else { throw .usage(selection.absence(in: scenarios)) }
        return selection.shard?.selected(of: chosen) ?? chosen
    }

    /// Runs all cases and returns their results in the same order.
    ///
    /// If the task is cancelled, the runs in progress are ended, and the result contains the cases run so far and is
    /// marked as interrupted.
    ///
    /// - Throws: ``SquallError`` if an option is invalid or a required resource is unavailable.
    package static func play(
        _ scenarios: [Scenario],
        _ options: SuiteOptions,
        progress: @escaping @Sendable (SuiteProgress) -> Void = { _ in }
    ) async throws -> SuiteResult {
        guard 1...SuiteOptions.maximumRepetitions ~= options.times else {
            throw SquallError.usage(
                "each case is played between 1 and \(SuiteOptions.maximumRepetitions) times, not \(options.times)"
            )
        }
        return try await SuitePlay(scenarios, options, progress: progress).play()
    }

    /// Plans one run of a case with the selected defects.
    ///
    /// - Throws: ``SquallError`` if a defect does not exist or does not apply to the selected client, or if the event
    ///   at which the run must be paused is invalid.
    package static func plan(_ scenario: Scenario, _ options: SuiteOptions, seed: Seed) throws(SquallError) -> RunPlan {
        var plan = RunPlan(scenario, seed: seed)
        if let hold = options.hold { plan.holdAt = try hold.condition(in: scenario) }
        try check(defects: options.defects, of: options.client)
        for name in options.defects { _ = plan.add(defect: name) }
        return plan
    }

    /// Checks that all defects exist and apply to the client.
    ///
    /// - Throws: ``SquallError`` about the first defect that does not exist or does not apply.
    package static func check(defects: [String], of client: ClientChoice) throws(SquallError) {
        let known = RunPlan.defectNames
        for name in defects {
            guard known.contains(name) else {
                let near = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
                throw .usage("there is no defect '\(name)'; \(near ?? "'squall explain defects' lists them all")")
            }
            guard client == .reference || !RunPlan.isOfReferenceClient(defect: name) else {
                throw .usage(
                    "'\(name)' is a defect of Squall's own client; with --client only the server's can be chosen"
                )
            }
        }
    }
}
