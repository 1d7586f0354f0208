import Foundation
package import ScenarioLanguage
package import ScenarioModel
import TemporalLogic

/// The criteria that select the scenarios for a command.
package struct SuiteSelection: Sendable {
    package var paths: [String]
    package var profile: String?
    package var tags: [String]
    package var excludedTags: [String] = []
    /// A pattern that a case's file or title must match; nil to accept all.
    package var pattern: CasePattern?
    /// The only cases to select, such as those that failed last time; nil to accept all.
    package var only: Set<CaseKey>?
    /// The line numbers given with a file (`a.yaml:13`), which select the cases at those lines.
    private(set) var lines: [String: Set<Int>] = [:]
    package var covers: [String]
    /// The names of the selected cases in `with:` tables.
    package var cases: [String]
    /// The shard of the selected cases that this machine runs; nil for all cases.
    package var shard: Shard?
    /// The catalogue in which every row (requirement) named in `covers:` must occur; nil to accept any row.
    package var catalogue: Catalogue?

    package init(
        paths: [String],
        profile: String? = nil,
        tags: [String] = [],
        covers: [String] = [],
        cases: [String] = [],
        shard: Shard? = nil,
        catalogue: Catalogue? = nil
    ) {
        var places: [String: Set<Int>] = [:]
        var wholeFiles: Set<String> = []
        self.paths = paths.map { path in
            guard let (file, line) = Self.located(path) else {
                wholeFiles.insert(path)
                return path
            }
            places[file, default: []].insert(line)
            return file
        }
        for file in wholeFiles { places[file] = nil }
        lines = places
        self.profile = profile
        self.tags = tags
        self.covers = covers
        self.cases = cases
        self.shard = shard
        self.catalogue = catalogue
    }

    /// Returns whether a case meets the criteria; ``shard`` is ignored.
    package func includes(_ scenario: Scenario) -> Bool {
        if let lines = lines[scenario.file], !lines.contains(where: scenario.isAt) { return false }
        if let only, !only.contains(scenario.caseKey) { return false }
        if scenario.tags.contains(where: excludedTags.contains) { return false }
        if let pattern, !pattern.matches(scenario) { return false }
        if !tags.isEmpty, !scenario.tags.contains(where: tags.contains) { return false }
        if !cases.isEmpty, scenario.variant.map({ cases.contains($0) }) != true { return false }
        if covers.isEmpty { return true }
        return scenario.expectations.contains { $0.covers.contains(where: covers.contains) }
    }
}

extension SuiteSelection {
    /// Splits a path such as `a.yaml:13` into file and line; returns nil if the whole path is an existing file.
    private static func located(_ path: String) -> (file: String, line: Int)? {
        guard let colon = path.lastIndex(of: ":"), let line = Int(path[path.index(after: colon)...]), line > 0 else {
            return nil
        }
        let file = String(path[..<colon])
        guard !FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: file) else {
            return nil
        }
        return (file, line)
    }
}

/// A case-insensitive regular expression for the files and titles of cases.
package struct CasePattern: Sendable {
    package let text: String

    /// Creates a pattern; returns nil if the text is not a valid regular expression.
    package init?(_ text: String) {
        guard (try? Regex(text)) != nil else { return nil }
        self.text = text
    }

    func matches(_ scenario: Scenario) -> Bool {
        guard let regex = try? Regex(text).ignoresCase() else { return false }
        return "\(scenario.file) \(scenario.title)".contains(regex)
    }
}

