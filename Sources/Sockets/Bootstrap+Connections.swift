package import NIOCore
import NIOPosix

/// The options of every connection, however it comes about.
enum ConnectionOptions {
    /// What a socket gives is taken in one piece as far as it will go; larger writes arrive in several anyway.
    static let readBuffer = FixedSizeRecvByteBufferAllocator(capacity: 64 * 1024)
}

extension ClientBootstrap {
    func connectionOptions() -> ClientBootstrap {
        channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: ConnectionOptions.readBuffer)
            // One read at a time, so that a socket told to be silent is silent at once.
            .channelOption(.maxMessagesPerRead, value: 1)
    }
}

extension ServerBootstrap {
    func connectionOptions() -> ServerBootstrap {
        childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: ConnectionOptions.readBuffer)
            .childChannelOption(.maxMessagesPerRead, value: 1)
    }
}

extension LocalAddress {
    func socketAddress(port: Int) throws -> SocketAddress {
        try SocketAddress(ipAddress: description, port: port)
    }
}

extension Connection {
    /// Takes over a connected socket that something else opened; the descriptor belongs to the connection from now on.
    package static func adopt(
        _ socket: SystemSocket,
        settings: SocketSettings,
        on loop: any EventLoop,
        _ onAdopted: @escaping (Connection) -> Void
    ) {
        let ready = NIOLoopBound(onAdopted, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectionOptions()
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = Connection(channel, settings: settings)
                    let handler = ConnectionHandler(connection, onActive: ready.value)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .withConnectedSocket(socket.descriptor)
            .whenFailure { _ in }
    }
}
