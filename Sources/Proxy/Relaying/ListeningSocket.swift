import Faults
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A listening TCP or Unix socket and its accept mode.
///
/// A TCP listener keeps its address while it refuses connections: the socket stays bound and stops listening. A Unix
/// socket cannot listen again after it has stopped, so it is closed instead. Its file stays in place, and a new socket
/// is bound to the path later.
final class ListeningSocket {
    /// The length of the accept queue: thousands of clients may connect within one iteration of the event loop.
    private static let backlog: Int32 = 4096
    /// The maximum number of connections accepted in one call, so that other sockets get their turn.
    private static let turns = 64
    /// How long accepting pauses when descriptors are scarce.
    private static let exhaustionPause = TimeSpan.milliseconds(50)

    /// The address as given, but with the port that the kernel chose if none was given.
    let address: String
    private(set) var acceptMode = AcceptMode.open
    private let onAccept: (SystemSocket, SystemAddress) -> Void
    private let onFailure: (any Error) -> Void
    /// Whether the listener accepts even while descriptors are scarce, as the control API's listener does.
    private let isPrivileged: Bool
    private let reactor: Reactor
    private let path: String?
    /// The bound address, stored so that it can be bound again.
    private let boundAddress: SystemAddress
    /// The listening socket; nil while a Unix listener refuses connections.
    private var socket: SystemSocket?
    private var token: UInt64 = 0
    /// Whether connections may be waiting: set when the poller reports connections, and cleared once the accept queue
    /// is found empty.
    private var isReady = false
    /// Whether accepting is paused until a scheduled deadline.
    private var isWaiting = false
    /// Whether the reason for the pause has been reported; reset by the next accepted connection.
    private var isExhausted = false
    private var isClosed = false

    /// Binds a socket and listens. Connections wait in the kernel's accept queue until `set(_:)` is called.
    ///
    /// If `isPrivileged`, the listener accepts even while descriptors are scarce.
    ///
    /// - Throws: ``AddressError`` if the host name has no address, or no address that can be bound.
    init(
        at endpoint: Endpoint,
        on reactor: Reactor,
        isPrivileged: Bool = false,
        onFailure: @escaping (any Error) -> Void,
        onAccept: @escaping (SystemSocket, _ from: SystemAddress) -> Void
    ) throws(AddressError) {
        self.reactor = reactor
        self.isPrivileged = isPrivileged
        self.onAccept = onAccept
        self.onFailure = onFailure
        let addresses: [SystemAddress]
        do {
            addresses = try reactor.names.addresses(of: endpoint)
        } catch {
            throw AddressError("listen tcp: \(error)")
        }
        var failure = AddressError("listen tcp: lookup \(endpoint.text): no such host")
        for candidate in addresses {
            do {
                let bound = try Self.bind(candidate)
                socket = bound
                boundAddress = bound.localAddress.flatMap { $0.family == AF_UNIX ? nil : $0 } ?? candidate
                if case .unix(let path) = endpoint.kind {
                    address = endpoint.text
                    self.path = path
                } else {
                    address = bound.localAddress?.description ?? endpoint.text
                    path = nil
                }
                return
            } catch {
                let network = candidate.family == AF_UNIX ? "unix" : "tcp"
                let name = candidate.family == AF_UNIX ? endpoint.text : candidate.description
                failure = AddressError("listen \(network) \(name): \(error.operation): \(error.reason)")
                // The host name's next address is tried only if this machine does not have the current one, not if the
                // port is in use.
                guard error.lacksAddress else { throw failure }
            }
        }
        throw failure
    }

    /// Creates a listener on a socket that is already listening and that may belong to another network namespace.
    init(
        adopting socket: SystemSocket,
        on reactor: Reactor,
        onFailure: @escaping (any Error) -> Void,
        onAccept: @escaping (SystemSocket, _ from: SystemAddress) -> Void
    ) {
        isPrivileged = false
        self.socket = socket
        self.reactor = reactor
        self.onAccept = onAccept
        self.onFailure = onFailure
        boundAddress = socket.localAddress ?? SystemAddress(family: AF_INET, bytes: [])
        address = boundAddress.description
        path = nil
        socket.streamOptions()
    }

    /// Deletes a Unix socket's file if no process is listening on it, for example because its owner was killed.
    ///
    /// Returns whether it deleted the file.
    @discardableResult
    private static func removeAbandoned(_ address: SystemAddress) -> Bool {
        guard let path = address.path else { return false }
        // Connecting to a file that is not a socket also fails with ECONNREFUSED, and such a file must not be deleted.
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        guard let caller = try? SystemSocket.stream(address.family) else { return false }
        defer { caller.close() }
        return caller.connect(to: address) == ECONNREFUSED && unlink(path) == 0
    }

    /// Binds and listens on `address`. If the kernel chooses the port, that port is then bound again explicitly.
    ///
    /// The kernel releases a port that it chose itself as soon as the socket stops listening, but keeps one that was
    /// requested.
    private static func bind(_ address: SystemAddress) throws(SocketError) -> SystemSocket {
        guard address.hasNoPort else {
            do {
                return try bindOnce(address)
            } catch {
                guard error.code == EADDRINUSE, removeAbandoned(address) else { throw error }
                return try bindOnce(address)
            }
        }
        var last = SocketError("bind", code: EADDRINUSE)
        for _ in 0..<16 {
            let chosen = try bindOnce(address)
            let free = chosen.localAddress
            chosen.close()
            do {
                return try bindOnce(free ?? address)
            } catch {
                guard error.code == EADDRINUSE else { throw error }
                last = error
            }
        }
        throw last
    }