/// Finds and reads scenario files.
package enum ScenarioFiles {
    private static let endings = ["yaml", "yml"]

    /// The path that denotes standard input.
    package static let standardInput = "-"

    /// The contents of standard input, kept because it can be read only once and reports need it again.
    /// Nil if standard input is closed or is a folder.
    private static let standardInputContents = try? FileHandle.standardInput.readToEnd() ?? Data()

    /// Returns the contents of a scenario file or of standard input; nil if it cannot be read.
    static func contents(of path: String) -> Data? {
        path == standardInput ? standardInputContents : FileManager.default.contents(atPath: path)
    }

    /// The error for a file, or for standard input, that cannot be read.
    static func unreadable(_ path: String) -> SquallError {
        guard path == standardInput else { return .usage("'\(path)' cannot be read: \(unreadableReason(path))") }
        return .usage("standard input ('-') cannot be read: it is closed or not a file")
    }

    /// Returns the files in `paths` and all scenario files in the folders in `paths`, without duplicates, in the same
    /// order as `paths` and, within a folder, sorted by name.
    ///
    /// - Throws: ``SquallError`` if a path does not exist or a folder contains no scenario files.
    package static func find(_ paths: [String]) throws(SquallError) -> [String] {
        try findAll(paths).map(\.path)
    }

    /// A file found in the given paths.
    struct Found: Hashable {
        var path: String
        /// Whether the user named the file; a file found in a folder is not necessarily a scenario.
        var isNamed: Bool
    }

    static func findAll(_ paths: [String]) throws(SquallError) -> [Found] {
        var files: [Found] = []
        // The key is the real path, because `a.yaml` and `./a.yaml` are the same file. It is compared as bytes, because
        // Swift's `==` for strings equates composed and decomposed characters, which file systems distinguish.
        var places: [[UInt8]: Int] = [:]
        for path in paths {
            if path == standardInput {
                if !files.contains(where: { $0.path == path }) { files.append(Found(path: path, isNamed: true)) }
                continue
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .usage("there is no file or folder '\(path)'\(hasInvalidName(path) ? ": \(invalidName)" : "")")
            }
            let found = isFolder.boolValue ? try below(path) : [path]
            if isFolder.boolValue, found.isEmpty { throw .usage("the folder '\(path)' contains no .yaml file") }
            for file in found {
                let real = Array(URL(fileURLWithPath: file).resolvingSymlinksInPath().standardizedFileURL.path.utf8)
                if let place = places[real] {
                    if !isFolder.boolValue { files[place].isNamed = true }
                    continue
                }
                places[real] = files.count
                files.append(Found(path: file, isNamed: !isFolder.boolValue))
            }
        }
        return files
    }

    private static func below(_ folder: String) throws(SquallError) -> [String] {
        guard let walk = FileManager.default.enumerator(atPath: "\(folder)/") else {
            throw .usage("the folder '\(folder)' cannot be read")
        }
        var names: [String] = []
        while let name = walk.nextObject() as? String {
            guard endings.contains((name as NSString).pathExtension) else { continue }
            if walk.fileAttributes?[.type] as? FileAttributeType != .typeDirectory { names.append(name) }
        }
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        return names.sorted().map { "\(base)/\($0)" }
    }

    /// Returns whether the file's name contains bytes that are not valid UTF-8. They were replaced with U+FFFD when the
    /// path became a `String`, so the file can no longer be opened with this path.
    private static func hasInvalidName(_ path: String) -> Bool { path.unicodeScalars.contains("\u{FFFD}") }

    private static let invalidName = "its name is not valid UTF-8 (\u{FFFD} marks the invalid bytes); rename it"

    private static func unreadableReason(_ file: String) -> String {
        guard let handle = fopen(file, "r") else {
            return errno == ENOENT && hasInvalidName(file) ? invalidName : String(cString: strerror(errno)).lowercased()
        }
        defer { fclose(handle) }
        // Opening a folder succeeds, but reading from it fails.
        errno = 0
        _ = fgetc(handle)
        return errno == 0 ? "reading it failed" : String(cString: strerror(errno)).lowercased()
    }

    package static func read(_ file: String) throws(SquallError) -> SourceText {
        guard let data = contents(of: file) else { throw unreadable(file) }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw .scenarios("\(file):1:1: error: this is not text in UTF-8\n   = help: a scenario is a YAML file")
        }
        return SourceText(file: file, text: text)
    }
}
