import NIOCore

/// Forwards a channel's events to its ``Connection``.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection
    private let onActive: (Connection) -> Void

    init(_ connection: Connection, onActive: @escaping (Connection) -> Void = { _ in }) {
        self.connection = connection
        self.onActive = onActive
    }

    func channelActive(context: ChannelHandlerContext) {
        connection.activated()
        onActive(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.received(Array(unwrapInboundIn(data).readableBytesView))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { connection.inputClosed() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connection.failed()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.closed()
    }
}
