package import Faults
package import NIOCore
import NIOPosix

/// A port that connections come to, and how they fare there.
///
/// Confined to its event loop.
///
/// It keeps its port from the first moment to ``close()``, whatever its door: while it refuses, the socket is bound and does
/// not listen, so that nobody else can take the port.
package final class Listener {
    package let address: LocalAddress
    package let port: Int
    /// A new one refuses.
    package private(set) var acceptMode = AcceptMode.refusing

    private let settings: SocketSettings
    private let loop: any EventLoop
    private let onAccept: (Connection) -> Void
    private let onFailure: (SocketError) -> Void
    /// Ours from first to last; SwiftNIO listens on duplicates of it.
    private var held: SystemSocket
    private var channel: (any Channel)?
    /// Counts the times it began or stopped to listen, so that what SwiftNIO finishes late is known to be late.
    private var opening = 0
    private var isClosed = false
    /// Where no filter can drop SYNs: accepted, never read, never told.
    private var swallowed: [Connection] = []

    /// Binds, and refuses.
    ///
    /// Port 0 takes any that is free.
    package init(
        at address: LocalAddress,
        port: Int = 0,
        settings: SocketSettings,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void,
        onAccept: @escaping (Connection) -> Void
    ) throws(SocketError) {
        let socket = try SystemSocket.bound(to: address, port: port)
        // Accepted connections inherit the buffers, early enough for TCP to announce the right window.
        socket.configure(settings)
        guard let port = socket.localPort else {
            socket.close()
            throw SocketError("learn the port of \(address)")
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

    /// From now on new connections fare like this; those that stand are not touched.
    package func set(_ new: AcceptMode) throws(SocketError) {
        guard new != acceptMode, !isClosed else { return }
        let old = acceptMode
        acceptMode = new
        // A filter goes on before the first SYN could come in and off after the last could.
        if new == .dropping { try PacketFilter.attach(to: held) }
        switch new {
        case .open, .dropping: if old == .refusing { try listen() }
        case .refusing: try refuse()
        }
        guard old == .dropping else { return }
        try PacketFilter.detach(from: held)
        swallowed.forEach { $0.end(.rst) }
        swallowed.removeAll()
    }

    /// The kernel listens when this returns; SwiftNIO accepts from a later task on.
    private func listen() throws(SocketError) {
        held.share(true)
        let socket = try held.duplicate()
        opening += 1
        let (listener, mine) = (NIOLoopBound(self, eventLoop: loop), opening)
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
                case .success(let channel) where mine == opening && !isClosed: self.channel = channel
                // The door has changed meanwhile.
                case .success(let channel): channel.close(promise: nil)
                case .failure(let error): failed(error)
                }
            }
        // A crowd may call within one turn of the loop; SwiftNIO's own 128 would have the kernel drop the rest.
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
            swallowed.append(connection)
            return
        }
        onAccept(connection)
    }

    private func failed(_ error: any Error) {
        guard !isClosed else { return }
        let code = (error as? IOError)?.errnoCode ?? 0
        // A connection that was gone before it could be accepted is the peer's affair.
        guard LinkFailure(errorNumber: code) == nil else { return }
        onFailure(SocketError("accept connections on \(address):\(port)", code: code))
    }

    private func refuse() throws(SocketError) {
        opening += 1
        channel?.close(promise: nil)
        channel = nil
        #if os(Linux)
            try held.stopListening()
            held.share(false)
        #else
            // Other kernels do not take a listening socket back: a new one on the same port, which does not listen.
            held.close()
            held = try SystemSocket.bound(to: address, port: port)
            held.configure(settings)
        #endif
    }

    /// Gives the port up.
    ///
    /// Accepted connections live on.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        channel?.close(promise: nil)
        channel = nil
        swallowed.forEach { $0.end(.rst) }
        swallowed.removeAll()
        held.close()
    }
}

/// Hears of connections that could not be accepted.
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
