import ChatWire
import FakeServer
import Faults
import NIOCore
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore
import TLSLink

/// The transport of one live run: a listener for each client at the relay, the server's listener, every connection
/// between them, the clients' HTTP exchanges and their stores.
///
/// The object must be used only on one event loop, which owns both ends of every connection. The network performs the
/// run's outputs and reports events to the run as inputs; it makes no decisions.
final class LiveNetwork {
    /// The closure that receives the run's inputs. A method that causes an input may call it before returning.
    var onInput: (TransportInput) -> Void = { _ in }
    /// The closure that is called if Squall itself cannot continue the run.
    var onFailure: (LiveError) -> Void = { _ in }

    let options: LiveOptions
    let loop: any EventLoop
    private let claim: LoopbackReservation
    var address: LocalAddress { claim.address }

    private(set) var clientListeners: [ClientID: Listener] = [:]
    private(set) var server: Listener?
    private(set) var exchanges: CurlExchanges?
    private let stores: ClientStores
    private(set) var foreign: ForeignClients?
    let clients: [ClientID]
    /// The external server that replaces the fake server; nil if the run uses the fake server.
    let upstream: UpstreamAddress?
    /// The TLS settings of the run's links; nil if no link uses TLS.
    let security: LiveSecurity?

    /// All connections of the run, oldest first. Closed connections are removed from time to time.
    var wires: [Wire] = []
    /// The connections whose callers still receive input about them, keyed by caller.
    var wireOf: [Caller: Wire] = [:]
    /// The connection that was opened from each local port. An accepted connection is matched with its caller by this
    /// port.
    var wireFromPort: [Int: Wire] = [:]
    /// Accepted connections whose caller is not yet known, keyed by the peer's port.
    var unmatchedConnections: [Int: Connection] = [:]
    /// The local ports of abandoned connection attempts. A listener may still accept a connection from such a port.
    var abandonedPorts: Set<Int> = []
    /// The connections that the relay accepted from clients.
    var wireFromClient: [LinkID: Wire] = [:]
    /// The connections that the server accepted from the relay.
    var wireToServer: [LinkID: Wire] = [:]
    /// The number of connections that the relay has accepted from each client.
    var linkCount: [ClientID: Int] = [:]
    /// The connections whose pending bytes ``flush()`` must write.
    private var unflushed: [Wire] = []
    /// The open connections of foreign clients that were killed. The kernel closes them once the process has ended.
    var killedLinks: Set<LinkID> = []
    /// The foreign clients' connections whose TLS handshake is incomplete, including those stalled by a fault.
    var handshaking: [ObjectIdentifier: Connection] = [:]
    /// The connections in ``handshaking``, except those stalled by a fault.
    var activeHandshakes: Set<ObjectIdentifier> = []
    private(set) var isDown = false
    /// The capture of the run's packets; nil if no capture was requested or capturing is not permitted.
    var capture: LiveCapture?

    /// Reserves a loopback address, opens all listeners, and initialises libcurl, the stores and any foreign clients.
    ///
    /// - Throws: ``LiveError`` if any of these fails; all resources acquired so far are then released.
    init(
        clients: [ClientID],
        upstream: UpstreamAddress? = nil,
        security: LinkSecurity = .none,
        options: LiveOptions,
        on loop: any EventLoop
    ) throws(LiveError) {
        self.options = options
        self.upstream = upstream
        self.loop = loop
        self.clients = clients
        let claim: LoopbackReservation
        do {
            claim = try LoopbackReservation.next()
        } catch {
            throw .socket(error)
        }
        self.claim = claim
        // A foreign client connects to a numeric address, so the relay's certificate must contain that address; the
        // reference client uses the host name regardless of the address.
        let host = options.foreign == nil ? options.host : "\(options.listenAddress?.address ?? claim.address)"
        self.security =
            security.isAny
            ? try LiveSecurity(security, host: host, as: options.identity, keepingKeys: options.captures != nil) : nil
        stores = ClientStores(in: options.folder)
        do {
            let authority = self.security?.clientAuthority
            exchanges = try CurlExchanges(address: claim.address, authority: authority, options: options)
            exchanges?.network = self
            server = try listener()
            for (place, client) in clients.enumerated() { clientListeners[client] = try listener(of: client, place) }
            if let launch = options.foreign {
                foreign = try ForeignClients(launch, folder: options.folder, authority: authority, on: loop)
                foreign?.onInput = { [weak self] in self?.onInput($0) }
            }
        } catch let error as LiveError {
            tearDown()
            throw error
        } catch let error as SocketError {
            tearDown()
            throw .socket(error)
        } catch {
            tearDown()
            throw .http(reason: "\(error)")
        }
    }

