import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket connection with swift-nio's client upgrader, an idle timer and pings. The library does not reconnect, so
/// the driver connects again after two seconds.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let chat: Chat
    private init(_ chat: Chat) { self.chat = chat }

    static func run(_ chat: Chat) async throws {
        while try await chat.loop.submit({ !chat.isClosed }).get() {
            try? await open(chat)?.closeFuture.get()
            try await chat.loop.submit { chat.closed() }.get()
            try await Task.sleep(for: .seconds(2))
        }
    }

    private static func open(_ chat: Chat) async throws -> Channel? {
        let bootstrap = ClientBootstrap(group: chat.loop).connectTimeout(.seconds(10))
        return try await bootstrap.connect(host: chat.host, port: chat.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                let upgrader = NIOTypedWebSocketClientUpgrader<Channel?> { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let idle = IdleStateHandler(readTimeout: .seconds(45))
                        try channel.pipeline.syncOperations.addHandlers(idle, Connection(chat))
                        return channel
                    }
                }
                let get = HTTPRequestHead(version: .http1_1, method: .GET, uri: chat.path, headers: ["Host": chat.host])
                let upgrade = NIOTypedHTTPClientUpgradeConfiguration(upgradeRequestHead: get, upgraders: [upgrader]) {
                    $0.close().map { nil }
                }
                var setup = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
                // By default, frames that arrive together with the response to the upgrade are lost.
                setup.leftOverBytesStrategy = .forwardBytes
                return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: setup)
            }
        }.get()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        // The repeated task ends with an error when the channel is closed.
        context.eventLoop.scheduleRepeatedAsyncTask(initialDelay: .seconds(20), delay: .seconds(20)) { _ in
            channel.send(.ping)
        }
        chat.opened(channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: chat.received(String(buffer: frame.unmaskedData))
        case .ping: context.channel.send(.pong, frame.unmaskedData)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    }
}
