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

/// The number under which all events of one name and client are known while one state follows them.
package struct EventRoute: Hashable, Sendable {
    package let number: Int
}

/// What every observable shows at one point of a trace: the fold of all changes up to there.
package struct ObservedState: Sendable {
    private struct Origin: Hashable, Sendable {
        let client: ClientID?
        let name: String
    }

    private struct Place: Hashable, Sendable {
        let route: Int
        let key: String
    }

    /// From 0 in the order of their first coming: looked up once an event, for whoever follows it.
    private var routes: [Origin: Int] = [:]
    /// By route, of observables without a key.
    private var values: [JSON?] = []
    private var keyedValues: [Place: JSON] = [:]

    package init() {}

    package subscript(name: ObservedName) -> JSON? {
        guard let route = routes[Origin(client: name.client, name: name.name)] else { return nil }
        guard let key = name.key else { return values[route] }
        return keyedValues[Place(route: route, key: key)]
    }

    /// Applies an event, and says which way it came.
    ///
    /// Edits that do not fit the list they edit are ignored: a saved trace may come from anywhere.
    @discardableResult
    package mutating func apply(_ event: TraceEvent) -> EventRoute {
        let route = route(of: Origin(client: event.client, name: event.name))
        let change = event.observation.change
        if case .happened = change { return EventRoute(number: route) }
        if let key = event.key {
            let place = Place(route: route, key: key)
            if let known = keyedValues.index(forKey: place) {
                keyedValues.values[known].take(change)
            } else {
                keyedValues[place] = .init(first: change)
            }
        } else if values[route] == nil {
            values[route] = .init(first: change)
        } else {
            values[route]?.take(change)
        }
        return EventRoute(number: route)
    }

    private mutating func route(of origin: Origin) -> Int {
        if let known = routes[origin] { return known }
        routes[origin] = values.count
        values.append(nil)
        return values.count - 1
    }
}

extension JSON {
    /// The value that an observable has after its first change.
    fileprivate init(first change: Change) {
        self = .array([])
        take(change)
    }

    fileprivate mutating func take(_ change: Change) {
        if case .set(let value) = change { self = value } else { edit(change) }
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
