import SquallCore
import TLSLink

/// A TLS server in front of a plaintext port on this machine, for clients that refuse plaintext connections, as phones
/// do.
package enum SecureFront {
    package struct Options: Sendable {
        /// The address to which clients connect, `host:port`; with port 0 the kernel chooses a port.
        package var listen: Endpoint
        /// The address at which the authority's certificate can be downloaded over plain HTTP, `host:port`; with port 0
        /// the kernel chooses a port.
        package var offer: Endpoint
        /// The plaintext port on loopback to which connections are forwarded.
        package var upstream: Int
        /// The names and addresses in the certificate for clients that send no server name (SNI).
        package var hosts: [String]
        /// The folder of the certificate authority; nil creates the authority in memory.
        package var authorityFolder: String?

        package init(
            listen: Endpoint,
            offer: Endpoint,
            upstream: Int,
            hosts: [String],
            authorityFolder: String?
        ) {
            self.listen = listen
            self.offer = offer
            self.upstream = upstream
            self.hosts = hosts
            self.authorityFolder = authorityFolder
        }
    }

    /// The ports on which the front end listens.
    package struct Places: Hashable, Sendable {
        package var port: Int
        package var offerPort: Int
    }

    /// Runs the front end on the calling thread until ``ReactorInbox/Message/stop`` is posted.
    ///
    /// `onReady` is called once both ports are open.
    ///
    /// - Throws: ``AddressError`` or `SocketError` if a port cannot be bound.
    package static func run(
        _ options: Options,
        onTrouble: @escaping (String) -> Void,
        onReady: (Places, ReactorInbox) -> Void
    ) throws {
        var settings = ProxyServer.Options()
        settings.authorityFolder = options.authorityFolder
        let server = try ProxyServer(settings)
        server.onTrouble = onTrouble
        let entry: JSON = [
            "name": "serve", "listen": .string(options.listen.text),
            "upstream": .string("127.0.0.1:\(options.upstream)"),
            "tls": ["mode": "terminate", "hosts": .array(options.hosts.map { .string($0) })],
        ]
        try server.load(ProxyFile(JSON.array([entry]).encode()))
        let offer = try server.serveCertificate(at: options.offer)
        let places = Places(port: port(of: server.sorted.first?.listen ?? ""), offerPort: port(of: offer))
        onReady(places, server.reactor.mailbox)
        server.run()
    }

    private static func port(of address: String) -> Int {
        address.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}
