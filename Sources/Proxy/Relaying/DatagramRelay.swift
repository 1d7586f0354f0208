import Faults
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Relays datagrams between one UDP port and a server: each client address gets a session with its own socket to the
/// server.
///
/// Confined to the thread of one ``ProxyWorker``.
final class DatagramRelay {
    /// How long a session without datagrams stays open.
    private static let idle = TimeSpan.seconds(60)
    /// The maximum number of datagrams read from one socket in one call, so that other sockets get their turn.
    private static let turns = 64

    private struct Session {
        let client: SystemAddress
        let socket: SystemSocket
        let token: UInt64
        let number: Int
        var lastUsed: Instant
    }

    private let socket: SystemSocket
    private let proxy: ProxyWorker
    private var reactor: Reactor { proxy.reactor }
    private var token: UInt64 = 0
    private var sessions: [Int: Session] = [:]
    private var numbers: [SystemAddress: Int] = [:]
    private var sessionCount = 0
    private var datagrams: UInt64 = 0
    private var waiting = DatagramQueue()
    private var wake = EarliestWake()
    /// Whether the current shortage of file descriptors has been reported; reset when a session is created.
    private var hasReportedShortage = false

    /// Binds a UDP socket to the first usable address of `endpoint`, resolved through `names`.
    ///
    /// - Throws: ``AddressError`` if the host name has no address, or no address that can be bound.
    static func bind(_ endpoint: Endpoint, knowing names: NameTable) throws(AddressError) -> SystemSocket {
        var failure = AddressError("lookup \(endpoint.text): no such host")
        for local in try names.addresses(of: endpoint) {
            do throws(SocketError) {
                return try bind(local)
            } catch {
                failure = AddressError("listen udp \(local.description): \(error.operation): \(error.reason)")
                guard error.lacksAddress else { throw failure }
            }
        }
        throw failure
    }

    private static func bind(_ local: SystemAddress) throws(SocketError) -> SystemSocket {
        let socket = try SystemSocket.datagram(local.family)
        let code = socket.bind(to: local)
        guard code == 0 else {
            socket.close()
            throw SocketError("bind", code: code)
        }
        return socket
    }

    /// Creates a relay on a socket that is already bound and that may belong to another network namespace.
    init(adopting socket: SystemSocket, for proxy: ProxyWorker) throws(SocketError) {
        self.proxy = proxy
        self.socket = socket
        token = try reactor.watch(socket, self, tag: 0)
    }

    func close() {
        reactor.forget(token)
        socket.close()
        forgetAll()
    }

    /// Closes all sessions and drops delayed datagrams. Later datagrams start new sessions.
    func forgetAll() {
        for session in sessions.values {
            reactor.forget(session.token)
            session.socket.close()
        }
        sessions.removeAll()
        numbers.removeAll()
        waiting = DatagramQueue()
    }

    // MARK: - Sessions

    /// Returns the session number of a client address, after creating the session if necessary; nil if that fails.
    private func session(of client: SystemAddress) -> Int? {
        if let number = numbers[client] { return number }
        guard let upstream = proxy.upstreamAddresses()?.first else {
            proxy.report(AddressError("a UDP upstream must be a numeric address, not a name"))
            return nil
        }
        let descriptors = reactor.descriptors
        // The last descriptors are reserved for accepted connections and for the API.
        descriptors.probe(socket)
        guard !descriptors.areScarce else {
            reportShortage()
            return nil
        }
        sessionCount += 1
        do {
            let socket = try SystemSocket.datagram(upstream.family)
            descriptors.note(socket)
            guard socket.connect(to: upstream) == 0 else {
                socket.close()
                return nil
            }
            let number = sessionCount
            let token = try reactor.watch(socket, self, tag: number)
            sessions[number] = Session(
                client: client,
                socket: socket,
                token: token,
                number: number,
                lastUsed: reactor.now
            )
            numbers[client] = number
            hasReportedShortage = false
            reactor.schedule(token, at: reactor.now + Self.idle)
            proxy.emitDatagrams(from: client.unmapped.description, session: number)
            return number
        } catch {
            guard error.isExhaustion else {
                proxy.report(error)
                return nil
            }
            descriptors.noteExhaustion()
            reportShortage()
            return nil
        }
    }

