package import Foundations

/// Which value of which client an observable's name and key stand for.
package struct ObservedName: Hashable, Sendable {
    package var client: ClientID?
    package var name: String
    package var key: String?

    package init(client: ClientID?, name: String, key: String?) {
        self.client = client
        self.name = name
        self.key = key
    }
}

extension ObservedName: CustomStringConvertible {
    /// As a scenario writes it: `anna.message.status[hello]`; the one client of a scenario stays unsaid.
    package var description: String {
        var text = name
        if let client, client != .only { text = "\(client).\(text)" }
        if let key { text += "[\(key)]" }
        return text
    }
}

/// What every observable shows at one point of a trace: the fold of all changes up to there.
package struct ObservedState: Sendable {
    private var values: [ObservedName: JSON] = [:]

    package init() {}

    package subscript(name: ObservedName) -> JSON? { values[name] }

    /// Applies an event.
    ///
    /// Edits that do not fit the list they edit are ignored: a saved trace may come from anywhere.
    package mutating func apply(_ event: TraceEvent) {
        let change = event.observation.change
        if case .happened = change { return }
        let name = ObservedName(client: event.client, name: event.name, key: event.key)
        if case .set(let value) = change {
            values[name] = value
        } else if let place = values.index(forKey: name) {
            values.values[place].edit(change)
        } else {
            var list: JSON = .array([])
            list.edit(change)
            values[name] = list
        }
    }
}

extension JSON {
    /// Applies an edit to a list in place; anything but a list counts as an empty one.
    package mutating func edit(_ change: Change) {
        var items: [JSON] = []
        if case .array(let present) = self { items = present }
        // Lets go of the second reference, so that the edit does not copy the list.
        self = .null
        items.edit(change)
        self = .array(items)
    }
}

extension [JSON] {
    /// Applies an edit that fits and answers with the item it took away.
    @discardableResult
    package mutating func edit(_ change: Change) -> JSON? {
        switch change {
        case .inserted(let index, let item) where index >= 0 && index <= count:
            insert(item, at: index)
            return nil
        case .removed(let index) where indices.contains(index):
            return remove(at: index)
        case .replaced(let index, let item) where indices.contains(index):
            let before = self[index]
            self[index] = item
            return before
        case .happened, .set, .inserted, .removed, .replaced:
            return nil
        }
    }
}
