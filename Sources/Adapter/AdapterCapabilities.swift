import ChatWire
package import SquallCore

/// A client's description of itself in its answer to `init`: its name, the observables and events that it reports, and
/// the commands that it accepts.
package struct AdapterCapabilities: Hashable, Sendable {
    package var name: String
    package var version: String
    /// The observables and events that the client reports, by their registry names. A name also covers all names below
    /// it, so `connection` covers `connection.state`.
    package var shows: [String]
    /// The commands that the client accepts.
    package var takes: [String]
    /// The client's own names for its connection states, each with the corresponding value of `connection.state`.
    package var states: [State]
    /// Whether the client supports TLS.
    package var supportsTLS: Bool
    /// The clock that the client's timers follow.
    package var clock: AdapterClock

    package struct State: Hashable, Sendable {
        package var native: String
        package var word: String

        package init(_ native: String, _ word: String) {
            self.native = native
            self.word = word
        }
    }

    package init(
        name: String,
        version: String = "",
        shows: [String] = [],
        takes: [String] = [],
        states: [State] = [],
        supportsTLS: Bool = false,
        clock: AdapterClock = .wall
    ) {
        self.name = name
        self.version = version
        // The order of these lists is not significant. They are sorted so that equal capabilities compare as equal.
        self.shows = shows.sorted()
        self.takes = takes.sorted()
        self.states = states.sorted { $0.native < $1.native }
        self.supportsTLS = supportsTLS
        self.clock = clock
    }

    /// The capabilities of a client without an adapter, which reports nothing and accepts no commands.
    package static let wireOnly = AdapterCapabilities(name: "external")

    package func shows(_ name: String) -> Bool {
        shows.contains { name == $0 || (name.hasPrefix($0) && name.dropFirst($0.count).first == ".") }
    }

    package func takes(_ command: String) -> Bool { takes.contains(command) }

    /// Returns the value of `connection.state` for a client's own state name; nil if the name is undeclared.
    ///
    /// If the client has declared no states, its names are the values themselves.
    package func state(_ native: String) -> String? {
        if states.isEmpty { return native }
        return states.first { $0.native == native }?.word
    }

    /// The highest adapter level that the client supports, for display.
    package var level: AdapterLevel {
        if let level = takes.compactMap({ ClientCommand.declaration(of: $0)?.level }).max() { return level }
        if !takes.isEmpty { return .commands }
        return shows.isEmpty ? .wire : .reports
    }
}

extension AdapterCapabilities {
    /// Parses the fields of `init_ok`. Unknown fields are ignored.
    package init(_ message: JSON) throws(AdapterFailure.Kind) {
        func list(_ name: String) throws(AdapterFailure.Kind) -> [String] {
            guard let value = message[name], !value.isNull else { return [] }
            guard let items = value.arrayValue else { throw .badField(message: "init_ok", field: name) }
            let texts = items.compactMap(\.stringValue)
            guard texts.count == items.count else { throw .badField(message: "init_ok", field: name) }
            return texts
        }
        func flag(_ name: String) throws(AdapterFailure.Kind) -> Bool {
            guard let value = message[name], !value.isNull else { return false }
            guard let flag = value.boolValue else { throw .badField(message: "init_ok", field: name) }
            return flag
        }
        guard let name = message["name"]?.stringValue, !name.isEmpty else {
            throw .badField(message: "init_ok", field: "name")
        }
        var states: [State] = []
        if let value = message["states"], !value.isNull {
            guard let members = value.members else { throw .badField(message: "init_ok", field: "states") }
            for member in members {
                guard let word = member.value.stringValue else {
                    throw .badField(message: "init_ok", field: "states.\(member.name)")
                }
                states.append(State(member.name, word))
            }
        }
        let clock = message["clock"]?.stringValue ?? AdapterClock.wall.rawValue
        guard let clock = AdapterClock(rawValue: clock) else { throw .unknownClock(clock) }
        self.init(
            name: name,
            version: message["version"]?.stringValue ?? "",
            shows: try list("shows"),
            takes: try list("takes"),
            states: states,
            supportsTLS: try flag("tls"),
            clock: clock
        )
    }
}
