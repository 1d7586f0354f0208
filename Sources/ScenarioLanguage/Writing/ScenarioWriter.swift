package import Exploration
package import ScenarioModel
import SquallCore

/// Writes a draft as a scenario file. Reading the file back gives the same scenario.
package struct ScenarioWriter {
    /// The contents of the file that are not part of the draft.
    package struct Head: Hashable, Sendable {
        package var name: String
        /// The comments above the scenario, one per line.
        package var comments: [String]

        package init(name: String, comments: [String] = []) {
            self.name = name
            self.comments = comments
        }
    }

    /// Returns the scenario file for a draft, beginning with the contents of `head`.
    ///
    /// - Parameter profile: The profile that the draft names, before the draft's settings are applied.
    package static func text(of draft: Draft, _ profile: Profile, _ head: Head) -> String {
        let tuned = draft.tuned(profile)
        var lines = head.comments.map { $0.isEmpty ? "#" : "# \(SanitizedText($0))" }
        lines.append("squall: 1")
        lines.append("name: \(ScalarWriter.text(head.name))")
        if draft.profile != "default" { lines.append("profile: \(ScalarWriter.text(draft.profile))") }
        if !draft.settings.isEmpty {
            lines.append("set:")
            for setting in draft.settings { lines.append("  \(setting.name): \(ScalarWriter.of(setting.value))") }
        }
        lines += clients(draft)
        for clause in draft.clauses { lines += entry(clause.key, clause.value, indent: "") }
        let script = draft.script(tuned)
        if script.isEmpty {
            lines.append("script: []")
        } else {
            lines.append("script:")
            let storm = draft.moves.count
            for (index, move) in script.enumerated() {
                if index == draft.opening.count, index > 0, index < storm { lines.append("  # The storm") }
                if index == storm, draft.ending != .none, !draft.ending.isBare {
                    let healing = index < script.count - 1 ? "Everything is healed, and then no" : "No"
                    lines.append("  # \(healing) client is touched any more")
                }
                lines += step(move, draft)
            }
        }
        if !draft.expectations.isEmpty {
            lines.append("expect:")
            for expectation in draft.expectations { lines += item(expectation) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func clients(_ draft: Draft) -> [String] {
        guard draft.clients != [.only] else { return [] }
        guard !draft.groups.isEmpty else {
            return ["clients: [\(draft.clients.map(\.name).joined(separator: ", "))]"]
        }
        // Clients are listed in order. A group appears at the position of its first member.
        let members = draft.clients.compactMap { client in
            guard let group = draft.groups.first(where: { $0.members.contains(client) }) else {
                return "\(client.name): 1"
            }
            return group.members.first == client ? "\(group.name): \(group.members.count)" : nil
        }
        return ["clients: { \(members.joined(separator: ", ")) }"]
    }

    // MARK: - Steps

    private static func step(_ move: Move, _ draft: Draft) -> [String] {
        let anchor = move.anchor.map { entry("at", $0, indent: "    ") } ?? []
        switch move.kind {
        case .rest(let span): return ["  - wait: \(span)"]
        case .wait(let condition, let within):
            let bound = within.map { ["    within: \($0)"] } ?? []
            return item("wait:" + (condition.contains("\n") ? "\n" + condition.indented : " " + condition)) + bound
        case .act(let entry, let arguments):
            let label = arguments.label.map { ["    as: \($0)"] } ?? []
            let prefixes = prefixes(of: move, draft)
            return prefixes.flatMap { prefix in
                ["  - \(prefix)\(entry.actor.rawValue): \(StepWriter.action(entry, arguments))"] + label + anchor
            }
        }
    }

    /// Returns the lines for a key and its YAML value, which may span several lines.
    private static func entry(_ key: String, _ value: String, indent: String) -> [String] {
        guard value.contains("\n") else { return ["\(indent)\(key): \(value)"] }
        return ["\(indent)\(key):"] + value.split(separator: "\n").map { "\(indent)  \($0)" }
    }

    /// Returns the lines of a list item whose YAML may span several lines.
    private static func item(_ value: String) -> [String] {
        value.split(separator: "\n").enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element }
    }

    /// Returns the client prefixes of the move's steps: one for a named group, otherwise one for each client.
    private static func prefixes(of move: Move, _ draft: Draft) -> [String] {
        if move.clients.isEmpty { return [""] }
        if let group = draft.groups.first(where: { $0.members == move.clients }) { return ["\(group.name)."] }
        return move.clients.map { "\($0.name)." }
    }
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

extension Draft.Ending {
    /// Whether the ending is only a pause, without the moves that heal all faults.
    fileprivate var isBare: Bool {
        if case .cut(calm: false, _) = self { true } else { false }
    }
}

/// Converts a value to YAML that can be used within `{ … }` and `[ … ]`.
enum ScalarWriter {
    static func of(_ value: ArgumentValue) -> String {
        switch value {
        case .text(let text): self.text(text)
        case .integer(let number): String(number)
        case .duration(let span): String(describing: span)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let items): "[\(items.map(of).joined(separator: ", "))]"
        // JSON is valid YAML, and its strings are quoted.
        case .json(let json): String(decoding: json.encode(), as: UTF8.self)
        }
    }

    /// Returns a string as YAML, unquoted if YAML would still parse it as a string.
    static func text(_ text: String) -> String {
        isPlain(text) ? text : String(decoding: JSON.string(text).encode(), as: UTF8.self)
    }

    private static let words: Set = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.last != UInt8(ascii: " ") else { return false }
        guard !words.contains(text.lowercased()), !text.contains("  ") else { return false }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
