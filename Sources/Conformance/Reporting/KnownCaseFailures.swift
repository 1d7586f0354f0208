/// Failures that people know of: a list of case ids, one a line, each with what is known about it.
///
///     # a comment
///     T.8     answers a close between two fragments with 1002
///     [aiohttp 3.14.5]
///     M.*     reads frames without a mask
///
/// What stands before the first name in brackets holds for every agent, what stands behind one for that agent alone.
package struct KnownCaseFailures: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// From 1.
        package var line: Int
        /// Whose failure it is: a name, or its beginning and a `*`; nil for everybody's.
        package var agent: String?
        /// As ``CaseID/matches(_:)`` has it.
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

    /// What stands for a reason until somebody has said it.
    private static let unsaid = "?"

    package private(set) var entries: [Entry] = []
    /// The file as it is.
    private var lines: [String] = []

    package init() {}

    /// Reads `ID reason` lines, and names of agents in brackets; a line that begins with `#` is a comment.
    ///
    /// Each entry must match a case, and have a reason unless it `mayLackReasons`.
    package init(parsing text: String, cases: [CaseID], mayLackReasons: Bool = false) throws(Problem) {
        lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        if lines.last == "" { lines.removeLast() }
        var agent: String?
        for (index, line) in lines.enumerated() {
            let said = Self.trimmed(line)
            if said.isEmpty || said.hasPrefix("#") { continue }
            if let name = Self.agent(in: said) {
                guard !name.isEmpty else { throw Problem(line: index + 1, message: "no agent is named in '[]'") }
                agent = name == "*" ? nil : name
                continue
            }
            let words = said.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" }
            let pattern = String(words[0])
            guard cases.contains(where: { $0.matches(pattern) }) else {
                throw Problem(
                    line: index + 1,
                    message: "no case is called '\(pattern)'; \(CaseNames.help(for: pattern, among: cases))"
                )
            }
            let why = words.count > 1 ? Self.trimmed(String(words[1])) : Self.unsaid
            guard mayLackReasons || why != Self.unsaid else {
                throw Problem(
                    line: index + 1,
                    message: "'\(pattern)' has no reason: say behind it why it is lived with"
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

    /// What is known of a case with its agent; nil for nothing.
    package func entry(for result: ConformanceResult) -> Entry? {
        entries.first { $0.covers(result) }
    }

    /// Entries whose cases were played and none of which failed: they should be taken out.
    package func stale(after results: [ConformanceResult]) -> [Entry] {
        entries.filter { entry in
            let played = results.filter(entry.covers)
            return !played.isEmpty && !played.contains(where: \.isFailure)
        }
    }

    /// The file as these results have it: stale entries are gone, failures that nobody knew of stand under their agent's
    /// name with `?` for a reason, and the rest is as it was.
    package func fixed(after results: [ConformanceResult]) -> String {
        let gone = Set(stale(after: results).map { $0.line - 1 })
        var kept = lines.indices.filter { !gone.contains($0) }.map { lines[$0] }
        for result in results where result.isFailure && entry(for: result) == nil {
            kept.insert("\(result.id)  \(Self.unsaid)", at: Self.place(for: result.agent, in: &kept))
        }
        return kept.isEmpty ? "" : kept.joined(separator: "\n") + "\n"
    }

    /// Behind the last line of the agent's part, which is begun where there is none.
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
