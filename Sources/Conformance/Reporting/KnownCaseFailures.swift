/// A list of known failures: case ids, one per line, each with a reason.
///
///     # a comment
///     T.8     answers a close between two fragments with 1002
///     [aiohttp 3.14.5]
///     M.*     reads frames without a mask
///
/// Entries before the first name in brackets apply to every agent; later entries apply to the agent in the brackets
/// above them.
package struct KnownCaseFailures: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The line number, from 1.
        package var line: Int
        /// The agent that the entry applies to: a name, or a prefix followed by `*`; nil for all agents.
        package var agent: String?
        /// The pattern for the case ids that the entry covers; see ``CaseID/matches(_:)``.
        package var pattern: String
        package var why: String

        package func covers(_ result: ConformanceResult) -> Bool {
            guard result.id.matches(pattern) else { return false }
            guard let agent else { return true }
            return agent.hasSuffix("*") ? result.agent.hasPrefix(agent.dropLast()) : result.agent == agent
        }
    }

    package struct Problem: Error, Hashable, Sendable {
        package var line: Int
        package var message: String

        package init(line: Int, message: String) {
            self.line = line
            self.message = message
        }
    }

    /// The placeholder written in place of a missing reason.
    private static let unspecified = "?"

    package private(set) var entries: [Entry] = []
    /// The lines of the file, including comments and blank lines.
    private var lines: [String] = []

    package init() {}

    /// Parses `ID reason` lines and agents' names in brackets. A line that begins with `#` is a comment.
    ///
    /// Each entry must match a case, and must have a reason unless `mayLackReasons` is true.
    ///
    /// - Throws: ``Problem`` for the first invalid line.
    package init(parsing text: String, cases: [CaseID], mayLackReasons: Bool = false) throws(Problem) {
        lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        if lines.last == "" { lines.removeLast() }
        var agent: String?
        for (index, line) in lines.enumerated() {
            let said = Self.trimmed(line)
            if said.isEmpty || said.hasPrefix("#") { continue }
            if let name = Self.agent(in: said) {
                guard !name.isEmpty else { throw Problem(line: index + 1, message: "'[]' does not name an agent") }
                agent = name == "*" ? nil : name
                continue
            }
            let words = said.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" }
            let pattern = String(words[0])
            guard cases.contains(where: { $0.matches(pattern) }) else {
                throw Problem(
                    line: index + 1,
                    message: "unknown case '\(pattern)'; \(CaseNames.help(for: pattern, among: cases))"
                )
            }
            let why = words.count > 1 ? Self.trimmed(String(words[1])) : Self.unspecified
            guard mayLackReasons || why != Self.unspecified else {
                throw Problem(
                    line: index + 1,
                    message: "'\(pattern)' has no reason; write after it why the failure is accepted"
                )
            }
            entries.append(Entry(line: index + 1, agent: agent, pattern: pattern, why: why))
        }
    }

    private static func agent(in line: String) -> String? {
        line.hasPrefix("[") && line.hasSuffix("]") ? trimmed(String(line.dropFirst().dropLast())) : nil
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Returns the entry that covers a result's case and agent, or nil if there is none.
    package func entry(for result: ConformanceResult) -> Entry? {
        entries.first { $0.covers(result) }
    }

    /// Returns the entries that should be removed, because their cases were run and none of them failed.
    package func stale(after results: [ConformanceResult]) -> [Entry] {
        entries.filter { entry in
            let played = results.filter(entry.covers)
            return !played.isEmpty && !played.contains(where: \.isFailure)
        }
    }

    /// Returns the file updated with these results: stale entries are removed, and new failures are added under their
    /// agent's name with `?` as the reason. All other lines are unchanged.
    package func fixed(after results: [ConformanceResult]) -> String {
        let gone = Set(stale(after: results).map { $0.line - 1 })
        var kept = lines.indices.filter { !gone.contains($0) }.map { lines[$0] }
        for result in results where result.isFailure && entry(for: result) == nil {
            kept.insert("\(result.id)  \(Self.unspecified)", at: Self.place(for: result.agent, in: &kept))
        }
        return kept.isEmpty ? "" : kept.joined(separator: "\n") + "\n"
    }

    /// Returns the index just past the last entry in the agent's section of `lines`, adding the section if it does not
    /// exist.
    private static func place(for agent: String, in lines: inout [String]) -> Int {
        guard let start = lines.lastIndex(where: { self.agent(in: trimmed($0)) == agent }) else {
            if !lines.isEmpty { lines.append("") }
            lines.append("[\(agent)]")
            return lines.count
        }
        let end = lines[(start + 1)...].firstIndex { self.agent(in: trimmed($0)) != nil } ?? lines.count
        let last = lines[start..<end].lastIndex { !trimmed($0).isEmpty } ?? start
        return last + 1
    }
}
