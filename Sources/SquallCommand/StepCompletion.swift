import ScenarioModel
import SquallCore

/// Completes the steps that the user types, using names from the registry of actions.
enum StepCompletion {
    /// Returns the words that can complete the end of the text, and the number of characters that they replace.
    static func words(after text: String) -> (replaced: Int, words: [String]) {
        let begun = String(text.reversed().prefix { $0.isLetter || $0 == "_" }.reversed())
        let before = text.dropLast(begun.count)
        return (begun.count, candidates(after: before).filter { $0.hasPrefix(begun) && $0 != begun })
    }

    private static func candidates(after before: Substring) -> [String] {
        let parts = before.split(whereSeparator: { " {,".contains($0) }).map(String.init)
        guard let first = parts.first else {
            // Bare words (Squall's own commands, and actions without their actor) are offered only at the beginning of
            // the line, not after a brace that begins a step.
            return (before.isEmpty ? TypedLine.orders + TypedLine.bareActions : [])
                + TypedLine.actors.map { "\($0.rawValue): " }
        }
        guard first.hasSuffix(":"), let actor = Actor(rawValue: String(first.dropLast())),
            TypedLine.actors.contains(actor)
        else { return [] }
        let verbs = Registry.actions(of: actor)
        guard parts.count > 1 else { return verbs.map(\.verb).sorted() }
        guard parts[1].hasSuffix(":"), let action = verbs.first(where: { "\($0.verb):" == parts[1] }) else { return [] }
        // The name of a parameter follows a brace or a comma; its value follows a colon.
        let last = before.last { $0 != " " }
        return last == "{" || last == "," ? action.parameters.map { "\($0.name): " } : []
    }
}
