import SquallCore
package import TLSLink

/// Serves an authority's certificate for download and optionally terminates TLS in front of a plaintext port on this
/// machine, for clients such as phones that refuse plaintext connections.
package enum SecureFront {
    /// A plaintext port to expose over TLS.
    package struct Relay: Sendable {
        /// The address to which clients connect, `host:port`; with port 0 the kernel chooses a port.
        package var listen: Endpoint
        /// The plaintext port on the loopback interface to which connections are forwarded.
        package var upstream: Int
        /// The names and addresses in the certificate for clients that send no server name (SNI).
        package var hosts: [String]

        package init(listen: Endpoint, upstream: Int, hosts: [String]) {
            self.listen = listen
            self.upstream = upstream
            self.hosts = hosts
        }
    }

    package struct Options: Sendable {
        package var authority: any TLSAuthority
        /// The address at which the authority's certificate can be downloaded over plain HTTP, `host:port`; with port 0
        /// the kernel chooses a port.
        package var offer: Endpoint
        /// The plaintext port to expose over TLS; nil to serve only the certificate.
        package var relay: Relay?

        package init(_ authority: any TLSAuthority, offer: Endpoint, relay: Relay?) {
            self.authority = authority
            self.offer = offer
            self.relay = relay
        }
    }

    /// The ports on which the front end listens.
    package struct Places: Hashable, Sendable {
        /// The TLS port; nil if only the certificate is served.
        package var port: Int?
        package var offerPort: Int
    }

    /// Runs the front end on the calling thread until ``ReactorInbox/Message/stop`` is posted.
    ///
    /// `onReady` is called once all ports are open.
    ///
    /// - Throws: ``AddressError`` or `SocketError` if a port cannot be bound.
    package static func run(
        _ options: Options,
        onTrouble: @escaping (String) -> Void,
        onReady: (Places, ReactorInbox) -> Void
    ) throws {
        var settings = ProxyServer.Options()
        settings.authority = options.authority
        let server = try ProxyServer(settings)
        server.onTrouble = onTrouble
        if let relay = options.relay {
            let entry: JSON = [
                "name": "serve", "listen": .string(relay.listen.text),
                "upstream": .string("127.0.0.1:\(relay.upstream)"),
                "tls": ["mode": "terminate", "hosts": .array(relay.hosts.map { .string($0) })],
            ]
            try server.load(ProxyFile(JSON.array([entry]).encode()))
        }
        let offer = try server.serveCertificate(at: options.offer)
        onReady(
            Places(port: server.sorted.first.map { port(of: $0.listen) }, offerPort: port(of: offer)),
            server.reactor.mailbox
        )
        server.run()
    }

    private static func port(of address: String) -> Int {
        address.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}
