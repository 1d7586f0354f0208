#if TLS
    import NIOCore
    import NIOEmbedded
    import NIOSSL
    import NIOTLS

    /// A session in BoringSSL's hands, by way of SwiftNIO's handler in a channel that has no socket.
    final class BoringSession: TLSSession {
        private let channel = EmbeddedChannel()
        private let ends = SessionEnds()
        private(set) var isSecured = false
        private(set) var isInputOver = false
        private var hasFailed = false
        private var hasEnded = false
        /// What the peer's certificate must have, where that is an address; no socket is behind it.
        private var peer: SocketAddress?

        /// The server's end.
        init(server context: NIOSSLContext) throws(TLSError) {
            try join(NIOSSLServerHandler(context: context))
        }

        /// The client's end; `server` is a name or an address, as its certificate must have it.
        init(client context: NIOSSLContext, server: String) throws(TLSError) {
            let isAddress = NumericAddress.bytes(of: server) != nil
            do {
                if isAddress { peer = try SocketAddress(ipAddress: server, port: 0) }
                try join(NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : server))
            } catch let error as TLSError {
                throw error
            } catch {
                throw .unfit("'\(server)' is no name that a server can have: \(error)")
            }
        }

        private func join(_ handler: NIOSSLHandler) throws(TLSError) {
            do {
                channel.allowRemoteHalfClosure = true
                try channel.pipeline.syncOperations.addHandlers([
                    NetworkEnd(ends), handler, PlaintextEnd(ends),
                ])
            } catch {
                throw .unfit("a TLS session could not be made: \(error)")
            }
        }

        deinit {
            // Past the handler, which would say goodbye to a peer first.
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

        /// What has come of a call, in order.
        private func collect() -> [TLSOutput] {
            channel.embeddedEventLoop.run()
            let outputs = ends.outputs
            ends.outputs = []
            var told: [TLSOutput] = []
            for output in outputs {
                switch output {
                case .wire: told.append(output)
                case .secured:
                    isSecured = true
                    told.append(output)
                case .plaintext:
                    if !isInputOver { told.append(output) }
                case .ended:
                    guard !isInputOver else { continue }
                    isInputOver = true
                    told.append(output)
                case .failed:
                    guard !hasFailed else { continue }
                    (hasFailed, isInputOver, isSecured) = (true, true, false)
                    told.append(output)
                }
            }
            return told
        }
    }

    /// What both ends of the channel have brought.
    private final class SessionEnds {
        var outputs: [TLSOutput] = []
        var isDiscarded = false
    }

    /// Stands where the socket would: takes what is to be sent, and does not let the channel close.
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
            // How the connection beneath ends is for whoever has its socket to say.
            if ends.isDiscarded, mode == .all { context.close(promise: promise) } else { promise?.succeed(()) }
        }
    }

    /// Stands where an application would: takes what has come.
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
