import ScenarioModel
import SquallCore

/// A parsed line that the user typed while `squall run --hold-at` holds (pauses) a run.
enum HoldLine: Hashable {
    /// A question about the held run.
    enum Question: Hashable {
        case help
        case status
        /// A request for the last events; the value is the maximum number of events.
        case events(Int)
        /// A request for the values of the observables whose names contain the text; an empty text selects all
        /// observables.
        case values(String)
        case explain(String)
        /// An `events` request whose argument is not a positive number.
        case badCount(String)
        /// A line that is not a valid command.
        case unknown(String)
    }

    case nothing
    case order(HoldOrder)
    case quit
    case question(Question)
    /// A line that is longer than ``TypedLine/longest``.
    case tooLong

    /// The number of events printed if the user gives no number.
    private static let usualEvents = 10

    init(_ line: String) {
        guard line.utf8.count <= TypedLine.longest else {
            self = .tooLong
            return
        }
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else {
            self = .nothing
            return
        }
        let rest = words.dropFirst().joined(separator: " ")
        switch (first, rest) {
        case ("quit", ""), ("exit", ""): self = .quit
        case ("help", ""), ("?", ""): self = .question(.help)
        case ("status", ""): self = .question(.status)
        case ("events", ""): self = .question(.events(Self.usualEvents))
        case ("events", _): self = .question(Int(rest).flatMap { $0 > 0 ? .events($0) : nil } ?? .badCount(rest))
        case ("show", _): self = .question(.values(rest))
        case ("explain", _) where !rest.isEmpty: self = .question(.explain(rest))
        case (_, "") where HoldOrder(rawValue: first) != nil: self = .order(HoldOrder(rawValue: first) ?? .release)
        // A line that consists only of the name of an observable requests its value.
        case (_, "") where Self.isObservable(first): self = .question(.values(first))
        default: self = .question(.unknown(line))
        }
    }

    private static func isObservable(_ text: String) -> Bool {
        let name = text.prefix { $0 != "[" }
        return Registry.observables.contains { $0.name == name || name.hasSuffix(".\($0.name)") }
    }

    static let words = ["events", "explain", "help", "quit", "release", "show", "status", "step"]

    /// Returns the words that can complete the end of the text, and the number of characters that they replace.
    static func completion(after text: String) -> (replaced: Int, words: [String]) {
        let begun = String(text.reversed().prefix { $0 != " " }.reversed())
        let isFirst = text.count == begun.count
        let candidates = (isFirst ? words : []) + Registry.observables.map(\.name).sorted()
        return (begun.count, candidates.filter { $0.hasPrefix(begun) && $0 != begun })
    }
}
