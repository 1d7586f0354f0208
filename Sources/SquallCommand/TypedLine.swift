import ScenarioLanguage
import ScenarioModel
import SquallCore

/// A parsed line that the user typed while the server is running.
enum TypedLine: Hashable {
    case nothing
    case quit
    case help
    case status
    /// Pauses (holds) the run or lets it continue.
    case order(HoldOrder)
    /// Selects which events are printed: all events if true; otherwise all except routine events.
    case verbose(Bool)
    /// Writes the session so far as a scenario to the given file; nil if the user specified no file.
    case record(String?)
    /// Performs a step, written in scenario syntax.
    case step(String)
    /// A verb that several actors have, with the steps that the user can choose from.
    case ambiguous([String])
    /// Explains a word, such as an action, an observable or an event.
    case explain(String)
    /// Words that are neither a command nor an action that can be typed.
    case unknown(String)
    /// A line of more than ``longest`` bytes. It is not parsed, because that would delay the lines after it.
    case tooLong

    /// The maximum number of bytes in a line.
    static let longest = 65_536
    static let refusalOfLongLine = "the line has more than 64 KiB and is ignored"

    /// Parses a line. A verb that only one actor has, such as `drop`, is accepted without the actor.
    init(_ line: String) {
        guard line.utf8.count <= Self.longest else {
            self = .tooLong
            return
        }
        var text = line.trimmingPrefix(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        switch text {
        case "": self = .nothing
        case "quit", "exit": self = .quit
        case "help", "?": self = .help
        case "status": self = .status
        case "hold", "release", "step": self = .order(HoldOrder(rawValue: String(text)) ?? .hold)
        case "verbose": self = .verbose(true)
        case "quiet": self = .verbose(false)
        case "record": self = .record(nil)
        case "explain": self = .explain("")
        default:
            if text.hasPrefix("explain ") {
                self = .explain(text.dropFirst("explain ".count).drop(while: \.isWhitespace).description)
                return
            }
            if text.hasPrefix("record ") {
                let file = text.dropFirst("record ".count).drop(while: \.isWhitespace)
                self = .record(file.isEmpty ? nil : Self.unquoted(file))
                return
            }
            let steps = TypableActions.all.actors.filter { Registry.action(of: $0, String(text)) != nil }
                .map { "\($0.rawValue): \(text)" }
            switch steps.count {
            case 0: self = Self.isPlain(text) ? .unknown(String(text)) : .step(String(text))
            case 1: self = .step(steps[0])
            default: self = .ambiguous(steps)
            }
        }
    }

    /// Returns whether a line consists of words only. A step has a colon after its actor.
    private static func isPlain(_ text: Substring) -> Bool {
        text.allSatisfy { $0.isLetter || $0.isNumber || $0.isWhitespace || "_.".contains($0) }
    }

    /// Returns the response to unknown words: for a user action, a hint to perform it in the app itself; for anything
    /// else, a suggested line that can be typed.
    ///
    /// - Parameter isStep: Returns whether a step can be performed at this time.
    static func answer(
        toUnknown line: String,
        among actions: TypableActions = .all,
        isStep: (String) -> Bool = { _ in true }
    ) -> String {
        let words = line.split(separator: " ", maxSplits: 1).map { $0.trimmingPrefix(while: \.isWhitespace) }
        let (word, rest) = (String(words.first ?? ""), words.count > 1 ? String(words[1]) : "")
        if actions.actions.contains(where: { $0.actor == .user && $0.verb == word }) { return "type 'user: \(word)'" }
        if Registry.action(of: .user, word) != nil { return "the client is your app: do '\(word)' there" }
        if !actions.actors.contains(.server), Registry.action(of: .server, word) != nil {
            return "the server is your own: do '\(word)' there"
        }
        if let line = usual(line, among: actions, isStep) { return "there is no '\(line.typed)'; type '\(line.meant)'" }
        if !rest.isEmpty, let line = correction(of: word, rest, among: actions, isStep) {
            return "'\(word) \(rest)' is not a step; did you mean '\(line)'?"
        }
        let near = Suggestion.help(for: word, among: orders.map(\.trimmed) + actions.bare)
        return "there is no '\(word)'; \(near ?? "type a step, such as network: drop, or 'help'")"
    }

    /// Returns the line to type for a usual name of an action or a command; nil if the words are no such name.
    private static func usual(
        _ typed: String,
        among actions: TypableActions,
        _ isStep: (String) -> Bool
    ) -> (typed: String, meant: String)? {
        let name = typed.split(whereSeparator: \.isWhitespace).joined(separator: "_").lowercased()
        if let order = synonymsOfOrders[name] { return (typed, order) }
        if name != typed, actions.bare.contains(name) { return (typed, name) }
        let actors = name == typed ? [] : actions.actions.filter { $0.verb == name }.map(\.actor.rawValue)
        let named = actors.map { "\($0): \(name)" }
        return (named + [ActionSynonym.steps[name]].compactMap { $0 }).first(where: isStep).map { (typed, $0) }
    }

    private static let synonymsOfOrders = [
        "continue": "release", "end": "quit", "freeze": "hold", "pause": "hold", "resume": "release", "save": "record",
        "thaw": "release", "unpause": "release",
    ]

    /// Returns the line that the user probably meant by a command or an action followed by extra words; nil if there is
    /// none.
    private static func correction(
        of word: String,
        _ rest: String,
        among actions: TypableActions,
        _ isStep: (String) -> Bool
    ) -> String? {
        switch word {
        case "help", "?": return "explain \(rest)"
        case "exit": return "quit"
        default: if orders.contains(word) { return word }
        }
        // The user may have typed an actor without its colon.
        if actions.actors.contains(where: { $0.rawValue == word }) {
            let parts = rest.split(separator: " ", maxSplits: 1)
            let steps = ["\(word): \(rest)"] + (parts.count > 1 ? ["\(word): { \(parts[0]): \(parts[1]) }"] : [])
            return steps.first(where: isStep) ?? "explain \(word)"
        }
        let actors = actions.actions.filter { $0.verb == word }.map(\.actor.rawValue)
        guard !actors.isEmpty else { return nil }
        let steps = actors.map { "\($0): { \(word): \(rest) }" } + actors.map { "\($0): \(word)" }
        return steps.first(where: isStep) ?? "explain \(word)"
    }

    /// Returns a file name without surrounding quotes.
    private static func unquoted(_ name: Substring) -> String {
        var name = name
        for quote in ["'", "\""] where name.count > 1 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            name = name.dropFirst().dropLast()
        }
        return String(name)
    }

    /// Squall's own commands, as opposed to steps.
    static let orders = [
        "explain ", "help", "hold", "quiet", "quit", "record ", "release", "status", "step", "verbose",
    ]
}

extension String {
    /// A command from ``TypedLine/orders`` without the space that completion adds.
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
