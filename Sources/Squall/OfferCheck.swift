import Adapter
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Checks the names in `init_ok`, the message in which a client announces its capabilities. A misspelled name would
/// otherwise cause most of a suite to be skipped silently.
enum OfferCheck {
    /// Returns the failure for the first unknown name; nil if all names are known.
    static func unknownName(in offer: AdapterCapabilities) -> AdapterFailure.Kind? {
        let shown = (Registry.observables + Registry.events).map(\.name)
        for name in offer.shows where !shown.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) {
            return .unknownName(field: "shows", name: name, nearest: Suggestion.nearest(to: name, among: shown))
        }
        let commands = AdapterCatalogue.entries.filter { $0.direction == .command }.map(\.name)
        for name in offer.takes where !commands.contains(name) {
            return .unknownName(field: "takes", name: name, nearest: Suggestion.nearest(to: name, among: commands))
        }
        guard let kind = Registry.observable(named: "connection.state")?.value, case .word(let words) = kind else {
            return nil
        }
        for state in offer.states where !words.contains(state.word) {
            return .unknownName(
                field: "states",
                name: state.word,
                nearest: Suggestion.nearest(to: state.word, among: words)
            )
        }
        return nil
    }
}
