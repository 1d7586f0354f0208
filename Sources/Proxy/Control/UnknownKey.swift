import SquallCore

/// An unknown key, and the known key that was probably meant.
struct UnknownKey {
    let name: String
    private let near: String?
    private let known: [String]

    /// Describes the first of `names` that is not in `known`; returns nil if all of them are known.
    init?(in names: [String], known: [String], ignoringCase: Bool = false) {
        let unknown = names.first { !known.contains(ignoringCase ? $0.lowercased() : $0) }
        guard let unknown else { return nil }
        name = unknown
        near = Suggestion.nearest(to: unknown, among: known)
        self.known = known
    }

    /// Returns the hint for an error message: `did you mean 'x'?` if a known key is similar, otherwise `words` followed
    /// by all known keys.
    func help(_ words: String) -> String {
        if let near { return "did you mean '\(near)'?" }
        return "\(words) \(known.isEmpty ? "none" : known.joined(separator: ", "))"
    }
}
