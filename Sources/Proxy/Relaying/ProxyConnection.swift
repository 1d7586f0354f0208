import Faults
import Sockets
import SquallCore
import TLSLink
import WebSocketWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// One connection through the proxy: two sockets, and the link that says what becomes of what they bring.
///
/// With no fault on it, bytes go from one socket to the other through a buffer that all share, and nobody is asked. What the
/// other socket does not take at once stops the reading: a conduit holds one read for each direction and no more, beside
/// what a fault delays.
final class ProxyConnection {
    /// What a socket may still have to write before its opposite is no longer read, where a fault forms the stream.
    static let highWaterMark = 256 * 1024
    /// The same while a courier writes, of which several writeJobCount may be under way.
    static let highWaterMarkInBulk = 4 * 1024 * 1024
    /// What a courier is sent for: less is written sooner than another thread is awake.
    static let bulk = 256 * 1024
    /// Reads of one connection before others have their turn.
    static let turns = 8
    /// A read of at least so much is likely to be followed by another.
    static let largeRead = 64 * 1024
    /// How long a connection that a fault has ended is read for a peer that does not end itself: closing at once would
    /// turn its FIN into a reset.
    static let lingering = TimeSpan.seconds(1)
    /// How long that which was written before the end of a fault waits for a peer that reads none of it.
    static let unreadPatience = TimeSpan.seconds(30)
    /// How long a reset waits for what was written before it to arrive.
    static let resetPatience = TimeSpan.milliseconds(250)
    /// How long an upstream waits to be dialled anew where this process is out of descriptors.
    static let exhaustionPause = TimeSpan.milliseconds(50)

    let number: Int
    let began: Instant
    let client = LinkSocket()
    let server = LinkSocket()
    var link: FaultedLink
    /// Of ``link``, since it was last told of something.
    private(set) var standing: FaultedLink.Standing
    /// Its own, too, once it is removed: what lingers has somebody to report to.
    let proxy: ProxyWorker
    let reactor: Reactor
    var wake = EarliestWake()
    var lingersUntil: Instant?
    /// How much both have lastProgress while it lingers, and since when no more.
    var lastProgress: (bytes: UInt64, since: Instant)?
    /// When a reset that waits is done whatever else; looked at again every millisecond.
    var resetBy: Instant?
    var remaining: [SystemAddress] = []
    /// Why the addresses tried so far do not do; 0 where none was.
    private(set) var dialError: Int32 = 0
    /// When an upstream is dialled for which there was no descriptor.
    var redialDue: Instant?
    /// Whether one is kept for the upstream still.
    private var holdsDescriptor = true
    var facts: Selector.Facts
    /// For whatever asks later.
    var sniffer = HandshakeSniffer()
    /// While the first request is awaited; until then no fault and no upstream.
    var gate: RequestGate?
    /// What TLS it ends, and how far that is; nil where all bytes pass as they are.
    var security: ConnectionSecurity?
    /// Writes packets down of what passes, where a capture is wanted.
    private(set) var tap: ProxyConnectionTap?
    /// Parcels sent by courier.
    var writeJobCount = 0
    private(set) var isPerforming = false
    /// What doing something brought, until that is done.
    private var queuedOutputs: [RelayOutput] = []
    var isOver = false
    /// Nothing passes any more; what still comes is read and thrown away.
    var isShut = false

    init(_ socket: SystemSocket, from address: SystemAddress, number: Int, of proxy: ProxyWorker, on reactor: Reactor) {
        self.number = number
        self.proxy = proxy
        self.reactor = reactor
        began = reactor.now
        link = FaultedLink(LinkID(proxy.identity, number), followsStreams: proxy.readsProtocol)
        standing = link.standing
        facts = Selector.Facts(number: number, client: address)
        client.socket = socket
    }

    subscript(side: LinkSide) -> LinkSocket {
        if case .client = side { client } else { server }
    }

    /// The connection has come in.
    func begin() throws(SocketError) {
        guard let socket = client.socket else { return }
        client.token = try reactor.watch(socket, self, tag: 0)
        if let capture = proxy.settings.capture {
            tap = ProxyConnectionTap(capture, socket, from: facts.client, number: number, of: proxy.settings.name)
        }
        beginSecurity()
        if proxy.readsRequests || proxy.readsHellos {
            gate = RequestGate(hello: proxy.readsHellos && !client.isSecured, request: proxy.readsRequests)
        } else {
            perform(link.accept(proxy.appliedFaults(for: self), at: reactor.now))
        }
    }

    func openGate(_ request: HTTPRequestHead?, _ hello: ClientHello? = nil) {
        guard let held = gate?.held else { return }
        gate = nil
        if let request {
            facts.request = request
            sniffer.forget()
        }
        if let hello {
            facts.serverName = hello.serverName
            proxy.emit(.clientHello(serverName: hello.serverName), of: self)
        }
        if let request { proxy.emit(.requested(request.method, request.target), of: self) }
        perform(link.accept(proxy.appliedFaults(for: self), at: reactor.now))
        if !held.isEmpty { perform(link.received(held, from: .client, at: reactor.now)) }
    }

