import Adapter

/// What a client can show and do.
public struct ClientCapabilities: Hashable, Sendable {
    /// The client's name in reports.
    public var name: String
    /// The client's version in reports; empty for none.
    public var version: String
    /// The observables and events that the client reports; a name stands for all below it, such as `client` for
    /// `client.connected`.
    public var shows: [ObservableName]
    /// The commands that the client takes.
    public var takes: [ClientCommand.Verb]
    /// The client's own words for its connection's state, each with the word of `connection.state`; empty when it uses
    /// Squall's.
    public var states: [String: String]
    /// Whether the client connects by `wss:` and `https:` and trusts ``ServerAddresses/authorityFile``. Scenarios with
    /// TLS are skipped otherwise.
    public var usesTLS: Bool

    /// Makes the capabilities of a client; see the properties.
    public init(
        name: String,
        version: String = "",
        shows: [ObservableName] = [],
        takes: [ClientCommand.Verb] = [],
        states: [String: String] = [:],
        usesTLS: Bool = false
    ) {
        self.name = name
        self.version = version
        self.shows = shows
        self.takes = takes
        self.states = states
        self.usesTLS = usesTLS
    }

    var offer: ClientOffer {
        ClientOffer(
            name: name,
            version: version,
            shows: shows.map(\.text),
            takes: takes.map(\.rawValue),
            states: states.sorted { $0.key < $1.key }.map { ClientOffer.State($0.key, $0.value) },
            comesByTLS: usesTLS
        )
    }
}
