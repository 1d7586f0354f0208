package import SquallCore

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
    /// The number of the name alone, whoever's the event is.
    package let name: Int
}

/// What every observable shows at one point of a trace: the fold of all changes up to there.
package struct ObservedState: Sendable {
    /// Numbers from 1; 0 stands for what is no client's.
    private var clients = TextNumbers()
    private var names = TextNumbers()
    /// By client and name, the numbers of the routes, looked up once an event for whoever follows it; nil where nothing came.
    private var routes: [[Int?]] = [[]]
    /// Whose the last event was, and the number: events of one client come in rows.
    private var latest: (client: ClientID?, number: Int) = (nil, 0)
    /// By route, of observables without a key.
    private var values: [JSON?] = []
    /// The keys of each route.
    private var keys = TextNumbers()
    /// By the number of the key.
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

    /// Applies an event, and says which way it came.
    ///
    /// Edits that do not fit the list they edit are ignored: a saved trace may come from anywhere.
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