    /// Reports, once per shortage, that datagrams from new addresses are dropped until file descriptors are free again.
    private func reportShortage() {
        if !hasReportedShortage { proxy.report(DescriptorShortage()) }
        hasReportedShortage = true
    }

    // MARK: - Datagrams

    private func receiveFromClients() {
        for _ in 0..<Self.turns {
            guard let (count, client) = socket.receiveDatagram(into: reactor.scratch) else { return }
            guard let number = session(of: client) else { continue }
            take(Array(reactor.scratch[..<count]), number, .upstream)
        }
        reactor.requeue(token)
    }

    private func receiveFromServer(_ number: Int) {
        guard let session = sessions[number] else { return }
        for _ in 0..<Self.turns {
            switch session.socket.receive(into: reactor.scratch) {
            case .bytes(let count): take(Array(reactor.scratch[..<count]), number, .downstream)
            // A read of zero bytes is an empty datagram, not an end of stream.
            case .end: take([], number, .downstream)
            // The error is an ICMP error for an earlier datagram (connection refused); later datagrams may follow it.
            case .broken: continue
            case .nothing: return
            }
        }
        reactor.requeue(session.token)
    }

    /// Applies the faults to a datagram: drops it, sends it now, or queues it until it is due.
    private func take(_ bytes: [UInt8], _ number: Int, _ direction: Direction) {
        guard let session = sessions[number] else { return }
        datagrams += 1
        sessions[number]?.lastUsed = reactor.now
        proxy.count(received: bytes.count, from: direction == .upstream ? .client : .server)
        let facts = Selector.Facts(number: number, client: session.client.unmapped)
        let faults = proxy.appliedFaults(for: facts)
        let datagram = Datagram(bytes, number: datagrams, direction, under: faults, at: reactor.now)
        guard let datagram else { return }
        guard datagram.due > reactor.now else {
            send(datagram.bytes, number, direction)
            return
        }
        let late = DatagramQueue.Waiting(bytes: datagram.bytes, session: number, direction: direction)
        if waiting.insert(late, due: datagram.due) { awaitNext() }
    }

    private func awaitNext() {
        if let due = waiting.next, wake.schedules(due) { reactor.schedule(token, at: due) }
    }

    private func send(_ bytes: [UInt8], _ number: Int, _ direction: Direction) {
        guard let session = sessions[number] else { return }
        proxy.count(sent: bytes.count, to: direction == .upstream ? .server : .client)
        bytes.withUnsafeBytes { bytes in
            // If the send buffer is full, the datagram is dropped, as on a real network.
            if direction == .upstream { _ = session.socket.send(bytes) } else { socket.send(bytes, to: session.client) }
        }
    }

    /// Closes a session whose idle timeout has expired; otherwise reschedules the check.
    private func forgetIfIdle(_ number: Int) {
        guard let session = sessions[number] else { return }
        let end = session.lastUsed + Self.idle
        guard end <= reactor.now else {
            reactor.schedule(session.token, at: end)
            return
        }
        reactor.forget(session.token)
        session.socket.close()
        sessions[number] = nil
        numbers[session.client] = nil
    }
}

extension DatagramRelay: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {
        if tag == 0 { receiveFromClients() } else { receiveFromServer(tag) }
    }

    func due(_ tag: Int) {
        guard tag == 0 else {
            forgetIfIdle(tag)
            return
        }
        let now = reactor.now
        wake.clearIfPassed(by: now)
        while let datagram = waiting.pop(through: now) {
            send(datagram.bytes, datagram.session, datagram.direction)
        }
        awaitNext()
    }
}
