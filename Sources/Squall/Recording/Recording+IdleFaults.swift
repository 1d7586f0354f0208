import SquallCore
import Trace

extension Recording {
    /// The recording without idle network actions, and the labels of the actions that were left out. An idle action
    /// ended immediately without effect, such as a `drop` when no connection was open, but might affect Squall's own
    /// client in a replay.
    var withoutIdleFaults: (recording: Recording, labels: [String]) {
        var recording = self
        var labels: [String] = []
        recording.actions.removeAll { action in
            guard action.actor == .network else { return false }
            let after = events.dropFirst(action.position).prefix { $0.time == action.time }
            let name = action.arguments.label ?? action.verb
            func has(_ event: String) -> Bool { after.contains { $0.name == event && $0.key == name } }
            let isIdle = has("fault.began") && has("fault.ended") && !has("fault.hit")
            if isIdle { labels.append(name) }
            return isIdle
        }
        return (recording, labels)
    }
}
