import SquallCore

/// A key that is none where it stands, and what may have been meant.
struct UnknownKey {
    let name: String
    private let near: String?
    private let known: [String]

    /// The first of these names that is not known; nil where all are.
    init?(in names: [String], known: [String], ignoringCase: Bool = false) {
        let unknown = names.first { !known.contains(ignoringCase ? $0.lowercased() : $0) }
        guard let unknown else { return nil }
        name = unknown
        near = Suggestion.nearest(to: unknown, among: known)
        self.known = known
    }

    /// `did you mean 'x'?`; else these words and all that are known.
    func help(_ words: String) -> String {
        if let near { return "did you mean '\(near)'?" }
        return "\(words) \(known.isEmpty ? "none" : known.joined(separator: ", "))"
    }
}
