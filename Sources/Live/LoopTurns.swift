import NIOCore
import NIOPosix
import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Full turns of an event loop: between two of them the loop has asked the kernel for events and handled all it got.
///
/// A task that a task submits runs before the loop asks again, and one scheduled a moment ahead may, so that neither proves
/// a turn. A byte through a pipe does: it comes back as an event of its own, with every other that was ready.
final class LoopTurns {
    private let loop: any EventLoop
    private let onTurn: () -> Void
    private var writeEnd: SystemSocket?
    private var channel: (any Channel)?
    private var requested = false

    /// Fails where no pipe can be had.
    init(on loop: any EventLoop, _ onTurn: @escaping () -> Void) throws(SocketError) {
        self.loop = loop
        self.onTurn = onTurn
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError("make a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd = SystemSocket(ends[1])
        let turns = NIOLoopBound(self, eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    turns.value.channel = channel
                    try channel.pipeline.syncOperations.addHandler(
                        TurnHandler { [weak self = turns.value] in
                            self?.came()
                        }
                    )
                }
            }
            .takingOwnershipOfDescriptor(input: ends[0])
            .assumeIsolated()
            .whenFailure { [weak self] _ in self?.stop() }
    }

    /// Asks for one more turn; asking twice gives one.
    func request() {
        guard !requested, let writeEnd else { return }
        requested = true
        var byte: UInt8 = 0
        _ = write(writeEnd.descriptor, &byte, 1)
    }

    private func came() {
        requested = false
        // Behind the handlers of whatever else was ready.
        loop.assumeIsolated().execute { [weak self] in
            guard let self, self.writeEnd != nil else { return }
            self.onTurn()
        }
    }

    /// No more turns.
    ///
    /// Must be called: the pipe belongs to this.
    func stop() {
        channel?.close(promise: nil)
        channel = nil
        writeEnd?.close()
        writeEnd = nil
    }
}

private final class TurnHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onBytes: () -> Void

    init(_ onBytes: @escaping () -> Void) {
        self.onBytes = onBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onBytes()
    }
}
