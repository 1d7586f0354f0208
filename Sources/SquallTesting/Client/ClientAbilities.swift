import Adapter

/// What a client can show and do.
public struct ClientAbilities: Hashable, Sendable {
    /// What reports call it.
    public var name: String
    public var version: String
    /// The observables and events that it reports, by Squall's names (`squall explain observables`); a name stands for all below it.
    public var shows: [String]
    /// The commands that it takes.
    public var takes: [ClientCommand.Verb]
    /// The client's own words for its connection's state, and the word of `connection.state` for each; empty where it uses Squall's.
    public var states: [String: String]
    /// Whether it comes by `wss:` and `https:` and trusts ``ServerAddresses/authorityFile``; otherwise scenarios with TLS are skipped.
    public var comesByTLS: Bool

    public init(
        name: String,
        version: String = "",
        shows: [String] = [],
        takes: [ClientCommand.Verb] = [],
        states: [String: String] = [:],
        comesByTLS: Bool = false
    ) {
        self.name = name
        self.version = version
        self.shows = shows
        self.takes = takes
        self.states = states
        self.comesByTLS = comesByTLS
    }

    var offer: ClientOffer {
        ClientOffer(
            name: name,
            version: version,
            shows: shows,
            takes: takes.map(\.rawValue),
            states: states.sorted { $0.key < $1.key }.map { ClientOffer.State($0.key, $0.value) },
            comesByTLS: comesByTLS
        )
    }
}
