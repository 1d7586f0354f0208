import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// One WebSocket connection that sends and receives text messages.
struct ChatSocket: Sendable {
    private typealias Link = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    struct Refused: Error {}

    let texts: AsyncThrowingStream<String, any Error>
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let limit: Scheduled<Void>

    /// Connects, runs `body`, and closes the connection when `body` returns.
    ///
    /// The connection is also closed unless ``loggedIn()`` is called within the time limit.
    static func open(
        _ address: String,
        within limit: Duration,
        _ body: @Sendable (ChatSocket) async throws -> Void
    ) async throws {
        guard let url = URL(string: address), let host = url.host, let port = url.port else { throw Refused() }
        let span = TimeAmount(limit)
        let opening = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(span)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let timer = channel.eventLoop.scheduleTask(in: span) { channel.close(promise: nil) }
                    return (timer, try upgrade(channel, host: "\(host):\(port)", path: url.path))
                }
            }
        guard let link = try await opening.1.get() else { throw Refused() }
        defer { opening.0.cancel() }
        try await link.executeThenClose { inbound, outbound in
            let (texts, text) = AsyncThrowingStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    do {
                        try await read(inbound, text, outbound)
                        text.finish()
                    } catch {
                        text.finish(throwing: error)
                    }
                }
                defer { group.cancelAll() }
                try await body(ChatSocket(texts: texts, outbound: outbound, limit: opening.0))
            }
        }
    }

    /// Cancels the time limit after the server has accepted the login. From then on, heartbeats detect a lost
    /// connection.
    func loggedIn() { limit.cancel() }

    func send(_ text: String) async throws {
        try await outbound.write(Self.frame(.text, ByteBuffer(string: text)))
    }

    private static func read(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ text: AsyncThrowingStream<String, any Error>.Continuation,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        for try await frame in inbound {
            switch frame.opcode {
            case .text: text.yield(String(buffer: frame.unmaskedData))
            case .ping: try await outbound.write(Self.frame(.pong, frame.unmaskedData))
            case .connectionClose:
                try await outbound.write(Self.frame(.connectionClose, frame.unmaskedData))
                return
            default: break
            }
        }
    }

    private static func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }

    private static func upgrade(
        _ channel: any Channel,
        host: String,
        path: String
    ) throws -> EventLoopFuture<Link?> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Link?> { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let whole = NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 1,
                    maxAccumulatedFrameCount: 1000,
                    maxAccumulatedFrameSize: 1 << 20
                )
                try channel.pipeline.syncOperations.addHandler(whole)
                return try Link(wrappingChannelSynchronously: channel)
            }
        }
        let headers: HTTPHeaders = ["Host": host, "Content-Length": "0"]
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Link?>(
            upgradeRequestHead: HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers),
            upgraders: [upgrader]
        ) { channel in
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(nil)
        }
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // Bytes that follow the server's response belong to the WebSocket; by default they would be discarded.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
    }
}
