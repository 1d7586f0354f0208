package import SquallCore

/// A form that a page has submitted: an action and its field values.
package struct PanelForm: Hashable, Sendable {
    package var action: PanelAction
    /// The non-empty field values, by field name.
    package var fields: [String: String]
    /// The label of the scenario step (`as:`); nil if the step has no label.
    package var label: String?
    /// The selected client; nil if the action affects the only client, or all clients.
    package var client: String?

    package init(_ action: PanelAction, fields: [String: String] = [:], label: String? = nil, client: String? = nil) {
        (self.action, self.fields, self.label, self.client) = (action, fields, label, client)
    }

    /// Parses `{"action", "fields", "label", "client"}`; returns nil if the JSON is malformed or the catalogue has no
    /// such action.
    package init?(_ json: JSON, of catalogue: PanelCatalogue) {
        guard let id = json["action"]?.stringValue, let action = catalogue[id] else { return nil }
        var fields: [String: String] = [:]
        for member in json["fields"]?.members ?? [] {
            guard let text = member.value.stringValue else { return nil }
            if !text.isEmpty { fields[member.name] = text }
        }
        func text(_ name: String) -> String? { json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } }
        self.init(action, fields: fields, label: text("label"), client: text("client"))
    }
}
