import SquallCore
import TLSLink

/// TLS before a port of this machine that speaks none: for clients that refuse cleartext, such as a phone's.
package enum SecureFront {
    package struct Options: Sendable {
        /// Where clients come to, and where the authority's certificate is offered over plain HTTP: `host:port`, with 0
        /// for any port that is free.
        package var listen: Endpoint
        package var offer: Endpoint
        /// The plain port on loopback.
        package var upstream: Int
        /// Names and addresses for clients that name no host.
        package var hosts: [String]
        /// Nil: an authority in memory.
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

    /// Both ports, as they turned out.
    package struct Places: Hashable, Sendable {
        package var port: Int
        package var offerPort: Int
    }

    /// Serves on the calling thread until ``ReactorInbox/post(_:)`` says stop.
    ///
    /// Throws an ``AddressError`` or a `SocketError` where a port cannot be had.
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
        let offer = try server.offerAuthority(at: options.offer)
        let places = Places(port: port(of: server.sorted.first?.listen ?? ""), offerPort: port(of: offer))
        onReady(places, server.reactor.mailbox)
        server.run()
    }

    private static func port(of address: String) -> Int {
        address.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}
