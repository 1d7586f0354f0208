package import ScenarioModel
import TemporalLogic

/// Access to profiles in the user's own files.
///
/// This module reads no files itself; its caller passes the function that does.
package struct ProfileFiles: Sendable {
    /// The result of loading a profile's file.
    package enum Answer: Sendable {
        case profile(Profile)
        /// The file has mistakes, which the loader reports once.
        case wrong
        /// The file cannot be read, and why.
        case unreadable(String)
    }

    /// Loads the profile in the file at a path.
    package var load: @Sendable (String) -> Answer

    package init(load: @escaping @Sendable (String) -> Answer) {
        self.load = load
    }

    /// No files can be loaded.
    package static let none = ProfileFiles { _ in .unreadable("profile files are not available here") }

    /// Whether a scenario names a profile by path: it contains a slash or ends in `.yaml` or `.yml`.
    package static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Resolves a path that `file` contains: a relative one is relative to that file's folder.
    package static func path(_ path: String, from file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path.withoutDot }
        return "\(file[...slash])\(path.withoutDot)"
    }
}

extension String {
    fileprivate var withoutDot: String { hasPrefix("./") ? String(dropFirst(2)) : self }
}
