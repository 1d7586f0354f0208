#if TLS
    import NIOCore
    import NIOEmbedded
    import NIOSSL
    import NIOTLS

    /// A TLS session implemented with BoringSSL: it runs SwiftNIO's TLS handler in a channel without a socket.
    final class BoringSession: TLSSession {
        private let channel = EmbeddedChannel()
        private let ends = SessionEnds()
        private(set) var isSecured = false
        private(set) var isInputOver = false
        private var hasFailed = false
        private var hasEnded = false
        /// The IP address that the peer's certificate must contain; nil if the server is identified by a host name.
        private var peer: SocketAddress?

        /// Creates the server's end of a session.
        init(server context: NIOSSLContext) throws(TLSError) {
            try join(NIOSSLServerHandler(context: context))
        }

        /// Creates the client's end of a session. The peer's certificate must contain `server`, a name or an address.
        init(client context: NIOSSLContext, server: String) throws(TLSError) {
            let isAddress = NumericAddress.bytes(of: server) != nil
            do {
                if isAddress { peer = try SocketAddress(ipAddress: server, port: 0) }
                try join(NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : server))
            } catch let error as TLSError {
                throw error
            } catch {
                throw .invalidInput("'\(server)' is not a valid server name: \(error)")
            }
        }

        private func join(_ handler: NIOSSLHandler) throws(TLSError) {
            do {
                channel.allowRemoteHalfClosure = true
                try channel.pipeline.syncOperations.addHandlers([
                    NetworkEnd(ends), handler, PlaintextEnd(ends),
                ])
            } catch {
                throw .invalidInput("a TLS session could not be made: \(error)")
            }
        }

        deinit {
            // The TLS handler is bypassed, because it would send close_notify and wait for the peer's close_notify
            // before closing.
            ends.isDiscarded = true
            channel.close(promise: nil)
            channel.embeddedEventLoop.run()
        }

        func start() -> [TLSOutput] {
            if let address = peer ?? (try? SocketAddress(unixDomainSocketPath: "/")) {
                channel.connect(to: address, promise: nil)
            }
            return collect()
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput] {
            guard !isInputOver, !bytes.isEmpty else { return [] }
            channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: bytes)))
            channel.pipeline.syncOperations.fireChannelReadComplete()
            return collect()
        }

        func inputEnded() -> [TLSOutput] {
            guard !isInputOver else { return [] }
            isInputOver = true
            hasFailed = true
            return [.failed(.endOfStream)]
        }

        func write(_ bytes: UnsafeRawBufferPointer) -> [TLSOutput] {
            guard !hasFailed, !hasEnded, !bytes.isEmpty else { return [] }
            channel.pipeline.syncOperations.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            return collect()
        }

        func endOutput() -> [TLSOutput] {
            guard !hasFailed, !hasEnded else { return [] }
            hasEnded = true
            channel.pipeline.syncOperations.close(mode: .output, promise: nil)
            return collect()
        }

        /// Runs the channel's pending tasks and returns the outputs of the current call, in order.
        private func collect() -> [TLSOutput] {
            channel.embeddedEventLoop.run()
            let collected = ends.outputs
            ends.outputs = []
            var outputs: [TLSOutput] = []
            for output in collected {
                switch output {
                case .wire: outputs.append(output)
                case .secured:
                    isSecured = true
                    outputs.append(output)
                case .plaintext:
                    if !isInputOver { outputs.append(output) }
                case .ended:
                    guard !isInputOver else { continue }
                    isInputOver = true
                    outputs.append(output)
                case .failed:
                    guard !hasFailed else { continue }
                    (hasFailed, isInputOver, isSecured) = (true, true, false)
                    outputs.append(output)
                }
            }
            return outputs
        }
    }

    /// The outputs that the handlers at the two ends of the channel have collected.
    private final class SessionEnds {
        var outputs: [TLSOutput] = []
        var isDiscarded = false
    }

    /// The handler that replaces the socket. It collects the bytes to be sent, and keeps the channel open.
    private final class NetworkEnd: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private let ends: SessionEnds

        init(_ ends: SessionEnds) {
            self.ends = ends
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let bytes = unwrapOutboundIn(data).readableBytesView
            if !bytes.isEmpty { ends.outputs.append(.wire(Array(bytes))) }
            promise?.succeed(())
        }

        func flush(context: ChannelHandlerContext) {}

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            // The owner of the socket decides how the underlying connection ends.
            if ends.isDiscarded, mode == .all { context.close(promise: promise) } else { promise?.succeed(()) }
        }
    }

    /// The handler that replaces the application. It collects the decrypted bytes.
    private final class PlaintextEnd: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let ends: SessionEnds

        init(_ ends: SessionEnds) {
            self.ends = ends
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            ends.outputs.append(.plaintext(Array(unwrapInboundIn(data).readableBytesView)))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted? = event as? TLSUserEvent { ends.outputs.append(.secured) }
            if case .inputClosed? = event as? ChannelEvent { ends.outputs.append(.ended) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            ends.outputs.append(.failed(TLSFailure(error)))
        }
    }
#endif