    private func listener(of client: ClientID, _ place: Int) throws(SocketError) -> Listener {
        guard options.foreign != nil else { return try listener() }
        guard let listen = options.listenAddress else { return try listener(for: client) }
        return try listener(for: client, at: listen.address, port: listen.port == 0 ? 0 : listen.port + place)
    }

    /// Opens a listener. If `client` is given, every accepted connection belongs to that client; otherwise callers are
    /// identified by their local ports.
    private func listener(
        for client: ClientID? = nil,
        at place: LocalAddress? = nil,
        port: Int = 0
    ) throws(SocketError) -> Listener {
        let listener = try Listener(
            at: place ?? address,
            port: port,
            settings: options.sockets,
            on: loop,
            onFailure: { [weak self] in self?.fail($0) },
            onAccept: { [weak self] connection in
                guard let self else { return connection.end(.rst) }
                if let client { accepted(connection, from: client) } else { accepted(connection) }
            }
        )
        do {
            try listener.set(.open)
            return listener
        } catch {
            listener.close()
            throw error
        }
    }

    // MARK: - Run outputs

    func perform(_ output: TransportOutput) {
        guard !isDown else { return }
        switch output {
        case .launch(let client): stores.launch(client)
        case .kill(let client): kill(client)
        case .foreign(let client, let wanted): perform(wanted, of: client)
        case .client(let client, let wanted): perform(wanted, of: client)
        case .relay(let wanted): perform(wanted)
        case .server(let wanted): perform(wanted)
        case .conducted(let answer): options.conductor?.onOutput(answer)
        }
    }

    private func perform(_ output: ClientOutput, of client: ClientID) {
        switch output {
        case .connect(let id):
            if let listener = clientListeners[client] { call(.connection(id), listener) }
        case .write(let id, let bytes):
            write(bytes, wireOf[.connection(id)]) { $0.writeByCaller($1) }
        case .end(let id, let how):
            end(.connection(id), how)
        case .request(let id, let wanted):
            request(id, wanted)
        case .cancel(let id):
            cancel(id)
        case .persist(let number, let writes):
            stores.persist(client, number, writes)
        case .observe, .crashed, .transfer, .phone:
            break
        }
    }

    private func perform(_ output: RelayOutput) {
        switch output {
        case .acceptMode(let client, let acceptMode):
            if let listener = clientListeners[client] { set(acceptMode, listener) { $0.process == client } }
        case .handshake(let client, let handshake):
            security?.handshakes[client] = handshake
        case .connectUpstream(let link):
            if let upstream { call(link, upstream) } else if let server { call(.relay(link), server) }
        case .write(let link, let side, let bytes):
            switch side {
            case .client: write(bytes, wireFromClient[link]) { $0.writeByCallee($1) }
            case .server: write(bytes, wireOf[.relay(link)]) { $0.writeByCaller($1) }
            }
        case .end(let link, .client, let how):
            wireFromClient[link]?.endByCallee(how)
        case .end(let link, .server, let how):
            end(.relay(link), how)
        case .readMode(let link, let side, let readMode):
            do throws(SocketError) {
                try relaySocket(link, side)?.readMode(readMode)
            } catch {
                fail(error)
            }
        case .observe:
            break
        }
    }

    private func perform(_ output: ServerOutput) {
        switch output {
        case .write(let link, let bytes):
            write(bytes, wireToServer[link]) { $0.writeByCallee($1) }
        case .end(let link, let how):
            wireToServer[link]?.endByCallee(how)
        case .listen(let listens):
            if let server { set(listens ? .open : .refusing, server) { $0.process == nil } }
        case .observe, .push:
            break
        }
    }

    private func write(_ bytes: [UInt8], _ wire: Wire?, _ body: (Wire, [UInt8]) -> Void) {
        guard let wire, !bytes.isEmpty else { return }
        if wire.isFlushed { unflushed.append(wire) }
        body(wire, bytes)
    }

    private func relaySocket(_ link: LinkID, _ side: LinkSide) -> Connection? {
        switch side {
        case .client: wireFromClient[link]?.calleeEnd
        case .server: wireOf[.relay(link)]?.callerConnection
        }
    }

