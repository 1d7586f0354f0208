package import SquallCore

/// What a client has said that it can show and do: its answer to `init`.
package struct ClientOffer: Hashable, Sendable {
    package var name: String
    package var version: String
    /// Observables and events that it tells of, by their names in the registry; a name stands for all below it.
    package var shows: [String]
    /// The commands that it takes.
    package var takes: [String]
    /// Its own words for its connection's state, and Squall's for each.
    package var states: [State]
    /// Whether it comes by TLS where it is told to.
    package var comesByTLS: Bool

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
        comesByTLS: Bool = false
    ) {
        self.name = name
        self.version = version
        // Sets and an object, which have no order (RFC 8259 section 1): a client may say them in another each time.
        self.shows = shows.sorted()
        self.takes = takes.sorted()
        self.states = states.sorted { $0.native < $1.native }
        self.comesByTLS = comesByTLS
    }

    /// A client without an adapter: nothing shown, nothing taken.
    package static let wireOnly = ClientOffer(name: "external")

    package func shows(_ name: String) -> Bool {
        shows.contains { name == $0 || (name.hasPrefix($0) && name.dropFirst($0.count).first == ".") }
    }

    package func takes(_ command: String) -> Bool { takes.contains(command) }

    /// Squall's word for one of the client's own; its own where it has declared no map at all.
    package func state(_ native: String) -> String? {
        if states.isEmpty { return native }
        return states.first { $0.native == native }?.word
    }

    /// The level that it comes up to, for a reader.
    package var level: AdapterLevel {
        if takes("kill") || takes("background") || takes("network") { return .device }
        if !takes.isEmpty { return .commands }
        return shows.isEmpty ? .wire : .reports
    }
}

extension ClientOffer {
    /// Reads the fields of `init_ok`; unknown ones are ignored.
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
        if let clock = message["clock"]?.stringValue, clock != "wall" { throw .reservedClock(clock) }
        self.init(
            name: name,
            version: message["version"]?.stringValue ?? "",
            shows: try list("shows"),
            takes: try list("takes"),
            states: states,
            comesByTLS: try flag("tls")
        )
    }
}
