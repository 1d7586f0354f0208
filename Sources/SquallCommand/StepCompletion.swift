import ScenarioModel
import SquallCore

/// Completes the steps that the user types, using names from the registry of actions.
enum StepCompletion {
    /// Returns the words that can complete the end of the text, and the number of characters that they replace.
    ///
    /// - Parameters:
    ///   - faults: The labels of the active faults, for `heal`.
    ///   - actions: The actions to offer.
    static func words(
        after text: String,
        faults: [String] = [],
        among actions: TypableActions = .all
    ) -> (replaced: Int, words: [String]) {
        let begun = String(text.reversed().prefix { $0.isLetter || $0.isNumber || "_.-".contains($0) }.reversed())
        let before = text.dropLast(begun.count)
        return (begun.count, candidates(after: before, faults, actions).filter { $0.hasPrefix(begun) && $0 != begun })
    }

    private static func candidates(
        after before: Substring,
        _ faults: [String],
        _ actions: TypableActions
    ) -> [String] {
        let parts = before.split(whereSeparator: { " {,".contains($0) }).map(String.init)
        guard let first = parts.first else {
            // Bare words (Squall's own commands, and actions without their actor) are offered only at the beginning of
            // the line, not after a brace that begins a step.
            let orders = TypedLine.orders
            return (before.isEmpty ? orders + actions.bare.filter { !orders.contains($0) } : [])
                + actions.actors.map { "\($0.rawValue): " }
        }
        if parts == ["explain"] { return explained }
        guard first.hasSuffix(":"), let actor = Actor(rawValue: String(first.dropLast())),
            actions.actors.contains(actor)
        else { return [] }
        let verbs = actions.actions.filter { $0.actor == actor }
        guard parts.count > 1 else {
            // Within braces, an action is a key.
            let isKey = before.last(where: { $0 != " " }) == "{"
            return verbs.map { isKey ? "\($0.verb): " : $0.verb }.sorted()
        }
        guard parts[1].hasSuffix(":"), let action = verbs.first(where: { "\($0.verb):" == parts[1] }) else { return [] }
        switch before.last(where: { $0 != " " }) {
        case "{", ",":
            return action.parameters.map { "\($0.name): " }.filter { name in
                !parts.dropFirst(2).contains { "\($0) " == name }
            }
        case ":":
            // A value directly after the action belongs to the action's main parameter.
            let name = parts.count == 2 ? action.main : parts.last.map { String($0.dropLast()) }
            return action.parameters.first { $0.name == name }.map { values(of: $0, action, faults) } ?? []
        default: return []
        }
    }

    /// The words that are offered after `explain`.
    private static let explained =
        Set(Actor.allCases.map(\.rawValue) + Registry.entries.map(\.name) + Registry.actions.map(\.verb)).sorted()

    private static func values(of parameter: Parameter, _ action: ActionEntry, _ faults: [String]) -> [String] {
        switch parameter.kind {
        case .word(let words): words
        case .flag: ["true", "false"]
        case .label where action.verb == "heal": faults
        default: []
        }
    }
}
