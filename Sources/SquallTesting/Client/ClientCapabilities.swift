import Adapter

/// The observables and events that a client reports, and the commands that it accepts.
public struct ClientCapabilities: Hashable, Sendable {
    /// The client's name in reports.
    public var name: String
    /// The client's version in reports; empty if it has none.
    public var version: String
    /// The observables and events that the client reports. A name includes all names below it: `client` includes
    /// `client.connected`.
    public var shows: [ObservableName]
    /// The commands that the client accepts.
    public var takes: [ClientCommand.Verb]
    /// The names that the client itself uses for its connection states, each with the corresponding value of
    /// `connection.state`; empty if the client uses Squall's names.
    public var states: [String: String]
    /// Whether the client connects over `wss:` and `https:` and trusts ``ServerAddresses/authorityFile``. Otherwise
    /// scenarios with TLS are skipped.
    public var usesTLS: Bool

    /// Creates the capabilities of a client; each parameter sets the property of the same name.
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

    var offer: AdapterCapabilities {
        AdapterCapabilities(
            name: name,
            version: version,
            shows: shows.map(\.text),
            takes: takes.map(\.rawValue),
            states: states.sorted { $0.key < $1.key }.map { AdapterCapabilities.State($0.key, $0.value) },
            supportsTLS: usesTLS
        )
    }
}
