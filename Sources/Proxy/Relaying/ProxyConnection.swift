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

/// One connection through a proxy: a socket to the client, a socket to the server, and the link between them.
///
///      client                                                                      server
///        |    client: LinkSocket                            server: LinkSocket        |
///        |   +-----------------+   +--------------------+   +-----------------+       |
///        |==>| read  TLS  gate |==>|     FaultedLink    |==>| TLS     backlog |======>|
///        |   |                 |   | faults delay, drop |   |                 |       |
///        |<==| backlog     TLS |<==|  or end the bytes  |<==| TLS        read |<======|
///        |   +-----------------+   +--------------------+   +-----------------+       |
///                 | large backlogs                               | large backlogs
///                 +------------> BulkWriter thread <-------------+
///
/// **Accepted.** A ``ListeningSocket`` on the API's thread accepts the client, and a ``RunningProxy`` gives it a number
/// and hands it to the ``ProxyWorker`` of the least loaded thread. From `begin()` on, the connection is confined to
/// that worker's reactor thread, except for name lookups, which run on a Dispatch queue, and large writes.
///
/// **Gated.** If a toxic selects connections by ClientHello or first request, the ``RequestGate`` holds the client's
/// bytes until the ClientHello or request is complete. Until then, there are no faults and no upstream connection. If
/// the proxy terminates TLS, the handshake with the client comes first.
///
/// **Dialling.** The link accepts the connection and requests the upstream, whose addresses are tried one after
/// another. When the process has no descriptor left, dialling waits and tries again. Meanwhile, the client's bytes stay
/// in the kernel unless a fault affects them.
///
/// **Open.** `pump` reads a side when the poller reports it readable. While no fault affects a direction, its bytes are
/// written directly from the reactor's shared buffer to the other socket. Otherwise they are passed to the link, which
/// returns outputs to execute now and the deadline of its next output: bytes that a fault delays are queued inside the
/// link. Bytes that the kernel does not accept are queued in the sink's ``Backlog``, and the source is not read while
/// the backlog contains any bytes (no fault) or more than ``highWaterMark`` (with faults), so backpressure reaches the
/// peer. A backlog of ``bulk`` bytes or more is written by the ``BulkWriter``'s thread, which reports its progress
/// through the reactor's inbox.
///
/// **Ending.** A FIN from one side is passed to the link, whose output shuts down the other side's sending direction
/// after its backlog is written: the connection is half-closed. A socket is closed when both of its directions have
/// ended, or immediately on RST. When a fault has ended both directions, bytes that still arrive are read and discarded
/// for up to ``lingering``, because closing a socket with unread bytes sends RST. `shut()` (the proxy is disabled),
/// `abort()` (the same with RST) and `close()` (the server stops) end the connection immediately. When both sockets are
/// closed, `finishIfOver()` notifies the ``ProxyWorker``, which releases this object.
final class ProxyConnection {
    /// The size of one side's backlog, in bytes, above which the other side is not read if a fault affects its bytes.
    static let highWaterMark = 256 * 1024
    /// The value used instead of ``highWaterMark`` while a write job runs, in bytes. It is larger because a write job
    /// can write several pieces at once.
    static let highWaterMarkInBulk = 4 * 1024 * 1024
    /// The minimum size, in bytes, of a backlog that is written by a write job. Writing a smaller backlog takes less
    /// time than waking another thread.
    static let bulk = 256 * 1024
    /// The maximum number of reads from one side in one call, so that other connections get their turn.
    static let turns = 8
    /// A read of at least this many bytes suggests that the next one will be at least as large.
    static let largeRead = 64 * 1024
    /// How long the proxy continues to read from a connection that a fault has ended while it waits for the peers to
    /// close the connection.
    ///
    /// If a socket with unread bytes were closed, the kernel would send RST instead of FIN.
    static let lingering = TimeSpan.seconds(1)
    /// How long a connection ended by a fault stays open while no peer reads the bytes that are still queued.
    static let unreadTimeout = TimeSpan.seconds(30)
    /// How long a reset waits for the preceding bytes to be acknowledged.
    static let resetTimeout = TimeSpan.milliseconds(250)
    /// How long dialling pauses before the next attempt when the process has no file descriptors left.
    static let exhaustionPause = TimeSpan.milliseconds(50)

