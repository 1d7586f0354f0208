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
    /// Writes the session up to now as a scenario to the given file; nil if the user specified no file.
    case record(String?)
    /// Performs a step, which is written in the syntax of scenarios.
    case step(String)
    /// A verb that several actors have, with the steps that the user can choose from.
    case ambiguous([String])

    /// Parses a line. A verb that only one actor has, such as `drop`, is accepted without the actor.
    init(_ line: String) {
        let text = line.trimmingPrefix(while: \.isWhitespace)
        switch text {
        case "": self = .nothing
        case "quit", "exit": self = .quit
        case "help", "?": self = .help
        case "status": self = .status
        case "hold", "release", "step": self = .order(HoldOrder(rawValue: String(text)) ?? .hold)
        case "verbose": self = .verbose(true)
        case "quiet": self = .verbose(false)
        case "record": self = .record(nil)
        default:
            if text.hasPrefix("record ") {
                let file = text.dropFirst("record ".count).drop(while: \.isWhitespace)
                self = .record(file.isEmpty ? nil : Self.unquoted(file))
                return
            }
            let steps = Self.actors.filter { Registry.action(of: $0, String(text)) != nil }
                .map { "\($0.rawValue): \(text)" }
            switch steps.count {
            case 0: self = .step(String(text))
            case 1: self = .step(steps[0])
            default: self = .ambiguous(steps)
            }
        }
    }

    /// Returns a file name without surrounding quotes and trailing whitespace.
    private static func unquoted(_ name: Substring) -> String {
        var name = name
        while name.last?.isWhitespace == true { name.removeLast() }
        for quote in ["'", "\""] where name.count > 1 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            name = name.dropFirst().dropLast()
        }
        return String(name)
    }

    /// The actors whose actions the user can type.
    static let actors: [Actor] = [.network, .server, .device]

    /// Squall's own commands, which are not steps.
    static let orders = ["help", "hold", "quiet", "quit", "record ", "release", "status", "step", "verbose"]
}
