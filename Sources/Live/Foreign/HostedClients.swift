package import Adapter
package import ScenarioModel

/// Starts clients that run inside this process rather than as a separate command.
package struct HostedClients: Sendable {
    /// The parameters of a hosted client: its name, the server's addresses and a function that sends its messages.
    package struct Place: Sendable {
        /// The client's name in the scenario.
        package var client: String
        package var addresses: AdapterAddresses
        /// The credential that the server accepts.
        package var key: String
        /// Sends an input from the client; can be called from any thread. The input is `output` with complete lines of
        /// the adapter protocol, or `gone` once the client has ended.
        package var send: @Sendable (ForeignInput) -> Void
    }

    /// Creates a client without blocking.
    package var begin: @Sendable (Place) -> any HostedClient

    package init(begin: @escaping @Sendable (Place) -> any HostedClient) {
        self.begin = begin
    }
}

/// A client that runs inside this process and receives the lines of the adapter protocol.
package protocol HostedClient: Sendable {
    /// Receives one line from Squall, including its line feed. Lines arrive in order, and this method must not block.
    func take(_ line: [UInt8])
    /// Ends the client, possibly asynchronously. Messages that it still sends are ignored.
    func end()
}
