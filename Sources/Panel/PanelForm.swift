import ScenarioLanguage
import SquallCore

/// What a page wants done: an action with the fields of its form, or a step that is written out.
struct PanelForm: Hashable, Sendable {
    /// The step of a script.
    let step: String

    /// Reads `{"action", "fields", "label", "client"}` or `{"step"}`; nil if it is neither of them, or the
    /// action is not offered.
    init?(_ json: JSON, of catalogue: PanelCatalogue) {
        if let step = json["step"]?.stringValue {
            self.step = step
            return
        }
        guard let id = json["action"]?.stringValue, let action = catalogue[id] else { return nil }
        var fields: [String: String] = [:]
        for member in json["fields"]?.members ?? [] {
            guard let text = member.value.stringValue else { return nil }
            fields[member.name] = text
        }
        step = StepText.step(
            action.entry,
            fields: fields,
            label: json["label"]?.stringValue,
            client: json["client"]?.stringValue
        )
    }
}
