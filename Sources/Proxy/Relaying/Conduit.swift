import Faults
import Foundations
import Sockets
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
final class Conduit {
    /// What a socket may still have to write before its opposite is no longer read, where a fault forms the stream.
    private static let enough = 256 * 1024
    /// Reads of one connection before others have their turn.
    private static let turns = 8
    /// How long a connection that a fault has ended is read for a peer that does not end itself: closing at once would
    /// turn its FIN into a reset.
    private static let lingering = TimeSpan.seconds(1)
    /// How long a reset waits for what was written before it to arrive.
    private static let resetPatience = TimeSpan.milliseconds(250)

    let number: Int
    let began: Instant
    private(set) var client = LinkSocket()
    private(set) var server = LinkSocket()
    private(set) var link: SoleLink
    private let proxy: RunningProxy
    private let reactor: Reactor
    /// The earliest deadline that the reactor knows of.
    private var scheduled = Instant.never
    private var lingersUntil: Instant?
    /// When a reset that waits is done whatever else; looked at again every millisecond.
    private var resetBy: Instant?
    private var remaining: [SystemAddress] = []
    private(set) var facts: Selector.Facts
    /// While the first request is awaited; until then no fault and no upstream.
    private var gate: RequestGate?
    private var isOver = false
    /// Nothing passes any more; what still comes is read and thrown away.
    private var isShut = false

    init(_ socket: SystemSocket, number: Int, of proxy: RunningProxy, on reactor: Reactor) {
        self.number = number
        self.proxy = proxy
        self.reactor = reactor
        began = reactor.now
        link = SoleLink(LinkID(proxy.identity, number), followsStreams: proxy.readsProtocol)
        facts = Selector.Facts(number: number, client: socket.peerAddress?.description ?? "")
        client.socket = socket
    }

    private subscript(side: LinkSide) -> LinkSocket {
        // Borrowed: asked many times for each read, and a copy would cost a count of its backlog.
        _read { if side == .client { yield client } else { yield server } }
        _modify { if side == .client { yield &client } else { yield &server } }
    }

    /// The connection has come in.
    func begin() throws(SocketError) {
        guard let socket = client.socket else { return }
        client.token = try reactor.watch(socket, self, tag: 0)
        socket.streamOptions()
        if proxy.readsRequests {
            gate = RequestGate()
        } else {
            perform(link.accept(proxy.afflictions(for: facts), at: reactor.now))
        }
    }

    private func openGate(_ request: HTTPRequestHead?) {
        guard let held = gate?.held else { return }
        gate = nil
        facts.request = request
        if let request { proxy.tell(.requested(request.method, request.target), of: self) }
        perform(link.accept(proxy.afflictions(for: facts), at: reactor.now))
        if !held.isEmpty { perform(link.received(held, from: .client, at: reactor.now)) }
    }

    // MARK: - Faults

    func begin(_ affliction: SoleLink.Affliction) {
        if gate == nil { perform(link.begin(affliction, at: reactor.now)) }
    }
    func adjust(_ affliction: SoleLink.Affliction) {
        if gate == nil { perform(link.adjust(affliction, at: reactor.now)) }
    }
    func end(_ number: Int) { perform(link.end(number, at: reactor.now)) }

    // MARK: - Upstream

    private func dial() {
        switch proxy.upstreamAddresses() {
        case .some(let addresses): dial(addresses)
        case .none: proxy.lookUp(for: client.token)
        }
    }

    private func dial(_ addresses: [SystemAddress]) {
        remaining = addresses
        var last: Int32 = 0
        while !remaining.isEmpty {
            let address = remaining.removeFirst()
            let socket: SystemSocket
            do {
                socket = try SystemSocket.stream(address.family)
            } catch {
                proxy.complain(error)
                last = error.code
                continue
            }
            let result = socket.connect(to: address)
            guard result == 0 || result == EINPROGRESS else {
                last = result
                socket.close()
                continue
            }
            do {
                server.token = try reactor.watch(socket, self, tag: 1)
            } catch {
                socket.close()
                last = error.code
                continue
            }
            server.socket = socket
            server.isConnecting = result != 0
            if result == 0 { opened() }
            return
        }
        failed(last)
    }

