import Foundations

/// What every observable showed last.
///
/// Only what differs becomes an observation.
struct Display {
    private struct Name: Hashable {
        let name: String
        let key: String?
    }

    /// Of observables without a key.
    private var values: [String: JSON] = [:]
    private var keyedValues: [Name: JSON] = [:]
    private var lists: [Name: [String]] = [:]

    mutating func show(_ name: String, key: String? = nil, _ value: JSON, _ step: inout Step) {
        let isNews =
            if let key {
                keyedValues.change(Name(name: name, key: key), to: value)
            } else {
                values.change(name, to: value)
            }
        if isNews { step.perform(.observe(.set(name, key: key, to: value))) }
    }

    mutating func show(_ name: String, key: String? = nil, _ text: String?, _ step: inout Step) {
        show(name, key: key, text.map { .string($0) } ?? .null, &step)
    }

    /// A list travels as edits; the first time as a whole.
    mutating func show(_ name: String, key: String? = nil, list: [String], _ step: inout Step) {
        let place = Name(name: name, key: key)
        guard let before = lists.updateValue(list, forKey: place) else {
            step.perform(.observe(.set(name, key: key, to: .array(list.map { .string($0) }))))
            return
        }
        for change in ListEdits.between(before, list) {
            step.perform(.observe(Observation(name, key: key, change, by: .reported)))
        }
    }
}

extension Dictionary where Value == JSON {
    /// False where it was so already; the key is looked up once.
    fileprivate mutating func change(_ key: Key, to value: JSON) -> Bool {
        guard let place = index(forKey: key) else {
            self[key] = value
            return true
        }
        guard values[place] != value else { return false }
        values[place] = value
        return true
    }
}

/// The edits that make one list of another.
enum ListEdits {
    /// To be applied one after the other.
    ///
    /// Where something moves, the whole list: nobody sees it lost or doubled in between.
    static func between(_ old: [String], _ new: [String]) -> [Change] {
        var head = 0
        while head < old.count, head < new.count, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < old.count - head, tail < new.count - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
            tail += 1
        }
        let removed = head..<old.count - tail
        let inserted = head..<new.count - tail
        if removed.isEmpty { return inserted.map { .inserted(at: $0, .string(new[$0])) } }
        if inserted.isEmpty { return removed.reversed().map { .removed(at: $0) } }
        return [.set(.array(new.map { .string($0) }))]
    }
}
