import Foundation
package import ScenarioModel
import SquallCore

extension Suite {
    /// Returns a description, for reports, of how a suite is selected and run.
    ///
    /// - Parameters:
    ///   - scenarios: All cases in the selected files.
    ///   - selection: The criteria that select the cases.
    ///   - options: The options for running the suite.
    ///   - command: The arguments of the command line, beginning with the program.
    ///   - variable: Returns the value of the environment variable with a given name.
    /// - Returns: The origin of the suite's results.
    /// - Throws: ``SquallError`` if the selection is empty.
    package static func origin(
        of scenarios: [Scenario],
        _ selection: SuiteSelection,
        _ options: SuiteOptions,
        command: [String],
        variable: (String) -> String?
    ) throws(SquallError) -> SuiteOrigin {
        var whole = selection
        whole.shard = nil
        // A selection of changed scenarios, or of the scenarios that failed last time, may be empty.
        let chosen = scenarios.isEmpty ? [] : try chosen(of: scenarios, whole)
        var origin = SuiteOrigin(
            version: SquallVersion.current,
            suite: digest(of: chosen, profile: selection.profile),
            cases: chosen.count,
            seed: options.seed,
            times: options.times,
            worlds: options.worlds,
            client: options.client.name,
            profile: selection.profile,
            defects: options.defects,
            part: selection.shard.map { SuiteOrigin.Part(index: $0.index, count: $0.count) },
            command: SuiteOrigin.text(ofCommand: command),
            // The date tells readers of a report when the suite ran. No run depends on it.
            date: Date().formatted(.iso8601),
            commit: SourceCommit.current(variable)
        )
        origin.host = hostName
        return origin
    }

    /// The host name of this machine, obtained without a DNS lookup; nil if the machine has no host name.
    private static var hostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// Returns a digest of the cases and of the contents of their scenario files and profile.
    private static func digest(of scenarios: [Scenario], profile: String?) -> String {
        var hash = FNV1a()
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash.combine(byte) }
            // UTF-8 never contains the byte 0xFF, so it unambiguously separates the texts.
            hash.combine(0xFF as UInt8)
        }
        var files: Set<String> = []
        for scenario in scenarios {
            add(scenario.file.utf8)
            add((scenario.variant ?? "").utf8)
            if files.insert(scenario.file).inserted {
                add(ScenarioFiles.contents(of: scenario.file) ?? Data())
            }
        }
        if let profile { add(FileManager.default.contents(atPath: profile) ?? Data(profile.utf8)) }
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension SuiteOrigin {
    /// Returns a command line as one line of text, with `squall` in place of the program's path.
    static func text(ofCommand words: [String]) -> String {
        (["squall"] + words.dropFirst()).map(ShellWord.quoted).joined(separator: " ")
    }
}

/// Determines the source commit that reports record for a suite.
package enum SourceCommit {
    /// The environment variables that contain the commit on GitHub, GitLab and Jenkins.
    private static let variables = ["GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"]

    /// Returns the commit in the CI system's environment variable. If there is no such variable, returns the commit of
    /// the repository that contains the current folder, or nil if there is no such repository.
    static func current(_ variable: (String) -> String?) -> String? {
        variables.lazy.compactMap(variable).first ?? commit(around: FileManager.default.currentDirectoryPath)
    }

    /// Returns the commit checked out in the repository that contains a folder; nil if there is no repository or no
    /// commit.
    package static func commit(around folder: String) -> String? {
        // If the current folder has been deleted, its path is empty.
        guard folder.hasPrefix("/") else { return nil }
        var place = URL(fileURLWithPath: folder).standardizedFileURL
        for _ in place.pathComponents {
            let git = place.appendingPathComponent(".git")
            if FileManager.default.fileExists(atPath: git.path) { return head(of: git) }
            place.deleteLastPathComponent()
        }
        return nil
    }

    /// Returns the commit of `HEAD` in a `.git` folder, or in the folder that a worktree's `.git` file refers to.
    private static func head(of git: URL) -> String? {
        var folder = git
        if let line = text(git), line.hasPrefix("gitdir: ") {
            folder = URL(fileURLWithPath: String(line.dropFirst(8)), relativeTo: git.deletingLastPathComponent())
        }
        guard let head = text(folder.appendingPathComponent("HEAD")) else { return nil }
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst(5))
        // The branches of a worktree are stored in the main repository's `.git` folder.
        let common = text(folder.appendingPathComponent("commondir")).map { path in
            URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder.path, isDirectory: true))
        }
        for place in [folder, common ?? folder] {
            if let commit = text(place.appendingPathComponent(name)) { return commit }
            let packed = text(place.appendingPathComponent("packed-refs")) ?? ""
            let line = packed.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
            if let line, let commit = line.split(separator: " ").first { return String(commit) }
        }
        return nil
    }

    private static func text(_ file: URL) -> String? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