    private func set(_ acceptMode: AcceptMode, _ listener: Listener, for calls: (Caller) -> Bool) {
        let old = listener.acceptMode
        do throws(SocketError) {
            try listener.set(acceptMode)
        } catch {
            fail(error)
        }
        if acceptMode != old { acceptModeChanged(from: old, to: acceptMode, for: calls) }
    }

    private func kill(_ client: ClientID) {
        // The kernel closes the sockets of a foreign client's process. The reference client's sockets are closed here.
        if let foreign {
            killedLinks.formUnion(wireFromClient.keys.filter { $0.client == client })
            return foreign.kill(client)
        }
        stores.kill(client)
        for wire in wires where wire.caller.process == client && wire.caller.endsWithProcess {
            if wireOf[wire.caller] === wire { wireOf[wire.caller] = nil }
            guard wire.phase == .established else {
                giveUp(wire, as: wire.phase == .lost ? .lost : .over)
                continue
            }
            if case .exchange(let id) = wire.caller { exchanges?.discard(id) }
            wire.flush()
            wire.callerConnection?.onEvent = { _ in }
            wire.callerConnection?.close()
        }
    }

    // MARK: - Turns

    /// Runs the pending work of libcurl and the stores. Called once per event-loop iteration.
    func turn() {
        guard !isDown else { return }
        exchanges?.turn()
        do throws(LiveError) {
            stores.beginTurn()
            while let input = try stores.next() { onInput(input) }
        } catch {
            onFailure(error)
        }
    }

    /// Passes the bytes written since the previous call to the kernel.
    func flush() {
        let wires = unflushed
        unflushed.removeAll()
        for wire in wires { wire.flush() }
    }

    /// Whether work is pending that will not wake the event loop, so that iterations must be requested.
    var needsTurns: Bool { stores.isBusy || exchanges?.isBusy == true }

    /// Describes the first pending work found; nil if the run cannot continue before its next deadline.
    func pendingWork() -> String? {
        if stores.isBusy { return "a store is writing" }
        wires.removeAll { $0.isDead }
        if !activeHandshakes.isEmpty { return "a TLS handshake is in progress" }
        if killedLinks.contains(where: isClosing) { return "the connections of a killed client are closing" }
        for wire in wires {
            guard let what = wire.pendingWork else { continue }
            // The receiving kernel may delay an acknowledgement by 40 ms, even if all bytes have been read, so the
            // acknowledgement is requested now.
            wire.acknowledgeNow()
            return what
        }
        return exchanges?.pendingWork()
    }

    /// Returns whether the kernel has yet to report the end of a killed client's connection.
    private func isClosing(_ link: LinkID) -> Bool {
        guard let end = wireFromClient[link]?.calleeEnd else { return false }
        return end.isOpen && end.readMode == .none && !end.hasSeenEnd
    }

    /// Closes accepted connections whose caller is unknown, and forgets abandoned ports. Called when no work is
    /// pending, so that nothing more can arrive for them.
    func settled() {
        abandonedPorts.removeAll()
        unmatchedConnections.values.forEach { $0.end(.rst) }
        unmatchedConnections.removeAll()
    }

    /// Stops or resumes reading and accepting on all sockets. While they are stopped, the kernel buffers incoming data.
    func hold(_ isHeld: Bool) {
        for listener in clientListeners.values { listener.suspend(isHeld) }
        server?.suspend(isHeld)
        for wire in wires {
            wire.callerConnection?.suspend(isHeld)
            wire.calleeEnd?.suspend(isHeld)
        }
        for connection in [Connection](unmatchedConnections.values) + handshaking.values { connection.suspend(isHeld) }
        foreign?.isHeld = isHeld
    }

    // MARK: - Teardown

    /// Releases sockets, ports, the address, libcurl's handles, the stores and their folder.
    ///
    /// `done` is called once foreign clients' processes have exited, possibly before this method returns.
    func tearDown(then done: @escaping () -> Void = {}) {
        guard !isDown else { return done() }
        isDown = true
        onInput = { _ in }
        onFailure = { _ in }
        if let foreign { foreign.tearDown(then: done) } else { done() }
        exchanges?.close()
        clientListeners.values.forEach { $0.close() }
        server?.close()
        for wire in wires {
            wire.attempt?.abandon()
            (wire.callerEnd as? Connection)?.end(.rst)
            wire.calleeEnd?.end(.rst)
        }
        unmatchedConnections.values.forEach { $0.end(.rst) }
        handshaking.values.forEach { $0.end(.rst) }
        stores.close()
        capture = nil
        claim.release()
    }
}