    /// Whether bytes read from this side go straight to the other, so that nobody needs to ask.
    func isPlain(from side: LinkSide) -> Bool {
        if case .client = side { standing.isPlainFromClient } else { standing.isPlainFromServer }
    }

    // MARK: - Faults

    func begin(_ appliedFault: AppliedFault) {
        if gate == nil { perform(link.begin(appliedFault, at: reactor.now)) }
    }
    func adjust(_ appliedFault: AppliedFault) {
        if gate == nil { perform(link.adjust(appliedFault, at: reactor.now)) }
    }
    func end(_ number: Int) { perform(link.end(number, at: reactor.now)) }

    // MARK: - Upstream

    func dial() {
        switch proxy.upstreamAddresses() {
        case .some(let addresses): dial(addresses)
        case .none: proxy.lookUp(for: client.token)
        }
    }

    func dial(_ addresses: [SystemAddress]) {
        remaining = addresses
        while !remaining.isEmpty {
            let address = remaining.removeFirst()
            let socket: SystemSocket
            do {
                socket = try proxy.makeStream(address.family)
            } catch {
                guard !error.isExhaustion else {
                    remaining.insert(address, at: 0)
                    waitForDescriptor()
                    return
                }
                note(error.code)
                continue
            }
            TCPPacing.disable(socket, address)
            let result = socket.connect(to: address)
            guard result == 0 || result == EINPROGRESS else {
                note(result)
                socket.close()
                continue
            }
            do {
                server.token = try reactor.watch(socket, self, tag: 1)
            } catch {
                socket.close()
                note(error.code)
                continue
            }
            server.socket = socket
            tap?.call(address, by: socket)
            releaseDescriptor()
            // Even where it stands already, as to a Unix socket: what is being done for this link is done first.
            server.isConnecting = true
            return
        }
        failed(dialError)
    }

    /// An address cannot be reached; what that says about the link counts for more than what it says about this machine.
    func note(_ code: Int32) {
        if LinkFailure(errorNumber: dialError) == nil { dialError = code }
    }

    /// The client waits, as those do that have not come in.
    private func waitForDescriptor() {
        if reactor.descriptors.noteExhaustion() { proxy.report(DescriptorShortage()) }
        let due = reactor.now + Self.exhaustionPause
        redialDue = due
        reactor.schedule(client.token, at: due)
    }

    private func releaseDescriptor() {
        if holdsDescriptor { reactor.descriptors.release() }
        holdsDescriptor = false
    }

    func opened() {
        guard let socket = server.socket else { return }
        server.isConnecting = false
        socket.streamOptions()
        tap?.answered()
        if security?.plan.upstream != nil {
            secureUpstream()
        } else {
            perform(link.upstreamOpened(at: reactor.now))
        }
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    func failed(_ code: Int32) {
        let failure = LinkFailure(errorNumber: code)
        // What says nothing about the link says something about this machine.
        if failure == nil, code != 0 {
            proxy.report(SocketError("connect to \(proxy.settings.upstream)", code: code))
        }
        failed(failure ?? .unreachable)
    }

    func failed(_ failure: LinkFailure) {
        releaseDescriptor()
        proxy.emit(.upstreamFailed(failure), of: self)
        perform(link.upstreamFailed(at: reactor.now))
    }

    // MARK: - What the link wants

    /// In their order, also where doing one brings others: those come behind all of the first.
    func perform(_ outputs: [RelayOutput]) {
        standing = link.standing
        guard !isPerforming else {
            queuedOutputs += outputs
            return
        }
        isPerforming = true
        for output in outputs { perform(output) }
        while !queuedOutputs.isEmpty {
            let next = queuedOutputs
            queuedOutputs = []
            for output in next { perform(output) }
        }
        isPerforming = false
        // Most have nobody left to wait for.
        if standing.isSevered, client.socket != nil || server.socket != nil { linger() }
        if wake.needs(standing.nextDeadline) { reactor.schedule(client.token, at: standing.nextDeadline) }
        finishIfOver()
    }

    private func perform(_ output: RelayOutput) {
        switch output {
        case .acceptMode, .handshake: break
        case .connectUpstream: if security?.holdsUpstream() != true { dial() }
        case .write(_, let side, let bytes): write(bytes, to: side)
        case .end(_, let side, let how): end(side, how)
        case .readMode(_, let side, let readMode): setReadMode(side, readMode)
        case .observe(let observation, _): proxy.emit(.observed(observation), of: self)
        }
    }

    func setReadMode(_ side: LinkSide, _ readMode: ReadMode) {
        let old = self[side].readMode
        self[side].readMode = readMode
        guard let socket = self[side].socket else { return }
        do {
            if readMode == .unacknowledged { try PacketFilter.attach(to: socket) }
            if old == .unacknowledged { try PacketFilter.detach(from: socket) }
        } catch {
            proxy.report(error)
        }
        if readMode == .none, self[side].isReadable { reactor.requeue(self[side].token) }
    }

    func finishIfOver() {
        guard !isOver, client.socket == nil, server.socket == nil else { return }
        // A link whose upstream is still looked up has no second socket yet.
        guard standing.isOver || isShut || client.hasReadEnd || server.hasReadEnd else { return }
        isOver = true
        releaseDescriptor()
        reactor.forget(client.token)
        proxy.finished(self)
    }
}
