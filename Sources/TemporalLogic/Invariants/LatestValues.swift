import SquallCore
import Trace

/// The last values that a client's process has reported.
struct LatestValues: Sendable {
    private var plain: [String: JSON] = [:]
    private var keyed: [String: [String: JSON]] = [:]

    mutating func apply(_ event: TraceEvent) {
        if let key = event.key {
            keyed[event.name, default: [:]][key] = changed(keyed[event.name]?[key], by: event.observation.change)
        } else {
            plain[event.name] = changed(plain[event.name], by: event.observation.change)
        }
    }

    private func changed(_ value: JSON?, by change: Change) -> JSON? {
        switch change {
        case .happened: return value
        case .set(let new): return new
        case .inserted, .removed, .replaced:
            var list = value ?? .array([])
            list.edit(change)
            return list
        }
    }

    /// Replaces the label `message` with `name` in the reported lists of messages.
    mutating func rename(_ message: String, to name: String) {
        let (old, new) = (JSON.string(message), JSON.string(name))
        if let rows = plain["view.rows"]?.arrayValue { plain["view.rows"] = .array(rows.map { $0 == old ? new : $0 }) }
        for (key, list) in keyed["conversation.messages"] ?? [:] where list.arrayValue?.contains(old) == true {
            keyed["conversation.messages"]?[key] = .array((list.arrayValue ?? []).map { $0 == old ? new : $0 })
        }
    }

    /// The value of an observable; nil if it was not reported.
    subscript(name: String) -> JSON? { plain[name] }
    subscript(name: String, key: String) -> JSON? { keyed[name]?[key] }

    func text(_ name: String) -> String? { plain[name]?.stringValue }
    func text(_ name: String, _ key: String) -> String? { keyed[name]?[key]?.stringValue }
    func list(_ name: String) -> [JSON] { plain[name]?.arrayValue ?? [] }
    func list(_ name: String, _ key: String) -> [JSON] { keyed[name]?[key]?.arrayValue ?? [] }

    /// Returns whether an observable was reported with the value null.
    func isNull(_ name: String) -> Bool { plain[name]?.isNull ?? false }

    /// Returns the keys for which an observable was reported.
    func keys(_ name: String) -> [String] { keyed[name].map { Array($0.keys) } ?? [] }
    func hasKeys(_ name: String) -> Bool { keyed[name] != nil }
}
