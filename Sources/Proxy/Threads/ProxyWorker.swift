import Faults
import Sockets
import SquallCore
import TLSLink

/// Carries the connections of one proxy on one thread, and applies its toxics to them.
///
/// A ``RunningProxy``, on the API's thread, has one worker per thread, gives each new connection to one of them and
/// sends all of them every change. Confined to its reactor's thread.
final class ProxyWorker {
    /// The settings of a proxy that its workers need; copied to each of them.
    struct Settings: Sendable {
        let name: String
        let seed: Seed
        let certificates: Certificates
        /// Whether connections are parsed as HTTP/1.1 and WebSocket.
        var readsProtocol = false
        /// Which TLS the proxy terminates or originates; nil if TLS passes through.
        var tls: TLSPlan?
        var upstream: String
        /// The packet capture that records its connections.
        var capture: ProxyCapture?
        var chain = ToxicChain()
        /// Whether stopping resets streams that have not ended, instead of sending FIN as Toxiproxy does.
        var resetsUnfinishedStreams = false
    }

    /// The proxy's identity in the random streams of its links.
    let identity: ClientID
    private(set) var settings: Settings
    private(set) var upstreamEndpoint: Endpoint?
    /// The upstream's addresses; nil if its host is a name.
    private var upstreamNumeric: [SystemAddress]?
    private var proxyConnections: [Int: ProxyConnection] = [:]
    /// The proxy's UDP port, on the one worker that relays it.
    private var datagrams: DatagramRelay?
    let reactor: Reactor
    let traffic: Traffic
    private let load: Load
    private let onEvent: (ProxyEvent.Kind, Int?) -> Void

    /// Makes a non-blocking socket to the upstream; replaced when the upstream is in another network namespace.
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

    // MARK: - Changes from the proxy

    /// Takes new settings, which apply to later connections.
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

    /// Carries an accepted connection. The caller has already counted it in the thread's ``Load``.
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

    /// Starts a toxic on all connections that it selects.
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

    /// Relays a UDP port. The caller has already counted it in the thread's ``Load``.
    func carryDatagrams(at socket: SystemSocket) {
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

    /// Ends all connections; UDP sessions, which have no end, start anew.
    func endAll() {
        datagrams?.forgetAll()
        for proxyConnection in inOrder {
            if settings.resetsUnfinishedStreams { proxyConnection.abort() } else { proxyConnection.shut() }
        }
    }

    /// Whether all that clients have sent, ends included, was forwarded to the upstreams.
    var hasForwardedAll: Bool { proxyConnections.values.allSatisfy(\.hasForwardedAll) }

    /// Closes all connections and the UDP port at once.
    func closeAll() {
        endDatagrams()
        for proxyConnection in inOrder { proxyConnection.close() }
    }

    /// The connections by number, so that an action on all of them reports events in a fixed order.
    private var inOrder: [ProxyConnection] { proxyConnections.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: - Services for connections

    /// Whether a connection's toxics are known only after its first request.
    var readsRequests: Bool { readsProtocol || settings.chain.entries.contains { $0.toxic.only?.needsRequest == true } }

    /// Whether a connection's toxics are known only after its ClientHello.
    var readsHellos: Bool { settings.chain.entries.contains { $0.toxic.only?.needsHello == true } }

    /// The faults of the toxics that apply to a new connection, in chain order.
    func appliedFaults(for proxyConnection: ProxyConnection) -> [AppliedFault] {
        settings.chain.entries.filter { proxyConnection.isSelected(by: $0.toxic) }.compactMap { appliedFault($0) }
    }

    /// The faults of the toxics that apply to `facts` but did not apply to `former`, in chain order.
    func appliedFaults(for facts: Selector.Facts, butNotFor former: Selector.Facts? = nil) -> [AppliedFault] {
        settings.chain.entries.filter { entry in
            entry.toxic.selects(facts) && former.map { entry.toxic.selects($0) } != true
        }.compactMap { appliedFault($0) }
    }

    /// Returns the fault of a toxic together with its random stream.
    ///
    /// The stream depends only on the seed, the toxic and the connection's number, so that threads and the order of
    /// events do not change what a connection draws.
    private func appliedFault(_ entry: ToxicChain.Entry) -> AppliedFault? {
        guard let fault = entry.current else { return nil }
        let chance = "toxic.\(entry.toxic.name).\(entry.updates)"
        return AppliedFault(number: entry.number, fault: fault, seed: settings.seed, chance: chance)
    }

    /// The upstream's addresses; nil if its name must be looked up.
    func upstreamAddresses() -> [SystemAddress]? { upstreamNumeric }

    /// Makes the TLS session towards a client, with a certificate for the host it names.
    func serverSession(for hello: ClientHello, showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try settings.certificates.session(as: tls?.names(for: hello) ?? [], showing: kind)
    }

    /// Makes the TLS session towards the upstream.
    func clientSession(_ plan: TLSPlan.Upstream) throws(TLSError) -> any TLSSession {
        try TLS.client(of: plan.name(at: upstreamEndpoint), trusting: plan.trust)
    }

    /// Looks up the upstream's name; the result is posted to the reactor for `token`.
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
    func report(_ error: any Error) { onEvent(.trouble("\(error)"), nil) }

    /// Releases a connection that is over and reports its byte counts.
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
