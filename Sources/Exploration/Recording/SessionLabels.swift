import ScenarioModel
import SquallCore
import Trace

/// Assigns labels to the messages and files in a recording that have none, so that steps and expectations can refer to
/// them.
struct SessionLabels {
    /// The recording's actions, with new labels for those that had none.
    private(set) var actions: [PerformedAction]
    /// The new labels, indexed by the keys that the recording's events use for unlabelled messages and files.
    private(set) var names: [String: String] = [:]

    private static let words = ["post": "posted", "send": "sent", "share": "shared"]

    init(_ actions: [PerformedAction], in recording: Recording, clients: [ClientID]) {
        self.actions = actions
        var taken = Set(actions.compactMap(\.arguments.label))
        var numbers: [String: Int] = [:]
        for index in actions.indices {
            let action = actions[index]
            guard action.arguments.label == nil, let word = Self.words[action.verb],
                Registry.action(of: action.actor, action.verb)?.takesLabel == true
            else { continue }
            // A label identifies a single message, but an action performed by several clients creates one message for
            // each of them, so it receives no label.
            guard action.actor == .server || clients.count == 1 || action.clients.count == 1 else { continue }
            var label: String
            repeat {
                numbers[word, default: 0] += 1
                label = "\(word)-\(numbers[word] ?? 1)"
            } while !taken.insert(label).inserted
            self.actions[index].arguments.label = label
            learn(label, of: action, in: recording)
        }
    }

    /// Assigns the label to the keys of the messages or files that an action created.
    private mutating func learn(_ label: String, of action: PerformedAction, in recording: Recording) {
        let events = recording.events
        var keys: [String] = []
        for event in events.dropFirst(action.position) where MessageAliases.sources.contains(event.name) {
            guard event.cause == action.position, let key = event.key, !keys.contains(key) else { continue }
            keys.append(key)
        }
        let count = action.arguments.integer("count") ?? 1
        for (number, key) in keys.enumerated() where names[key] == nil {
            names[key] = count > 1 ? "\(label)-\(number + 1)" : label
        }
    }

    /// Assigns a label to the message that has this key in the recording.
    mutating func name(_ key: String, _ label: String) { names[key] = label }
}