    private static func bindOnce(_ address: SystemAddress, listens: Bool = true) throws(SocketError) -> SystemSocket {
        let socket = try SystemSocket.stream(address.family)
        // SO_REUSEADDR is set because the port's earlier connections may still be in TIME_WAIT.
        if address.family != AF_UNIX {
            socket.share(true)
            // Accepted connections inherit the listener's options.
            socket.streamOptions()
            TCPPacing.disable(socket, address)
        }
        var code = socket.bind(to: address)
        // With SO_REUSEADDR two sockets may bind the same port; only listen() reports the conflict.
        if code == 0, listens, !listen(socket) { code = errno }
        guard code == 0 else {
            socket.close()
            throw SocketError("bind", code: code)
        }
        return socket
    }

    private static func listen(_ socket: SystemSocket) -> Bool {
        #if canImport(Darwin)
            Darwin.listen(socket.descriptor, backlog) == 0
        #else
            Glibc.listen(socket.descriptor, backlog) == 0
        #endif
    }

    /// Sets how new connections are handled. Existing connections are not affected.
    ///
    /// - Throws: `SocketError` if a system call fails; the previous mode then stays in effect.
    func set(_ new: AcceptMode) throws(SocketError) {
        guard !isClosed else { return }
        if token == 0, let socket { token = try reactor.watch(socket, self) }
        guard new != acceptMode else { return }
        let old = acceptMode
        acceptMode = new
        do {
            try transition(from: old)
        } catch {
            // The change failed, so the previous mode is still in effect and can be changed again.
            acceptMode = old
            throw error
        }
        accept()
    }

    private func transition(from old: AcceptMode) throws(SocketError) {
        // The packet filter is attached before, and detached after, all other changes, so that no SYN passes in
        // between.
        if acceptMode == .dropping, let socket { try PacketFilter.attach(to: socket) }
        if acceptMode == .refusing {
            try refuse()
        } else if old == .refusing {
            try listenAgain()
            isReady = true
        }
        if old == .dropping, let socket { try PacketFilter.detach(from: socket) }
    }

    private func refuse() throws(SocketError) {
        #if os(Linux)
            guard path != nil else {
                try socket?.stopListening()
                return
            }
        #endif
        reactor.forget(token)
        // The timer that would end the pause belongs to a removed registration, so it never fires.
        isWaiting = false
        socket?.close()
        socket = nil
        #if !os(Linux)
            // Other kernels cannot stop a socket from listening, so a new socket is bound to the port without
            // listening.
            if path == nil { try take(Self.bindOnce(boundAddress, listens: false)) }
        #endif
    }

    private func listenAgain() throws(SocketError) {
        if let socket {
            guard Self.listen(socket) else { throw SocketError("listen on \(address)") }
            return
        }
        let bound = try Self.bind(boundAddress)
        try take(bound)
        if acceptMode == .dropping { try PacketFilter.attach(to: bound) }
    }

    private func take(_ bound: SystemSocket) throws(SocketError) {
        socket = bound
        token = try reactor.watch(bound, self)
    }

    private func accept() {
        var turns = 0
        while isReady, !isWaiting, !isClosed, acceptMode != .refusing, let socket {
            turns += 1
            guard turns <= Self.turns else {
                reactor.requeue(token)
                return
            }
            guard isPrivileged || !reactor.descriptors.areScarce else {
                wait(DescriptorShortage())
                return
            }
            do {
                guard let (accepted, caller) = try socket.accept() else {
                    isReady = false
                    return
                }
                isExhausted = false
                // The reservation is released once the connection's worker has a socket for the upstream.
                if !isPrivileged { reactor.descriptors.reserve(for: accepted) }
                // Pacing is not disabled for a listener on all addresses, so its connections have not inherited the
                // setting.
                if !boundAddress.isLoopback { TCPPacing.disable(accepted, caller) }
                onAccept(accepted, caller)
            } catch {
                guard error.isExhaustion else {
                    wait(error)
                    return
                }
                reactor.descriptors.noteExhaustion()
                wait(DescriptorShortage())
            }
        }
    }

    /// Pauses accepting, so that new connections wait in the kernel's accept queue. Reports the reason once.
    private func wait(_ reason: any Error) {
        isWaiting = true
        reactor.schedule(token, at: reactor.now + Self.exhaustionPause)
        if !isExhausted { onFailure(reason) }
        isExhausted = true
    }

    /// Closes the listener. Accepted connections stay open.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if token != 0 { reactor.forget(token) }
        guard let socket else {
            // A Unix listener that refuses connections has no socket. Another process may be using its path by now.
            Self.removeAbandoned(boundAddress)
            return
        }
        socket.close()
        if let path { unlink(path) }
    }
}

extension ListeningSocket: Watcher {
    func ready(_ tag: Int, _ readiness: Readiness) {
        if readiness.isReadable { isReady = true }
        accept()
    }

    func due(_ tag: Int) {
        isWaiting = false
        if let socket { reactor.descriptors.probe(socket) }
        accept()
    }
}

extension SocketError {
    /// Whether the error means that this machine lacks the address or its address family. Another address of the same
    /// host could still work.
    var lacksAddress: Bool { code == EADDRNOTAVAIL || code == EAFNOSUPPORT }

    /// The system's error text in Go's form, such as `address already in use`.
    var reason: String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
