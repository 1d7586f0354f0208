import ScenarioModel
import SquallCore

/// The meaning of a line typed while the server is running.
enum TypedLine: Hashable {
    case nothing
    case quit
    case help
    case status
    /// Freeze the run, or let it continue.
    case order(HoldOrder)
    /// Whether every event is printed, or only those that a person at the terminal waits for.
    case verbose(Bool)
    /// Write what was done so far as a scenario, to this file; nil if no file is named.
    case record(String?)
    /// A step as a scenario writes it.
    case step(String)
    /// A word for which several actors have an action, with the steps to choose from.
    case ambiguous([String])

    /// A bare word for which only one actor has an action, such as `drop`, means that action.
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

    /// A file's name without the quotes and blanks around it.
    private static func unquoted(_ name: Substring) -> String {
        var name = name
        while name.last?.isWhitespace == true { name.removeLast() }
        for quote in ["'", "\""] where name.count > 1 && name.hasPrefix(quote) && name.hasSuffix(quote) {
            name = name.dropFirst().dropLast()
        }
        return String(name)
    }

    /// The actors whose steps can be typed.
    static let actors: [Actor] = [.network, .server, .device]

    /// The words that are orders to Squall itself.
    static let orders = ["help", "hold", "quiet", "quit", "record ", "release", "status", "step", "verbose"]
}
