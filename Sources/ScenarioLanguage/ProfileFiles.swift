package import ScenarioModel
import TemporalLogic

/// Loads the user's profile files.
///
/// This module performs no I/O itself; its caller supplies the function that reads a file.
package struct ProfileFiles: Sendable {
    /// The result of loading a profile file.
    package enum Answer: Sendable {
        case profile(Profile)
        /// The file is invalid. The loader has already reported its errors.
        case wrong
        /// The file cannot be read, for the given reason.
        case unreadable(String)
    }

    /// Loads the profile file at a path.
    package var load: @Sendable (String) -> Answer

    package init(load: @escaping @Sendable (String) -> Answer) {
        self.load = load
    }

    /// Rejects all profile files.
    package static let none = ProfileFiles { _ in .unreadable("profile files are not available here") }

    /// Returns whether the name of a profile is a path: it contains a slash or ends in `.yaml` or `.yml`.
    package static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Resolves a path that appears in `file`: a relative path is resolved against the folder of that file.
    package static func path(_ path: String, from file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path.withoutDot }
        return "\(file[...slash])\(path.withoutDot)"
    }
}

extension String {
    fileprivate var withoutDot: String { hasPrefix("./") ? String(dropFirst(2)) : self }
}