    private func opened() {
        guard let socket = server.socket else { return }
        server.isConnecting = false
        socket.streamOptions()
        perform(link.upstreamOpened(at: reactor.now))
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    private func failed(_ code: Int32) {
        proxy.tell(.upstreamFailed(LinkFailure(errorNumber: code) ?? .unreachable), of: self)
        perform(link.upstreamFailed(at: reactor.now))
    }

    // MARK: - Reading

    private func mayRead(_ side: LinkSide) -> Bool {
        guard self[side].isOpen, !self[side].hasEnded, self[side].hush == .none else { return false }
        let waiting = side == .client ? server.backlog.count : client.backlog.count
        return waiting == 0 || waiting < Self.enough && !link.isPlain(from: side)
    }

    private func pump(_ side: LinkSide) {
        var turns = 0
        while self[side].isReadable, mayRead(side), let socket = self[side].socket {
            turns += 1
            guard turns <= Self.turns else {
                reactor.goOn(self[side].token)
                return
            }
            switch socket.receive(into: reactor.scratch) {
            case .bytes(let count):
                // Less than there was room for: the kernel has no more, unless an end stands behind it.
                if count < reactor.scratch.count, !self[side].hasHungUp { self[side].isReadable = false }
                self[side].received += UInt64(count)
                proxy.count(received: count, from: side)
                let bytes = UnsafeRawBufferPointer(rebasing: reactor.scratch[..<count])
                if side == .client, let verdict = gate?.take(Array(bytes)) {
                    if case .open(let request) = verdict { openGate(request) }
                } else if link.isPlain(from: side) {
                    write(bytes, to: side.opposite)
                } else {
                    perform(link.received(Array(bytes), from: side, at: reactor.now))
                }
            case .nothing: self[side].isReadable = false
            case .end: ended(side, self[side].isBroken ? .rst : .fin)
            case .broken: ended(side, .rst)
            }
        }
    }

    private func ended(_ side: LinkSide, _ how: LinkEnd) {
        if side == .client { openGate(nil) }
        self[side].hasEnded = true
        self[side].isReadable = false
        if how == .rst { discard(side) }
        perform(link.ended(side, how, at: reactor.now))
        closeIfDone(side)
        finishIfOver()
    }

    // MARK: - Writing

    private func write(_ bytes: UnsafeRawBufferPointer, to side: LinkSide) {
        guard let socket = self[side].socket, !self[side].isBroken else { return }
        guard self[side].backlog.isEmpty else {
            self[side].backlog.append(Array(bytes))
            return
        }
        switch socket.send(bytes) {
        case .bytes(let count):
            wrote(count, to: side)
            guard count < bytes.count else { return }
            self[side].isWritable = false
            self[side].backlog.append(Array(bytes[count...]))
        case .blocked:
            self[side].isWritable = false
            self[side].backlog.append(Array(bytes))
        case .broken: broke(side)
        }
    }

    private func wrote(_ count: Int, to side: LinkSide) {
        self[side].sent += UInt64(count)
        proxy.count(sent: count, to: side)
    }

    /// Nothing can be written any more; what the peer sent before it was gone can still be read.
    private func broke(_ side: LinkSide) {
        self[side].isBroken = true
        self[side].isReadable = true
        self[side].backlog.removeAll()
        reactor.goOn(self[side].token)
    }

    private func flush(_ side: LinkSide) {
        guard self[side].isWritable, !self[side].backlog.isEmpty, let socket = self[side].socket else { return }
        var isBlocked = false
        var isBroken = false
        var total = 0
        self[side].backlog.drain { bytes in
            switch socket.send(bytes) {
            case .bytes(let count):
                total += count
                if count < bytes.count { isBlocked = true }
                return count
            case .blocked:
                isBlocked = true
                return 0
            case .broken:
                isBroken = true
                return 0
            }
        }
        wrote(total, to: side)
        if isBlocked { self[side].isWritable = false }
        if isBroken {
            broke(side)
        } else if self[side].backlog.isEmpty, let how = self[side].ending {
            end(side, how)
        }
        pump(side.opposite)
    }

    // MARK: - Ending

    private func end(_ side: LinkSide, _ how: LinkEnd) {
        guard let socket = self[side].socket else { return }
        guard self[side].backlog.isEmpty else {
            self[side].ending = how
            if how == .rst { waitToReset() }
            return
        }
        switch how {
        case .fin:
            self[side].ending = nil
            self[side].isEnded = true
            socket.endOutput()
            closeIfDone(side)
        case .rst:
            // A reset takes with it what the kernel has not delivered yet.
            guard socket.unacknowledged == 0 || self[side].isEnded || resetBy.map({ $0 <= reactor.now }) == true else {
                self[side].ending = .rst
                waitToReset()
                return
            }
            socket.resetOnClose()
            discard(side)
        }
    }

    private func waitToReset() {
        guard resetBy == nil else { return }
        resetBy = reactor.now + Self.resetPatience
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    private func resetIfTime() {
        guard let resetBy else { return }
        let isTime = resetBy <= reactor.now
        for side in LinkSide.allCases where self[side].ending == .rst {
            if isTime { self[side].backlog.removeAll() }
            end(side, .rst)
        }
        guard client.ending == .rst || server.ending == .rst else {
            self.resetBy = nil
            return
        }
        reactor.schedule(client.token, at: reactor.now + .milliseconds(1))
    }

    /// Both directions of a socket are over.
    private func closeIfDone(_ side: LinkSide) {
        guard self[side].hasEnded, self[side].isEnded, self[side].socket != nil else { return }
        discard(side)
    }

    private func discard(_ side: LinkSide) {
        guard let socket = self[side].socket else { return }
        self[side].socket = nil
        self[side].ending = nil
        self[side].isConnecting = false
        self[side].backlog.removeAll()
        // The client's token outlives its socket: deadlines bear it.
        if side == .server { reactor.forget(server.token) }
        socket.close()
    }

    /// Ends both sides by FIN at once, whatever is under way, as when the proxy is disabled.
    func shut() {
        for side in LinkSide.allCases {
            self[side].backlog.removeAll()
            self[side].hush = .none
            guard let socket = self[side].socket else { continue }
            if self[side].isConnecting {
                discard(side)
            } else {
                socket.endOutput()
                self[side].isEnded = true
                drain(side)
            }
        }
        isShut = true
        linger()
        finishIfOver()
    }

    private func drain(_ side: LinkSide) {
        while let socket = self[side].socket {
            switch socket.receive(into: reactor.scratch) {
            case .bytes: continue
            case .nothing: return
            case .end, .broken: discard(side)
            }
        }
    }

    /// Closes at once, by FIN, or by RST where a peer's bytes lie unread.
    func close() {
        isShut = true
        discard(.client)
        discard(.server)
        finishIfOver()
    }

    private func linger() {
        guard lingersUntil == nil else { return }
        let limit = reactor.now + Self.lingering
        lingersUntil = limit
        reactor.schedule(client.token, at: limit)
    }

    // MARK: - What the link wants

    private func perform(_ outputs: [RelayOutput]) {
        for output in outputs {
            switch output {
            case .door: break
            case .connectUpstream: dial()
            case .write(_, let side, let bytes): bytes.withUnsafeBytes { write($0, to: side) }
            case .end(_, let side, let how): end(side, how)
            case .hush(_, let side, let hush): setHush(side, hush)
            case .observe(let observation, _): proxy.tell(.observed(observation), of: self)
            }
        }
        if link.isSevered { linger() }
        if let due = link.nextDeadline, due < scheduled {
            scheduled = due
            reactor.schedule(client.token, at: due)
        }
        finishIfOver()
    }

    private func setHush(_ side: LinkSide, _ hush: Hush) {
        let old = self[side].hush
        self[side].hush = hush
        guard let socket = self[side].socket else { return }
        do {
            if hush == .unacknowledged { try PacketFilter.attach(to: socket) }
            if old == .unacknowledged { try PacketFilter.detach(from: socket) }
        } catch {
            proxy.complain(error)
        }
        if hush == .none, self[side].isReadable { reactor.goOn(self[side].token) }
    }

    private func finishIfOver() {
        guard !isOver, client.socket == nil, server.socket == nil else { return }
        // A link whose upstream is still looked up has no second socket yet.
        guard link.isOver || isShut || client.hasEnded || server.hasEnded else { return }
        isOver = true
        reactor.forget(client.token)
        proxy.finished(self)
    }
}

extension Conduit: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {
        let side: LinkSide = tag == 0 ? .client : .server
        guard let socket = self[side].socket else { return }
        if readiness.isReadable { self[side].isReadable = true }
        if readiness.isWritable { self[side].isWritable = true }
        if readiness.hasHungUp { self[side].hasHungUp = true }
        if isShut {
            drain(side)
            finishIfOver()
            return
        }
        if self[side].isConnecting {
            guard readiness.isWritable || readiness.hasHungUp else { return }
            let error = socket.takeError()
            guard error == 0 else {
                discard(.server)
                if remaining.isEmpty { failed(error) } else { dial(remaining) }
                return
            }
            opened()
            return
        }
        flush(side)
        pump(side)
        finishIfOver()
    }

    func due(_ tag: Int) {
        let now = reactor.now
        if scheduled <= now { scheduled = .never }
        resetIfTime()
        if let lingersUntil, lingersUntil <= now {
            // Whoever has not ended by now is closed on.
            close()
            return
        }
        guard !isShut, !isOver else { return }
        perform(link.advance(to: now))
        pump(.client)
        pump(.server)
        finishIfOver()
    }

    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {
        guard !isShut, server.socket == nil else { return }
        switch addresses {
        case .success(let found): dial(found)
        case .failure(let error):
            proxy.complain(error)
            failed(0)
        }
    }
}
