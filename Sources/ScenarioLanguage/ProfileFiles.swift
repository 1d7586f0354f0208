package import ScenarioModel
import TemporalLogic

/// Where profiles come from that people keep in files of their own.
///
/// Nothing here reads a disk: who has one gives the way to it.
package struct ProfileFiles: Sendable {
    /// What became of asking for a file.
    package enum Answer: Sendable {
        case profile(Profile)
        /// It is there and wrong; whoever read it tells of its mistakes once.
        case wrong
        /// Why it cannot be read.
        case unreadable(String)
    }

    /// The profile in the file of that path.
    package var load: @Sendable (String) -> Answer

    package init(load: @escaping @Sendable (String) -> Answer) {
        self.load = load
    }

    /// There are no files.
    package static let none = ProfileFiles { _ in .unreadable("no files can be read here") }

    /// Whether a profile's name is a path.
    package static func isPath(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// A path as a file says it, seen from where that file's own path is seen from.
    package static func path(_ path: String, from file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path.withoutDot }
        return "\(file[...slash])\(path.withoutDot)"
    }
}

extension String {
    fileprivate var withoutDot: String { hasPrefix("./") ? String(dropFirst(2)) : self }
}
