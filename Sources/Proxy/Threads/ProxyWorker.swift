import Faults
import Sockets
import SquallCore
import TLSLink

/// Relays the connections of one proxy on one thread, and applies the proxy's toxics to them.
///
/// A ``RunningProxy`` lives on the API's thread and has one worker on every thread. It assigns each new connection to
/// one of the workers and sends every change to all of them. A worker is confined to its reactor's thread.
final class ProxyWorker {
    /// The settings of a proxy that its workers need; each worker has a copy.
    struct Settings: Sendable {
        let name: String
        let seed: Seed
        let certificates: Certificates
        /// Whether connections are parsed as HTTP/1.1 and WebSocket.
        var readsProtocol = false
        /// The proxy's plan for terminating and originating TLS; nil if TLS passes through.
        var tls: TLSPlan?
        var upstream: String
        /// The packet capture that records the proxy's connections; nil if there is none.
        var capture: ProxyCapture?
        var chain = ToxicChain()
        /// Whether stopping the proxy resets unfinished streams. If not, it sends a FIN, as Toxiproxy does.
        var resetsUnfinishedStreams = false
    }

    /// The identity that seeds the random streams of the proxy's links.
    let identity: ClientID
    private(set) var settings: Settings
    private(set) var upstreamEndpoint: Endpoint?
    /// The upstream's addresses; nil if its host is a name that must be resolved.
    private var upstreamNumeric: [SystemAddress]?
    private var proxyConnections: [Int: ProxyConnection] = [:]
    /// The relay for the proxy's UDP port; nil on every worker except the one that relays the port.
    private var datagrams: DatagramRelay?
    let reactor: Reactor
    let traffic: Traffic
    private let load: Load
    private let onEvent: (ProxyEvent.Kind, Int?) -> Void

    /// Creates a non-blocking socket of the given address family for connecting to the upstream. Replaced if the
    /// upstream is in another network namespace.
    var makeStream: (Int32) throws(SocketError) -> SystemSocket = { family throws(SocketError) in
        try SystemSocket.stream(family)
    }

    init(
        _ settings: Settings,
        on reactor: Reactor,
        traffic: Traffic,
        load: Load,
        onEvent: @escaping (ProxyEvent.Kind, _ link: Int?) -> Void
    ) {
        identity = ClientID(settings.name)
        self.settings = settings
        self.reactor = reactor
        self.traffic = traffic
        self.load = load
        self.onEvent = onEvent
        parseUpstream()
    }

    var readsProtocol: Bool { settings.readsProtocol }
    var tls: TLSPlan? { settings.tls }

    // MARK: - Changes requested by the proxy

    /// Stores new settings, which affect later connections only.
    func take(_ new: Settings) {
        assert(reactor.isConfined)
        let isElsewhere = new.upstream != settings.upstream
        settings = new
        if isElsewhere { parseUpstream() }
    }

    private func parseUpstream() {
        upstreamEndpoint = try? Endpoint(settings.upstream)
        upstreamNumeric = upstreamEndpoint?.numeric(toConnect: true)
    }

    /// Starts to relay an accepted connection. The caller has already counted it in the thread's ``Load``.
    func carry(_ socket: SystemSocket, from client: SystemAddress, number: Int) {
        assert(reactor.isConfined)
        let proxyConnection = ProxyConnection(socket, from: client, number: number, of: self, on: reactor)
        proxyConnections[number] = proxyConnection
        do {
            try proxyConnection.begin()
        } catch {
            report(error)
            socket.resetOnClose()
            proxyConnection.close()
        }
    }

    /// Applies a toxic to all connections that it selects.
    func begin(_ entry: ToxicChain.Entry) {
        guard let appliedFault = appliedFault(entry) else { return }
        for proxyConnection in inOrder where proxyConnection.isSelected(by: entry.toxic) {
            proxyConnection.begin(appliedFault)
        }
    }

    /// Changes the parameters of a toxic on all connections that it selects.
    func adjust(_ entry: ToxicChain.Entry) {
        guard let appliedFault = appliedFault(entry) else { return }
        for proxyConnection in inOrder where proxyConnection.isSelected(by: entry.toxic) {
            proxyConnection.adjust(appliedFault)
        }
    }

    /// Ends a toxic on all connections.
    func end(_ entry: ToxicChain.Entry) {
        for proxyConnection in inOrder { proxyConnection.end(entry.number) }
    }

    /// Starts to relay a UDP port. The caller has already counted it in the thread's ``Load``.
    func relayDatagrams(at socket: SystemSocket) {
        do {
            datagrams = try DatagramRelay(adopting: socket, for: self)
        } catch {
            report(error)
            socket.close()
            load.remove()
        }
    }

