import Foundation
package import ScenarioModel
import SquallCore

extension Suite {
    /// How a suite is selected and played, for its reports.
    ///
    /// - Parameters:
    ///   - scenarios: All cases of the selection's files.
    ///   - selection: What is selected of them.
    ///   - options: How they are played.
    ///   - command: The words of the command line.
    ///   - variable: Returns a variable of the environment.
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
        let chosen = try chosen(of: scenarios, whole)
        let client = options.client.options.dropFirst()
        var origin = SuiteOrigin(
            version: SquallVersion.current,
            suite: digest(of: chosen, profile: selection.profile),
            cases: chosen.count,
            seed: options.seed,
            times: options.times,
            worlds: options.worlds,
            client: client.isEmpty ? "reference" : client.joined(separator: " "),
            profile: selection.profile,
            defects: options.defects,
            part: selection.shard.map { SuiteOrigin.Part(index: $0.index, count: $0.count) },
            command: SuiteOrigin.text(ofCommand: command),
            date: Date().formatted(.iso8601),
            commit: SourceCommit.current(variable)
        )
        origin.host = hostName
        return origin
    }

    /// The name of this machine, which is not looked up in the network; nil if it has none.
    private static var hostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// A digest of cases and of the text of their files.
    private static func digest(of scenarios: [Scenario], profile: String?) -> String {
        var hash = FNV1a()
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash.combine(byte) }
            // UTF-8 never contains this byte, so the end of each text is unambiguous.
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
    /// The words of a command line as one line, without the path of the program.
    static func text(ofCommand words: [String]) -> String {
        (["squall"] + words.dropFirst()).map(ShellWord.quoted).joined(separator: " ")
    }
}

/// Finds the commit that a suite is played at.
package enum SourceCommit {
    /// The variables in which GitHub, GitLab and Jenkins have the commit.
    private static let variables = ["GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"]

    /// The commit that a build server names, else that of the repository around the current folder; nil for none.
    static func current(_ variable: (String) -> String?) -> String? {
        variables.lazy.compactMap(variable).first ?? commit(around: FileManager.default.currentDirectoryPath)
    }

    /// The commit that is checked out in the repository around a folder; nil if it is in none or has no commit.
    package static func commit(around folder: String) -> String? {
        var place = URL(fileURLWithPath: folder).standardizedFileURL
        while true {
            let git = place.appendingPathComponent(".git")
            if FileManager.default.fileExists(atPath: git.path) { return head(of: git) }
            guard place.path != "/" else { return nil }
            place.deleteLastPathComponent()
        }
    }

    /// The commit of `HEAD` in a `.git` folder, or in the folder that a `.git` file of a worktree names.
    private static func head(of git: URL) -> String? {
        var folder = git
        if let line = text(git), line.hasPrefix("gitdir: ") {
            folder = URL(fileURLWithPath: String(line.dropFirst(8)), relativeTo: git.deletingLastPathComponent())
        }
        guard let head = text(folder.appendingPathComponent("HEAD")) else { return nil }
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst(5))
        // The branches of a worktree are in the folder of its repository.
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