    /// The connection's number within its proxy, counted from 1.
    let number: Int
    let began: Instant
    let client = LinkSocket()
    let server = LinkSocket()
    var link: FaultedLink
    /// The link's status after the latest input that it processed.
    private(set) var linkStatus: FaultedLink.Status
    /// The worker that relays this connection.
    ///
    /// The reference is kept after the proxy is removed, so that a lingering connection can still report.
    let proxy: ProxyWorker
    let reactor: Reactor
    var wake = EarliestWake()
    /// When the linger timeout expires; nil unless a fault has ended the connection.
    var lingersUntil: Instant?
    /// The total number of bytes sent to both peers while the connection lingers, and when that number last changed.
    var lastProgress: (bytes: UInt64, since: Instant)?
    /// The deadline at which a pending reset is sent even if bytes are still unacknowledged. Until then,
    /// acknowledgements are checked every millisecond.
    var resetBy: Instant?
    /// The upstream addresses that have not been tried yet.
    var remaining: [SystemAddress] = []
    /// The most informative error number from the addresses that have failed so far; 0 if none has failed.
    private(set) var dialError: Int32 = 0
    /// When dialling is retried after a shortage of file descriptors; nil if no retry is scheduled.
    var redialDue: Instant?
    /// Whether a file descriptor is still reserved for the upstream socket.
    private var holdsDescriptor = true
    /// The facts by which toxics select the connection.
    var facts: Selector.Facts
    /// Inspects the client's first bytes without delaying them, for toxics that are added later.
    var sniffer = HandshakeSniffer()
    /// Holds the client's bytes until its first request or ClientHello is complete; nil once the gate has opened.
    ///
    /// Until the gate opens, there are no faults and no upstream connection.
    var gate: RequestGate?
    /// The TLS state of the connection; nil if TLS passes through.
    var security: ConnectionSecurity?
    /// Records the connection in the packet capture, if there is one.
    private(set) var recorder: ProxyConnectionRecorder?
    /// The number of write jobs created so far, which is also the number of the latest one.
    var writeJobCount = 0
    /// Whether the link's outputs are being executed.
    private(set) var isPerforming = false
    /// Outputs that the link produced while earlier ones were being executed.
    private var queuedOutputs: [RelayOutput] = []
    /// Whether the worker has been notified that the connection is over.
    var isOver = false
    /// Whether the proxy has ended the connection: nothing is forwarded, and bytes that still arrive are discarded.
    var isShut = false

    init(_ socket: SystemSocket, from address: SystemAddress, number: Int, of proxy: ProxyWorker, on reactor: Reactor) {
        self.number = number
        self.proxy = proxy
        self.reactor = reactor
        began = reactor.now
        link = FaultedLink(LinkID(proxy.identity, number), followsStreams: proxy.readsProtocol)
        linkStatus = link.status
        facts = Selector.Facts(number: number, client: address)
        client.socket = socket
    }

    subscript(side: LinkSide) -> LinkSocket {
        if case .client = side { client } else { server }
    }

    /// Starts the connection: registers the client's socket, then either waits for the client's first request or
    /// ClientHello, or passes the connection to the link.
    ///
    /// - Throws: `SocketError` if the reactor cannot register the socket.
    func begin() throws(SocketError) {
        guard let socket = client.socket else { return }
        client.token = try reactor.watch(socket, self, tag: 0)
        if let capture = proxy.settings.capture {
            recorder = ProxyConnectionRecorder(
                capture,
                socket,
                from: facts.client,
                number: number,
                of: proxy.settings.name
            )
        }
        beginSecurity()
        if proxy.readsRequests || proxy.readsHellos {
            gate = RequestGate(hello: proxy.readsHellos && !client.isSecured, request: proxy.readsRequests)
        } else {
            perform(link.accept(proxy.appliedFaults(for: self), at: reactor.now))
        }
    }

