package import SquallCore

/// Identifies one value of an observable by its client, name and key.
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
    /// The value's notation in scenarios, such as `anna.message.status[hello]`. The client is omitted if there is only
    /// one.
    package var description: String {
        var text = name
        if let client, client != .only { text = "\(client).\(text)" }
        if let key { text += "[\(key)]" }
        return text
    }
}

/// Identifies an event's name and client within one ``ObservedState`` by integers that are assigned consecutively.
package struct EventRoute: Hashable, Sendable {
    /// Identifies the combination of client and name.
    package let number: Int
    /// Identifies the name, regardless of the client.
    package let name: Int
}

/// The value of every observable at one point in a trace: the result of all changes up to that point.
package struct ObservedState: Sendable {
    /// The number assigned to each client, starting from 0. The client's index in ``routes`` is one higher, because
    /// index 0 is for events without a client.
    private var clients = StringInterner()
    private var names = StringInterner()
    /// The number assigned to each combination of client and name, indexed first by client and then by name; nil if the
    /// combination has not occurred.
    ///
    /// `apply(_:)` looks the number up once per event and returns it, so that expectation monitors need not do so
    /// again.
    private var routes: [[Int?]] = [[]]
    /// The client of the last event and that client's index in ``routes``. They are cached because successive events
    /// often have the same client.
    private var latest: (client: ClientID?, number: Int) = (nil, 0)
    /// The values of observables without a key, indexed by ``EventRoute/number``.
    private var values: [JSON?] = []
    /// The number assigned to each key of each ``EventRoute``.
    private var keys = StringInterner()
    /// The values of observables with a key, indexed by the key's number.
    private var keyedValues: [JSON] = []

    package init() {}

    package subscript(name: ObservedName) -> JSON? {
        guard let route = knownRoute(of: name) else { return nil }
        guard let key = name.key else { return values[route] }
        return keys.known(key, in: route).map { keyedValues[$0] }
    }

    private func knownRoute(of observed: ObservedName) -> Int? {
        let client = observed.client.map { clients.known($0.name).map { $0 + 1 } } ?? 0
        guard let client, let name = names.known(observed.name), name < routes[client].count else { return nil }
        return routes[client][name]
    }

    private mutating func route(of client: ClientID?, _ text: String) -> EventRoute {
        if client != latest.client {
            latest = (client, client.map { clients.number(of: $0.name) + 1 } ?? 0)
            if latest.number == routes.count { routes.append([]) }
        }
        let name = names.number(of: text)
        while routes[latest.number].count <= name { routes[latest.number].append(nil) }
        if let known = routes[latest.number][name] { return EventRoute(number: known, name: name) }
        values.append(nil)
        routes[latest.number][name] = values.count - 1
        return EventRoute(number: values.count - 1, name: name)
    }

    /// Applies an event and returns its route.
    ///
    /// An edit whose index is out of range is ignored, because a saved trace may be damaged or may have been edited by
    /// hand.
    @discardableResult
    package mutating func apply(_ event: TraceEvent) -> EventRoute {
        let route = route(of: event.client, event.name)
        apply(event.observation.change, to: route.number, event.key)
        return route
    }

    private mutating func apply(_ change: Change, to route: Int, _ key: String?) {
        if case .happened = change { return }
        guard let key else {
            if values[route] == nil {
                values[route] = .init(first: change)
            } else {
                values[route]?.take(change)
            }
            return
        }
        let place = keys.number(of: key, in: route)
        if place == keyedValues.count {
            keyedValues.append(.init(first: change))
        } else {
            keyedValues[place].take(change)
        }
    }
}

extension JSON {
    /// Creates an observable's value from its first change. A first change that is an edit applies to an empty array.
    fileprivate init(first change: Change) {
        self = .array([])
        take(change)
    }

    fileprivate mutating func take(_ change: Change) {
        if case .set(let value) = change { self = value } else { edit(change) }
    }
}

extension JSON {
    /// Applies an edit to an array in place. A value that is not an array is treated as an empty array.
    package mutating func edit(_ change: Change) {
        var items: [JSON] = []
        if case .array(let present) = self { items = present }
        // Release the second reference to the array, so that the edit does not copy it.
        self = .null
        items.edit(change)
        self = .array(items)
    }
}

extension [JSON] {
    /// Applies an edit and returns the item that it removed or replaced. An edit with an invalid index is ignored.
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
