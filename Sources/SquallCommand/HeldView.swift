import Reports
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Renders the state of a held (paused) run as text, for the prompt of `squall run --hold-at`.
struct HeldView {
    private let moment: HeldRunSnapshot
    private let clients: [ClientID]

    init(_ moment: HeldRunSnapshot, of clients: [ClientID]) {
        self.moment = moment
        self.clients = clients
    }

    private var recording: Recording { moment.recording }
    private var isSimulated: Bool { recording.header.clock == .sim }

    /// A description of the event at which the run is held, with the events of the current step.
    var heading: String {
        let cause = moment.cause.map { ObservedName(client: $0.client, name: $0.name, key: $0.key) }
        let place = cause.map { "at \($0), \(recording.end) s" } ?? "by command, at \(recording.end) s"
        let step = moment.step.isEmpty ? [moment.cause].compactMap(\.self) : Array(moment.step)
        let lines = step.prefix(Self.maximumLines).map { "  \(ServedEvents.line($0))" }
        let more = step.count - lines.count
        return (["held \(place); next: \(next)"] + lines + (more > 0 ? ["  and \(more) more"] : []))
            .joined(separator: "\n")
    }

    /// The maximum number of events in the heading.
    private static let maximumLines = 20

    /// The explanation that is printed when a run is held (paused) for the first time.
    static let advice = """
        Nothing moves: no deadline passes, and every link is frozen in both directions.
        type 'step' for the next event, 'release' to go on, 'status', 'show', 'events', 'help' or 'quit'
        """

    private static let help = """
        step              go on until the next event, and hold again
        release           go on to the end
        status            the script, the clients, the active faults and the broken invariants
        show [NAME]       the values of all observables, or of those whose name contains NAME; also the name alone
        events [N]        the last N events, by default ten
        explain WORD      the meaning of an observable, an event, a fault or any other word
        quit              end the run here; its result is inconclusive
        """

    /// A description of the script's next step.
    private var next: String {
        switch recording.ending.script {
        case .finished: "the script is finished"
        case .unfinished(let place): "the step at \(place)"
        case .stuck(let place, let why, _): "nothing: the script is stuck at \(place): \(why)"
        case .anchorMissing(let place, _): "the step at \(place), whose event has not occurred"
        }
    }

    func answer(to question: HoldLine.Question) -> String {
        switch question {
        case .help: Self.help
        case .status: "\(status)\n  next: \(next)"
        case .events(let count): events(count)
        case .values(let text): values(text)
        case .explain(let word): Self.explanation(of: word)
        case .badCount(let text): "'events' takes a whole number from 1, not '\(text)'"
        case .unknown(let line): "'\(line)' is not a command here; \(Self.suggestion(for: line))"
        }
    }

    private static func suggestion(for line: String) -> String {
        let word = line.split(separator: " ").first.map(String.init) ?? ""
        return Suggestion.nearest(to: word, among: HoldLine.words + Registry.observables.map(\.name))
            .map { "did you mean '\($0)'?" } ?? "'help' lists the commands"
    }

    private var status: String {
        var status = ServedStatus(recording, of: clients, moment.invariants.map { ($0.name, $0.verdict) })
        status.advises = false
        return status.text
    }

    private func events(_ count: Int) -> String {
        recording.events.suffix(count).map { ServedEvents.line($0) }.joined(separator: "\n")
    }

    /// Returns the values of the observables whose names contain `text`, sorted. If only one observable matches, its
    /// description is added.
    private func values(_ text: String) -> String {
        var state = ObservedState()
        var names: Set<ObservedName> = []
        for event in recording.events {
            state.apply(event)
            if case .happened = event.observation.change { continue }
            names.insert(ObservedName(client: event.client, name: event.name, key: event.key))
        }
        let found = names.map { (text: "\($0)", name: $0) }.filter { text.isEmpty || $0.text.contains(text) }
            .sorted { $0.text < $1.text }
        guard !found.isEmpty else {
            return text.isEmpty
                ? "no observable has a value yet" : "no observable whose name contains '\(text)' has a value yet"
        }
        let lines = found.map { "\($0.text): \((state[$0.name] ?? .null).readable)" }
        guard found.count == 1, let meaning = Registry.observable(named: found[0].name.name)?.meaning else {
            return lines.joined(separator: "\n")
        }
        return "\(lines[0])\n  \(meaning)"
    }

    static func explanation(of word: String) -> String {
        guard !word.isEmpty else { return "name the word to explain, such as: explain stall" }
        do throws(Explanation.UnknownWord) { return try Explanation.explain(word) } catch { return error.message }
    }
}