    /// Opens the request gate: records the request or ClientHello, starts the faults, and forwards the held bytes.
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

    /// Returns whether no fault affects the bytes from this side, so that they bypass the link.
    func isPlain(from side: LinkSide) -> Bool {
        if case .client = side { linkStatus.isPlainFromClient } else { linkStatus.isPlainFromServer }
    }

    // MARK: - Faults

    func begin(_ appliedFault: AppliedFault) {
        if gate == nil { perform(link.begin(appliedFault, at: reactor.now)) }
    }
    func adjust(_ appliedFault: AppliedFault) {
        if gate == nil { perform(link.adjust(appliedFault, at: reactor.now)) }
    }
    // While the request gate is closed, the link has no faults, so this call has no effect.
    func end(_ number: Int) { perform(link.end(number, at: reactor.now)) }

    // MARK: - Upstream

    /// Connects to the upstream, looking up its host name first if necessary.
    func dial() {
        switch proxy.upstreamAddresses() {
        case .some(let addresses): dial(addresses)
        case .none: proxy.lookUp(for: client.token)
        }
    }

    /// Starts connecting to the first of these addresses to which a connection can be attempted.
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
            recorder?.recordConnect(address, by: socket)
            releaseDescriptor()
            // The flag is set even if the socket is connected immediately, as a Unix socket is. The outputs that are
            // being executed must be completed before the connection is treated as open.
            server.isConnecting = true
            return
        }
        failed(dialError)
    }

    /// Records the error number of an address that failed. Network errors take precedence over errors on this machine.
    func note(_ code: Int32) {
        if LinkFailure(errorNumber: dialError) == nil { dialError = code }
    }

    /// Schedules another dial attempt. Meanwhile the client waits, as it would in the accept queue.
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

    /// Continues after the upstream connection has been established.
    func opened() {
        guard let socket = server.socket else { return }
        server.isConnecting = false
        socket.streamOptions()
        recorder?.recordConnected()
        if security?.plan.upstream != nil {
            secureUpstream()
        } else {
            perform(link.upstreamOpened(at: reactor.now))
        }
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    /// Handles the failure to connect to the last upstream address; `code` is the most informative error number.
    func failed(_ code: Int32) {
        let failure = LinkFailure(errorNumber: code)
        // An error other than a network error is a problem with this machine, so it is reported to the user.
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

    // MARK: - Link outputs

    /// Executes outputs in order. Outputs that are produced meanwhile are executed after all of these.
    func perform(_ outputs: [RelayOutput]) {
        assert(reactor.isConfined)
        // The status is updated first, because executing an output can call back into this connection, which then reads
        // the status.
        linkStatus = link.status
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
        // If both sockets are closed already, as is usual, no linger timeout is needed.
        if linkStatus.isSevered, client.socket != nil || server.socket != nil { linger() }
        if wake.schedules(linkStatus.nextDeadline) { reactor.schedule(client.token, at: linkStatus.nextDeadline) }
        finishIfOver()
    }

    private func perform(_ output: RelayOutput) {
        switch output {
        case .acceptMode, .handshake: break
        case .connectUpstream: if security?.defersUpstream() != true { dial() }
        case .write(_, let side, let bytes): write(bytes, to: side)
        case .end(_, let side, let how): end(side, how)
        case .readMode(_, let side, let readMode): setReadMode(side, readMode)
        case .observe(let observation, _): proxy.emit(.observed(observation), of: self)
        }
    }

    /// Changes the read mode of this side.
    ///
    /// In `unacknowledged` mode, a packet filter is attached, so that the kernel does not even acknowledge the bytes.
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

    /// Reports the end of the connection to the worker once both sockets are closed and no upstream connection is
    /// expected.
    func finishIfOver() {
        guard !isOver, client.socket == nil, server.socket == nil else { return }
        // Before the upstream is dialled, there is no server socket either, so its absence does not mean that the
        // connection is over.
        guard linkStatus.isOver || isShut || client.hasReadEnd || server.hasReadEnd else { return }
        isOver = true
        releaseDescriptor()
        reactor.forget(client.token)
        proxy.finished(self)
    }
}
