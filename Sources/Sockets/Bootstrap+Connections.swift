package import NIOCore
import NIOPosix

/// The channel options of every connection, whether it was opened, accepted or adopted.
enum ConnectionOptions {
    /// Allocates read buffers of 64 KiB. Larger buffers would not help, because larger writes arrive in several reads
    /// anyway.
    static let readBuffer = FixedSizeRecvByteBufferAllocator(capacity: 64 * 1024)
}

extension ClientBootstrap {
    func connectionOptions() -> ClientBootstrap {
        channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: ConnectionOptions.readBuffer)
            // Read only once per event, so that pausing reads takes effect immediately.
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
    /// Takes over a connected socket that was opened elsewhere, and becomes the owner of its descriptor.
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