    func endDatagrams() {
        guard let datagrams else { return }
        datagrams.close()
        self.datagrams = nil
        load.remove()
    }

    /// Ends all connections. UDP has no end of stream, so its sessions are closed; later datagrams start new ones.
    func endAll() {
        datagrams?.forgetAll()
        for proxyConnection in inOrder {
            if settings.resetsUnfinishedStreams { proxyConnection.abort() } else { proxyConnection.shut() }
        }
    }

    /// Whether everything that the clients have sent, including every end of stream, has been forwarded upstream.
    var hasForwardedAll: Bool { proxyConnections.values.allSatisfy(\.hasForwardedAll) }

    /// Closes all connections and the UDP port immediately.
    func closeAll() {
        endDatagrams()
        for proxyConnection in inOrder { proxyConnection.close() }
    }

    /// The connections in order of their numbers, so that an action on all connections reports its events in a fixed
    /// order.
    private var inOrder: [ProxyConnection] { proxyConnections.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: - Services for connections

    /// Whether the first request must be read to determine a connection's toxics.
    var readsRequests: Bool { readsProtocol || settings.chain.entries.contains { $0.toxic.only?.needsRequest == true } }

    /// Whether the ClientHello must be read to determine a connection's toxics.
    var readsHellos: Bool { settings.chain.entries.contains { $0.toxic.only?.needsHello == true } }

    /// Returns the faults of the toxics that apply to a new connection, in chain order.
    func appliedFaults(for proxyConnection: ProxyConnection) -> [AppliedFault] {
        settings.chain.entries.filter { proxyConnection.isSelected(by: $0.toxic) }.compactMap { appliedFault($0) }
    }

    /// Returns the faults of the toxics that apply to a connection with `facts` but did not apply with `former`, in
    /// chain order.
    func appliedFaults(for facts: Selector.Facts, butNotFor former: Selector.Facts? = nil) -> [AppliedFault] {
        settings.chain.entries.filter { entry in
            entry.toxic.selects(facts) && former.map { entry.toxic.selects($0) } != true
        }.compactMap { appliedFault($0) }
    }

    /// Returns the fault of a toxic together with its random stream.
    ///
    /// The stream depends only on the seed, the toxic and the connection's number, so neither the threads nor the order
    /// of events affects a connection's random values.
    private func appliedFault(_ entry: ToxicChain.Entry) -> AppliedFault? {
        guard let fault = entry.current else { return nil }
        let randomStreamPrefix = "toxic.\(entry.toxic.name).\(entry.updates)"
        return AppliedFault(
            number: entry.number,
            fault: fault,
            seed: settings.seed,
            randomStreamPrefix: randomStreamPrefix
        )
    }

    /// Returns the upstream's addresses; nil if its host name must be looked up.
    func upstreamAddresses() -> [SystemAddress]? { upstreamNumeric }

    /// Creates the TLS session with a client, with a certificate for the host that the client requests.
    func serverSession(for hello: ClientHello, showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try settings.certificates.session(as: tls?.names(for: hello) ?? [], showing: kind)
    }

    /// Creates the TLS session with the upstream.
    func clientSession(_ plan: TLSPlan.Upstream) throws(TLSError) -> any TLSSession {
        try TLS.client(of: plan.name(at: upstreamEndpoint), trusting: plan.trust)
    }

    /// Looks up the upstream's host name; the result is posted to the reactor for `token`.
    func lookUp(for token: UInt64) {
        guard let upstreamEndpoint else {
            let error = AddressError("address \(settings.upstream): missing port in address")
            reactor.mailbox.post(.resolved(token, .failure(error)))
            return
        }
        reactor.resolver.resolve(upstreamEndpoint, for: token)
    }

    func count(received count: Int, from side: LinkSide) { traffic.add(received: count, from: side) }
    func count(sent count: Int, to side: LinkSide) { traffic.add(sent: count, to: side) }

    func emit(_ kind: ProxyEvent.Kind, of proxyConnection: ProxyConnection) { onEvent(kind, proxyConnection.number) }
    func emitDatagrams(from client: String, session: Int) { onEvent(.datagrams(from: client), session) }
    func report(_ error: any Error) { onEvent(.problem("\(error)"), nil) }

    /// Releases a connection that has ended, and reports its byte counts.
    func finished(_ proxyConnection: ProxyConnection) {
        guard proxyConnections.removeValue(forKey: proxyConnection.number) != nil else { return }
        load.remove()
        traffic.closed()
        onEvent(
            .closed(toServer: proxyConnection.server.sent, toClient: proxyConnection.client.sent),
            proxyConnection.number
        )
    }
}
