import Faults
import Sockets
import SquallCore
import TLSLink

/// The connections of one proxy that one thread carries, and what they meet there.
///
/// The proxy itself lives with the API; it hands its connections to lanes, one on each thread, and tells all of them what
/// changes. Confined to its reactor's thread.
final class ProxyWorker {
    /// All that a lane on another thread must know to carry a proxy's connections.
    struct Settings: Sendable {
        let name: String
        let seed: Seed
        let certificates: Certificates
        /// Whether its connections are read as HTTP/1.1 and WebSocket.
        var readsProtocol = false
        /// What TLS of its connections ends here; nil: none, all bytes pass as they are.
        var tls: TLSPlan?
        var upstream: String
        /// Where its connections are written down as packets.
        var capture: ProxyCapture?
        var chain = ToxicChain()
        /// What it ends itself it ends by resets, where the stream was not over: else by FIN, as Toxiproxy does.
        var resetsUnfinishedStreams = false
    }

    /// The name under which links draw their chance.
    let identity: ClientID
    private(set) var settings: Settings
    private(set) var upstreamEndpoint: Endpoint?
    private var upstreamNumeric: [SystemAddress]?
    private var proxyConnections: [Int: ProxyConnection] = [:]
    /// Of the one lane that carries the proxy's UDP port, if that has one.
    private var datagrams: DatagramRelay?
    let reactor: Reactor
    let traffic: Traffic
    private let load: Load
    private let onEvent: (ProxyEvent.Kind, Int?) -> Void

    /// Where its sockets to the upstream come from; they never block.
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

    // MARK: - What the proxy tells it

    /// Connections that come from now on go by these.
    func take(_ new: Settings) {
        let isElsewhere = new.upstream != settings.upstream
        settings = new
        if isElsewhere { parseUpstream() }
    }

    private func parseUpstream() {
        upstreamEndpoint = try? Endpoint(settings.upstream)
        upstreamNumeric = upstreamEndpoint?.numeric(toConnect: true)
    }

    /// From now on the connection is this lane's; it is in its ``Load`` already.
    func carry(_ socket: SystemSocket, from client: SystemAddress, number: Int) {
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

    func begin(_ entry: ToxicChain.Entry) {
        guard let appliedFault = appliedFault(entry) else { return }
        for proxyConnection in inOrder where proxyConnection.isSelected(by: entry.toxic) {
            proxyConnection.begin(appliedFault)
        }
    }

    func adjust(_ entry: ToxicChain.Entry) {
        guard let appliedFault = appliedFault(entry) else { return }
        for proxyConnection in inOrder where proxyConnection.isSelected(by: entry.toxic) {
            proxyConnection.adjust(appliedFault)
        }
    }

    func end(_ entry: ToxicChain.Entry) {
        for proxyConnection in inOrder { proxyConnection.end(entry.number) }
    }

    /// From now on the UDP port is this lane's; it is in its ``Load`` already.
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

    /// Ends those that stand; datagrams have no end, and begin anew.
    func endAll() {
        datagrams?.forgetAll()
        for proxyConnection in inOrder {
            if settings.resetsUnfinishedStreams { proxyConnection.abort() } else { proxyConnection.shut() }
        }
    }

    /// Whether each upstream has all that its client sent, to the end.
    var hasForwardedAll: Bool { proxyConnections.values.allSatisfy(\.hasForwardedAll) }

    /// Lets go of them at once.
    func closeAll() {
        endDatagrams()
        for proxyConnection in inOrder { proxyConnection.close() }
    }

    /// In the order in which they came: what is done to all is told in one order.
    private var inOrder: [ProxyConnection] { proxyConnections.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: - For its conduits

    /// Whether a connection's first request must be known before it is known what it meets.
    var readsRequests: Bool { readsProtocol || settings.chain.entries.contains { $0.toxic.only?.needsRequest == true } }

    /// Whether its TLS hello must be.
    var readsHellos: Bool { settings.chain.entries.contains { $0.toxic.only?.needsHello == true } }

    /// What a new connection meets, in order.
    func appliedFaults(for proxyConnection: ProxyConnection) -> [AppliedFault] {
        settings.chain.entries.filter { proxyConnection.isSelected(by: $0.toxic) }.compactMap { appliedFault($0) }
    }

    /// What meets whoever is this, in order, and did not meet whoever was `former`.
    func appliedFaults(for facts: Selector.Facts, butNotFor former: Selector.Facts? = nil) -> [AppliedFault] {
        settings.chain.entries.filter { entry in
            entry.toxic.selects(facts) && former.map { entry.toxic.selects($0) } != true
        }.compactMap { appliedFault($0) }
    }

    /// Its chance is the seed's, the toxic's and the connection's number: no thread and no order of events is in it.
    private func appliedFault(_ entry: ToxicChain.Entry) -> AppliedFault? {
        guard let fault = entry.current else { return nil }
        let chance = "toxic.\(entry.toxic.name).\(entry.updates)"
        return AppliedFault(number: entry.number, fault: fault, seed: settings.seed, chance: chance)
    }

    /// Nil where the name must be looked up.
    func upstreamAddresses() -> [SystemAddress]? { upstreamNumeric }

    /// The proxy's end of a client's connection.
    func serverSession(for hello: ClientHello, showing kind: CertificateKind) throws(TLSError) -> any TLSSession {
        try settings.certificates.session(as: tls?.names(for: hello) ?? [], showing: kind)
    }

    /// The proxy's end of a connection to the upstream.
    func clientSession(_ plan: TLSPlan.Upstream) throws(TLSError) -> any TLSSession {
        try TLS.client(of: plan.name(at: upstreamEndpoint), trusting: plan.trust)
    }

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
