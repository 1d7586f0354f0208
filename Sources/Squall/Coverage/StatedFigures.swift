import ScenarioLanguage
import ScenarioModel
import SquallCore

/// The numbers and durations that a case states: those in its file, those of its profile, and the number of its
/// clients.
struct StatedFigures {
    private(set) var numbers: Set<Int64>
    private(set) var durations: Set<TimeSpan>

    init(of scenario: Scenario, written text: String) {
        numbers = [Int64(scenario.clients.count)]
        durations = []
        for field in Profile.fields {
            switch field.get(scenario.profile) {
            case .integer(let number): numbers.insert(number)
            case .duration(let span): durations.insert(span)
            case .text, .flag, .list, .json: break
            }
        }
        for line in text.split(whereSeparator: \.isNewline) where line.first(where: { $0 != " " }) != "#" {
            for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }) {
                if let number = Int64(word) {
                    numbers.insert(number)
                } else if let span = DurationText.parse(String(word)) {
                    durations.insert(span)
                }
            }
        }
    }
}
