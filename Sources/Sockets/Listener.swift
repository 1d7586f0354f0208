package import Faults
package import NIOCore
import NIOPosix

/// A TCP listener that accepts, refuses or drops new connections, depending on its accept mode.
///
/// The listener must be used only on its event loop.
///
/// The listener keeps its port until ``close()``. While it refuses connections, the socket stays bound but does not
/// listen, so that no other program can use the port.
package final class Listener {
    package let address: LocalAddress
    package let port: Int
    /// How new connections are handled; a new listener refuses them.
    package private(set) var acceptMode = AcceptMode.refusing

    private let settings: SocketSettings
    private let loop: any EventLoop
    private let onAccept: (Connection) -> Void
    private let onFailure: (SocketError) -> Void
    /// The bound socket, owned by the listener until ``close()``. SwiftNIO listens on duplicates of it.
    private var held: SystemSocket
    private var channel: (any Channel)?
    /// Incremented whenever listening starts or stops, so that outdated results from SwiftNIO can be recognized.
    private var listenGeneration = 0
    private var isClosed = false
    private var isSuspended = false
    /// The connections accepted in dropping mode on systems without packet filters. They are never read or reported.
    private var droppedConnections: [Connection] = []

    /// Binds to a port but refuses connections until ``set(_:)`` is called. If the port is 0, the kernel chooses a free
    /// one.
    ///
    /// - Throws: ``SocketError`` if the address or the port cannot be bound.
    package init(
        at address: LocalAddress,
        port: Int = 0,
        settings: SocketSettings,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onAccept: @escaping (Connection) -> Void
    ) throws(SocketError) {
        let socket = try SystemSocket.bound(to: address, port: port)
        // The buffer sizes are set before listening, so that accepted connections inherit them and TCP announces the
        // right window in the SYN-ACK.
        socket.configure(settings)
        guard let port = socket.localPort else {
            socket.close()
            throw SocketError("determine the port of \(address)")
        }
        self.address = address
        self.port = port
        self.settings = settings
        self.loop = loop
        self.onAccept = onAccept
        self.onFailure = onFailure
        held = socket
    }

    deinit { close() }

    /// Sets the accept mode for new connections. Established connections are not affected.
    ///
    /// - Throws: ``SocketError`` if the system cannot listen, stop listening or attach a packet filter.
    package func set(_ new: AcceptMode) throws(SocketError) {
        guard new != acceptMode, !isClosed else { return }
        let old = acceptMode
        acceptMode = new
        // The filter is attached before listening starts and detached after listening stops, so that no SYN gets
        // through.
        if new == .dropping { try PacketFilter.attach(to: held) }
        switch new {
        case .open, .dropping: if old == .refusing { try listen() }
        case .refusing: try refuse()
        }
        guard old == .dropping else { return }
        try PacketFilter.detach(from: held)
        droppedConnections.forEach { $0.end(.rst) }
        droppedConnections.removeAll()
    }

    /// Suspends accepting while the run is on hold, or resumes it. The kernel queues connections that arrive meanwhile.
    package func suspend(_ suspends: Bool) {
        guard suspends != isSuspended else { return }
        isSuspended = suspends
        try? channel?.syncOptions?.setOption(.autoRead, value: !suspends)
    }

    /// Starts listening. When this method returns, the kernel already listens, but SwiftNIO begins to accept
    /// connections only in a later task.
    private func listen() throws(SocketError) {
        held.share(true)
        let socket = try held.duplicate()
        listenGeneration += 1
        let (listener, mine) = (NIOLoopBound(self, eventLoop: loop), listenGeneration)
        ServerBootstrap(group: loop)
            .connectionOptions()
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFailureHandler(listener.value.failed))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try listener.value.acceptOutcome(channel) }
            }
            .withBoundSocket(socket.descriptor)
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let channel) where mine == listenGeneration && !isClosed:
                    self.channel = channel
                    if isSuspended { try? channel.syncOptions?.setOption(.autoRead, value: false) }
                // The accept mode has changed since listening started, so the channel is no longer needed.
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error): failed(error)
                }
            }
        // Many clients may connect within one event-loop iteration; with SwiftNIO's backlog of 128, the kernel would
        // drop some of them.
        held.listen(backlog: 4096)
    }

    private func acceptOutcome(_ channel: any Channel) throws {
        let connection = Connection(channel, settings: settings)
        let handler = ConnectionHandler(connection) { [weak self] in self?.accepted($0) ?? $0.end(.rst) }
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    private func accepted(_ connection: Connection) {
        guard !isClosed else {
            connection.end(.rst)
            return
        }
        guard acceptMode != .dropping || PacketFilter.isAvailable else {
            try? connection.readMode(.unread)
            droppedConnections.append(connection)
            return
        }
        onAccept(connection)
    }

    private func failed(_ error: any Error) {
        guard !isClosed else { return }
        let code = (error as? IOError)?.errnoCode ?? 0
        // A connection that ends before it is accepted does not count as a listener failure.
        guard LinkFailure(errorNumber: code) == nil else { return }
        onFailure(SocketError("accept connections on \(address):\(port)", code: code))
    }

    private func refuse() throws(SocketError) {
        listenGeneration += 1
        channel?.close(promise: nil)
        channel = nil
        #if os(Linux)
            try held.stopListening()
            held.share(false)
        #else
            // Kernels other than Linux cannot stop a socket from listening, so it is replaced by a new one on the same
            // port.
            held.close()
            held = try SystemSocket.bound(to: address, port: port)
            held.configure(settings)
        #endif
    }

    /// Releases the port; accepted connections are not affected.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        channel?.close(promise: nil)
        channel = nil
        droppedConnections.forEach { $0.end(.rst) }
        droppedConnections.removeAll()
        held.close()
    }
}

/// Reports connections that could not be accepted.
private final class AcceptFailureHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let onFailure: (any Error) -> Void

    init(_ onFailure: @escaping (any Error) -> Void) {
        self.onFailure = onFailure
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        onFailure(error)
    }
}
