import SquallCore
import Trace

extension Recording {
    /// A copy of the recording from which network actions that ended immediately without effect are removed, such as a
    /// `drop` when no connection was open; and the labels of the removed actions, which might affect Squall's own
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
