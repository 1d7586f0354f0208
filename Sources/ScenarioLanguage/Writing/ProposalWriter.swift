package import Exploration
import SquallCore
import Trace

/// Writes an expectation derived from a recording as YAML for an item of `expect`.
package enum ProposalWriter {
    package static func of(_ proposal: Proposal) -> String {
        let within = proposal.within.map { ", within: \($0)" } ?? ""
        let after = proposal.after.map { "\nafter: \(quoted("\($0)"))" } ?? ""
        switch proposal.claim {
        case .state(let name, let value):
            return "eventually: { \(quoted("\(name)")): \(text(value))\(within) }\(after)"
        case .states(let name, let values):
            let list = values.map(text).joined(separator: ", ")
            return "transitions: { of: \(quoted("\(name)")), are: [\(list)]\(within) }\(after)"
        case .event(let name):
            return "eventually: \(quoted("\(name)"))\(after)" + (proposal.within.map { "\nwithin: \($0)" } ?? "")
        case .count(let name, let count):
            return "count: { of: \(quoted("\(name)")), exactly: \(count) }"
        case .delivered(let conversation, let client):
            let owner = client.map { ", client: \(ScalarWriter.text($0.name))" } ?? ""
            let what = ScalarWriter.text(conversation)
            return "delivered: { conversation: \(what)\(owner), lost: 0, duplicated: 0, reordered: 0 }"
        }
    }

    /// Returns the name, quoted if it contains brackets.
    private static func quoted(_ name: String) -> String {
        name.contains("[") ? String(decoding: JSON.string(name).encode(), as: UTF8.self) : name
    }

    private static func text(_ value: JSON) -> String {
        value.stringValue.map(ScalarWriter.text) ?? String(decoding: value.encode(), as: UTF8.self)
    }
}
