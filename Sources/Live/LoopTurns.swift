import NIOCore
import NIOPosix
import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Calls back once per requested iteration of an event loop. Between two calls, the loop has polled the kernel for
/// events and handled all events that were ready.
///
/// A task submitted by another task, or scheduled for a moment later, may run before the loop polls again, so it does
/// not prove that an iteration has passed. A byte written to a pipe does: it becomes an event of the next poll,
/// together with every other event that is ready.
final class LoopTurns {
    private let loop: any EventLoop
    private let onTurn: () -> Void
    private var writeEnd: SystemSocket?
    private var channel: (any Channel)?
    private var requested = false

    /// Opens the pipe. `onTurn` is called once for each iteration that ``request()`` requests.
    ///
    /// - Throws: ``SocketError`` if no pipe can be opened.
    init(on loop: any EventLoop, _ onTurn: @escaping () -> Void) throws(SocketError) {
        self.loop = loop
        self.onTurn = onTurn
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError("create a pipe") }
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

    /// Requests one more callback; does nothing if a request is pending.
    func request() {
        guard !requested, let writeEnd else { return }
        requested = true
        var byte: UInt8 = 0
        _ = write(writeEnd.descriptor, &byte, 1)
    }

    private func came() {
        requested = false
        // `onTurn` is submitted as a task, so that it runs after the handlers for all other events from this poll.
        loop.assumeIsolated().execute { [weak self] in
            guard let self, self.writeEnd != nil else { return }
            self.onTurn()
        }
    }

    /// Stops the callbacks and closes the pipe.
    ///
    /// This method must be called, because releasing the object does not close the pipe's descriptors.
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
