import ScenarioLanguage
package import SquallCore

/// The scenario actions that a panel offers, and the scenario steps that their forms represent.
package struct StepActions: Sendable {
    /// A button that is always visible, with its label and preset field values.
    private struct Common {
        var id: String
        var title: String?
        var preset: [String: String] = [:]
    }

    /// The buttons that are always visible, in order. The other actions follow in registry order.
    private static let common = [
        Common(id: "network.drop"), Common(id: "network.reset_peer", title: "reset"), Common(id: "network.stall"),
        Common(id: "network.blackhole"), Common(id: "network.half_open"), Common(id: "network.latency"),
        Common(id: "network.bandwidth", preset: ["rate": "1000"]),
        Common(id: "network.captive_portal", title: "portal"),
        Common(id: "network.certificate"), Common(id: "network.heal_all"),
        Common(id: "device.network", title: "offline", preset: ["state": "off"]), Common(id: "device.handoff"),
        Common(id: "server.restart"), Common(id: "server.drain"), Common(id: "server.limit", title: "rate limit"),
        Common(id: "server.post"), Common(id: "server.presence"), Common(id: "server.error"),
        Common(id: "server.auth", title: "revoke", preset: ["accept": "false"]),
    ]

    /// The ids of the actions whose buttons are always visible.
    package static var commonIDs: [String] { common.map(\.id) }

    package let catalogue: PanelCatalogue
    private let entries: [String: ActionEntry]

    /// Creates the panel's actions.
    ///
    /// - Parameters:
    ///   - actions: The actions that the panel offers.
    ///   - others: Actions that have the same keys in every panel, whether this one offers them or not.
    package init(_ actions: [ActionEntry], sharingKeysWith others: [ActionEntry] = []) {
        catalogue = PanelCatalogue(Self.buttons(of: actions), sharingKeysWith: Self.buttons(of: others))
        entries = Dictionary(actions.map { ($0.panelID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the buttons of actions, those that are always visible first.
    private static func buttons(of actions: [ActionEntry]) -> [PanelAction] {
        let ranks = Dictionary(uniqueKeysWithValues: Self.common.enumerated().map { ($1.id, $0) })
        let order = actions.indices.sorted { left, right in
            (ranks[actions[left].panelID] ?? .max, left) < (ranks[actions[right].panelID] ?? .max, right)
        }
        return order.map { index in
            let entry = actions[index]
            var action = PanelAction(entry)
            if let rank = ranks[entry.panelID] {
                action.isCommon = true
                action.title = Self.common[rank].title ?? action.title
                action.preset = Self.common[rank].preset
            }
            return action
        }
    }

    /// Returns the scenario step that a form represents; empty if the action is not a scenario action.
    package func step(of form: PanelForm) -> String {
        guard let entry = entries[form.action.id] else { return "" }
        return StepWriter.step(entry, fields: form.fields, label: form.label, client: form.client)
    }
}

extension ActionEntry {
    /// The id of the action in the panel, such as `network.stall`.
    fileprivate var panelID: String { "\(actor.rawValue).\(verb)" }
}

extension PanelAction {
    fileprivate init(_ entry: ActionEntry) {
        let group =
            switch entry.actor {
            case .network: "Network"
            case .user, .device: "Phone"
            case .server: "Server"
            }
        self.init(id: entry.panelID, group: group, verb: entry.verb, meaning: entry.meaning, fields: entry.parameters)
        takesLabel = entry.takesLabel
        // In the forms of user and device actions, the choice of a client is optional. Server actions already have a
        // field for the client.
        if entry.actor == .user || entry.actor == .device { choosesClient = false }
        if entry.actor == .server { keyPrefix = "s" }
    }
}
