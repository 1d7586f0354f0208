import Adapter
import Live

/// The addresses at which a client finds its server, for one run.
public struct ServerAddresses: Sendable {
    /// The scenario client's name: `client` where there is one alone.
    public let client: String
    /// `ws://127.0.1.7:40113/ws`, or `wss:` where the scenario has TLS.
    public let webSocketURL: String
    /// The beginning of every HTTP address, without a slash at its end; `https:` with TLS.
    public let httpURL: String
    /// The credential that the server accepts.
    public let key: String
    /// The run's seed, for a client that wants its chance from there.
    public let seed: UInt64
    /// A folder of the client's own, which is there from the start, survives `kill`, and is gone with the run.
    public let stateFolder: String
    /// With TLS: the authority of the server's certificate, in PEM. Trust it for this run, and nothing that is not of it.
    public let authorityFile: String?
    /// The numbers and texts that the scenario goes by.
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
