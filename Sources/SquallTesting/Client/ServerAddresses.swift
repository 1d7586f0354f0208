import Adapter
import Live

/// The addresses of a client's server for one run.
public struct ServerAddresses: Sendable {
    /// The client's name in the scenario; `client` if the scenario has only one client.
    public let client: String
    /// The WebSocket URL, such as `ws://127.0.1.7:40113/ws`; `wss:` with TLS.
    public let webSocketURL: String
    /// The base URL for HTTP, without a trailing slash; `https:` with TLS.
    public let httpURL: String
    /// The user's key (credential) that the server accepts.
    public let key: String
    /// The run's seed, from which a client can derive its random numbers.
    public let seed: UInt64
    /// The path of the client's own folder, which exists from the start, survives `kill`, and is removed after the run.
    public let stateFolder: String
    /// The path of the PEM file that contains the server's certificate authority; nil without TLS. The client must
    /// trust this authority, and no other, for this run.
    public let authorityFile: String?
    /// The values of the scenario's profile.
    public let profile: ProfileValues

    init(_ place: HostedClients.Place, seed: UInt64, profile: ProfileValues) {
        client = place.client
        webSocketURL = place.addresses.webSocketURL
        httpURL = place.addresses.httpURL
        key = place.key
        self.seed = seed
        stateFolder = place.addresses.stateFolder ?? ""
        authorityFile = place.addresses.authorityFile
        self.profile = profile
    }
}
