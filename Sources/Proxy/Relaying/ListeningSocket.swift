import Faults
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A port that connections come to, and how they fare there.
///
/// It keeps its port from first to last: while it refuses, its socket is bound and does not listen. A Unix socket that has
/// stopped listening never listens again: there the path stays, nobody at it, and is bound anew.
final class ListeningSocket {
    /// A crowd may call within one turn.
    private static let backlog: Int32 = 4096
    /// Connections accepted before others have their turn.
    private static let turns = 64
    /// How long it waits where this process is short of descriptors.
    private static let exhaustionPause = TimeSpan.milliseconds(50)

    /// As it was asked for, with the port that it got.
    let address: String
    private(set) var acceptMode = AcceptMode.open
    private let onAccept: (SystemSocket, SystemAddress) -> Void
    private let onFailure: (any Error) -> Void
    /// Whether it accepts as long as there is one descriptor at all.
    private let isPrivileged: Bool
    private let reactor: Reactor
    private let path: String?
    private let place: SystemAddress
    /// Nil while a Unix socket refuses.
    private var socket: SystemSocket?
    private var token: UInt64 = 0
    private var isReady = false
    private var isWaiting = false
    private var isExhausted = false
    private var isClosed = false

    /// Binds and listens; connections wait in the kernel's queue until the door is set.
    ///
    /// One that `isPrivileged` accepts while there is a descriptor at all; others leave it some.
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
                place = bound.localAddress.flatMap { $0.family == AF_UNIX ? nil : $0 } ?? candidate
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
                // Another of a name's addresses will do only where this machine has not the first.
                guard error.lacksAddress else { throw failure }
            }
        }
        throw failure
    }

    /// Takes over a socket that somebody else has bound, who may stand in another network namespace, and who has it listen.
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
        place = socket.localAddress ?? SystemAddress(family: AF_INET, bytes: [])
        address = place.description
        path = nil
        socket.streamOptions()
    }

    /// Removes a Unix socket at which nobody listens any more, as a process leaves it that was killed; whether there was one.
    @discardableResult
    private static func removeAbandoned(_ address: SystemAddress) -> Bool {
        guard let path = address.path else { return false }
        // Connecting to what is no socket fails in the same way.
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        guard let caller = try? SystemSocket.stream(address.family) else { return false }
        defer { caller.close() }
        return caller.connect(to: address) == ECONNREFUSED && unlink(path) == 0
    }

    /// A port that the kernel chose is asked for again by its number: it takes its own choice back as soon as the socket
    /// stops listening.
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
        // A port whose last connections still fade away (TIME_WAIT) may be bound again.
        if address.family != AF_UNIX {
            socket.share(true)
            // Connections have their listener's options from the beginning.
            socket.streamOptions()
            TCPPacing.disable(socket, address)
        }
        var code = socket.bind(to: address)
        // With the port shared, another may have it, and that shows only in listening.
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

    /// From now on new connections fare like this; those that stand are not touched.
    func set(_ new: AcceptMode) throws(SocketError) {
        guard !isClosed else { return }
        if token == 0, let socket { token = try reactor.watch(socket, self) }
        guard new != acceptMode else { return }
        let old = acceptMode
        acceptMode = new
        do {
            try transition(from: old)
        } catch {
            // It is as it was, and may be told again.
            acceptMode = old
            throw error
        }
        accept()
    }

    private func transition(from old: AcceptMode) throws(SocketError) {
        // A filter goes on before the first SYN could come in and off after the last could.
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
        // Whatever it waited for was to be told to that token.
        isWaiting = false
        socket?.close()
        socket = nil
        #if !os(Linux)
            // Other kernels do not take a listening socket back: a new one on the same port, which does not listen.
            if path == nil { try take(Self.bindOnce(place, listens: false)) }
        #endif
    }

    private func listenAgain() throws(SocketError) {
        if let socket {
            guard Self.listen(socket) else { throw SocketError("listen on \(address)") }
            return
        }
        let bound = try Self.bind(place)
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
                // Until whoever carries it has dialled its upstream.
                if !isPrivileged { reactor.descriptors.reserve(for: accepted) }
                // What listens at all addresses has not been spared for this one.
                if !place.isLoopback { TCPPacing.disable(accepted, caller) }
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

    /// Whoever calls waits in the kernel's queue.
    private func wait(_ reason: any Error) {
        isWaiting = true
        reactor.schedule(token, at: reactor.now + Self.exhaustionPause)
        if !isExhausted { onFailure(reason) }
        isExhausted = true
    }

    /// Gives the port up; accepted connections live on.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        if token != 0 { reactor.forget(token) }
        guard let socket else {
            // It refused, and the path may be another's by now.
            Self.removeAbandoned(place)
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
    /// This machine has not that address, or none of its kind: another of the same host's may do.
    var lacksAddress: Bool { code == EADDRNOTAVAIL || code == EAFNOSUPPORT }

    /// The system's words, as Go writes them: `address already in use`.
    var reason: String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
