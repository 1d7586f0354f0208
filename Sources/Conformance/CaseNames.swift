/// Suggestions for a case id that does not exist.
package enum CaseNames {
    /// Returns a suggestion to append to an error message, such as `did you mean 'H.1'?` or `7.1 has 7.1.1 to 7.1.6`.
    package static func help(for pattern: String, among ids: [CaseID]) -> String {
        let parts = pattern.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "*" }
        let plain = parts.joined(separator: ".")
        if plain != pattern, !plain.isEmpty, ids.contains(where: { $0.matches(plain) }) {
            return "did you mean '\(plain)'?"
        }
        for count in stride(from: parts.count - 1, to: 0, by: -1) {
            let group = parts.prefix(count).joined(separator: ".")
            let members = ids.filter { $0.matches(group) }
            guard let first = members.first, let last = members.last else { continue }
            return "\(group) has \(first) \(members.count == 1 ? "only" : "to \(last)")"
        }
        return "ids begin with \(categories(of: ids)); 'squall conformance list' lists all"
    }

    private static func categories(of ids: [CaseID]) -> String {
        var seen: Set<String> = []
        return ids.map(\.category).filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}
