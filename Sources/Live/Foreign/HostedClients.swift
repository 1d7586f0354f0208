package import Adapter
package import ScenarioModel

/// Clients that live in this process: somebody's code in the place of a command.
package struct HostedClients: Sendable {
    /// Where one of them finds its server, and how it speaks.
    package struct Place: Sendable {
        /// The scenario client's name.
        package var client: String
        package var addresses: AdapterAddresses
        /// The credential that the server accepts.
        package var key: String
        /// Says what comes of it, from any thread: `output`, whole lines of the adapter protocol, or `gone`, which is the last.
        package var say: @Sendable (ForeignInput) -> Void
    }

    /// Begins one, in no time.
    package var begin: @Sendable (Place) -> any HostedClient

    package init(begin: @escaping @Sendable (Place) -> any HostedClient) {
        self.begin = begin
    }
}

/// One client that lives in this process, as what carries the adapter protocol to it sees it.
package protocol HostedClient: Sendable {
    /// A line of Squall's, its line feed included; in order, and in no time.
    func take(_ line: [UInt8])
    /// Nobody wants to hear of it any more: it leaves, in its own time.
    func end()
}
