import Foundation
import ScenarioLanguage
import ScenarioModel
import Squall
public import Testing

/// Reads scenarios from a folder, a file, or YAML in a string.
public enum Scenarios {
    /// Returns every case of every scenario below a path, sorted by file name, for use as the arguments of a
    /// parameterised test.
    ///
    /// - Parameters:
    ///   - path: A scenario file, or a folder that is searched for `.yaml` and `.yml` files. A relative path is looked
    ///     up in the folder of the calling file, then in the folders above it, up to the package's folder.
    ///   - profile: A profile that replaces the scenarios' profiles: the name of a built-in profile, or an absolute
    ///     path.
    ///   - tags: Selects the scenarios that have at least one of these tags; empty to select all scenarios.
    ///   - file: The calling file; omit this argument.
    /// - Returns: The cases, at least one.
    /// - Throws: ``SquallTestingError`` if there is no scenario, if no scenario has one of the tags, or if a file is
    ///   invalid; the message then lists every error in every file.
    public static func cases(
        in path: String,
        profile: String? = nil,
        tags: [String] = [],
        file: String = #filePath
    ) throws(SquallTestingError) -> [ScenarioCase] {
        let found = try ScenarioPath.resolve(path, from: file)
        do throws(SquallError) {
            let scenarios = try Suite.load(SuiteSelection(paths: [found], profile: profile, tags: tags))
            return scenarios.map { ScenarioCase($0, origin: .file(ScenarioPath.absolute($0.file)), profile: profile) }
        } catch {
            throw SquallTestingError(error)
        }
    }

    /// Reads a scenario from a string in the test: one case, or the cases of its `with:` table.
    ///
    /// - Parameters:
    ///   - yaml: The complete scenario, as in a file.
    ///   - name: The name of the string in messages, as in `name:3:5`.
    ///   - profile: A profile that replaces the scenario's profile: the name of a built-in profile, or an absolute
    ///     path.
    ///   - sourceLocation: The location at which failures are reported, because Swift does not provide the location of
    ///     the string.
    /// - Returns: The cases, at least one.
    /// - Throws: ``SquallTestingError`` with every error in the scenario.
    public static func cases(
        yaml: String,
        name: String = "scenario",
        profile: String? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(SquallTestingError) -> [ScenarioCase] {
        do throws(SquallError) {
            let scenarios = try Suite.load(SourceText(file: name, text: yaml), profile: profile)
            return scenarios.map { ScenarioCase($0, origin: .code(sourceLocation), profile: profile) }
        } catch {
            throw SquallTestingError(error)
        }
    }
}

/// Resolves the paths that tests specify.
enum ScenarioPath {
    /// Finds `path` in the folder of `file` or in a folder above it.
    ///
    /// - Returns: A path relative to the working directory if the file is below that directory, so that the path can be
    ///   copied into a shell; otherwise an absolute path.
    static func resolve(_ path: String, from file: String) throws(SquallTestingError) -> String {
        guard !path.hasPrefix("/") else { return path }
        let manager = FileManager.default
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
        while true {
            let candidate = folder.appendingPathComponent(path).standardizedFileURL.path
            if manager.fileExists(atPath: candidate) { return shortened(candidate) }
            let isPackage = manager.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
            let above = folder.deletingLastPathComponent().standardizedFileURL
            guard !isPackage, above.path != folder.path else { break }
            folder = above
        }
        throw SquallTestingError(
            .usage,
            "there is no file or folder '\(path)' next to \(file), or in a folder above it up to \(folder.path)"
        )
    }

    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    private static func shortened(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) && here != "/" ? String(path.dropFirst(here.count)) : path
    }
}
