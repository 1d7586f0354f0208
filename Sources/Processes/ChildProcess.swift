package import Adapter
package import NIOCore
import NIOPosix
package import Sockets
package import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A process that Squall has begun: its streams, and its end.
///
/// Confined to its event loop.
package final class ChildProcess {
    package enum Event {
        case output([UInt8])
        case errors([UInt8])
        case outputClosed
        /// The last one; everything that it wrote was told before, unless something that it began still holds its streams.
        case exited(ProcessEnd)
    }

    /// May be called before the call that caused it returns.
    package var onEvent: (Event) -> Void = { _ in }

    private let id: pid_t
    private let loop: any EventLoop
    private var input: (any Channel)?
    private var output: (any Channel)?
    private var errors: (any Channel)?
    private var openStreams = 2
    private var unwritten: [UInt8] = []
    private var isInputClosed = false
    private var watch: Scheduled<Void>?
    private var end: ProcessEnd?
    private var isTold = false

    /// How often it is looked whether the process has ended.
    private static let watchInterval = TimeAmount.milliseconds(10)
    /// The same while it is waited for.
    private static let leaveInterval = TimeAmount.milliseconds(2)
    /// How long streams that somebody else holds open are waited for after the end.
    private static let streamPatience = TimeAmount.milliseconds(200)

    /// Begins `command` by `/bin/sh -c`, with some variables added to this process's environment.
    package init(
        _ command: String,
        variables: [(name: String, value: String)],
        on loop: any EventLoop
    ) throws(SocketError) {
        self.loop = loop
        let spawned = try SpawnedProcess.begin(command, variables)
        id = spawned.id
        ChildProcesses.began(id)
        read(spawned.output) { [weak self] in
            self?.onEvent(.output($0))
        } closed: { [weak self] in
            self?.onEvent(.outputClosed)
        } keep: { [weak self] in
            self?.output = $0
        }
        read(spawned.errors) { [weak self] in
            self?.onEvent(.errors($0))
        } closed: {
        } keep: { [weak self] in
            self?.errors = $0
        }
        let process = NIOLoopBound(self, eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .takingOwnershipOfDescriptor(output: spawned.input)
            .assumeIsolated()
            .whenSuccess { process.value.inputStands($0) }
        lookAgain()
    }

    private func lookAgain() {
        watch = loop.assumeIsolated().scheduleTask(in: Self.watchInterval) { [weak self] in self?.look() }
    }

    private func read(
        _ descriptor: Int32,
        _ onBytes: @escaping ([UInt8]) -> Void,
        closed: @escaping () -> Void,
        keep: @escaping (any Channel) -> Void
    ) {
        let handler = NIOLoopBound(
            StreamHandler(onBytes) { [weak self] in
                closed()
                self?.openStreams -= 1
                self?.emitEnd()
            },
            eventLoop: loop
        )
        let keeper = NIOLoopBound(InitializerBox(keep), eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    keeper.value.keep(channel)
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .whenFailure { _ in }
    }

    private func inputStands(_ channel: any Channel) {
        input = channel
        let bytes = unwritten
        unwritten.removeAll()
        if !bytes.isEmpty { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
        if isInputClosed { closeInput() }
    }

    package var isRunning: Bool {
        reap(waiting: false)
        return end == nil
    }

    // MARK: - What is done to it

    /// What it does not read waits without limit; after its end it is nobody's.
    package func write(_ bytes: [UInt8]) {
        guard end == nil, !isInputClosed, !bytes.isEmpty else { return }
        guard let input else {
            unwritten += bytes
            return
        }
        input.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Its standard input ends: what the pipe has no room for is lost, and what is written afterwards is nobody's.
    package func closeInput() {
        isInputClosed = true
        input?.close(mode: .all, promise: nil)
        input = nil
    }

    package func pause() { signalGroup(SIGSTOP) }

    package func resume() { signalGroup(SIGCONT) }

    /// Asks it, and all that it began, to leave.
    package func terminate() { signalGroup(SIGTERM) }

    /// Ends it and all that it began, at once; nothing of it is told any more.
    package func kill() {
        onEvent = { _ in }
        isInputClosed = true
        signalGroup(SIGKILL)
        reap(waiting: true)
        release()
    }

    /// Closes its standard input and gives it a little time to leave, then kills what is left; `done` is called then, perhaps before
    /// this returns.
    ///
    /// Meanwhile what it still says is read, so that it can leave, and told to nobody. What it has begun ends with it, but for what has
    /// left its process group (`setsid`): that outlives it.
    package func dismiss(within span: TimeSpan, then done: @escaping () -> Void = {}) {
        onEvent = { _ in }
        closeInput()
        signalGroup(SIGCONT)
        leave(by: .now() + .nanoseconds(span.nanoseconds), done)
    }

    private func leave(by limit: NIODeadline, _ done: @escaping () -> Void) {
        reap(waiting: false)
        guard end == nil, NIODeadline.now() < limit else {
            kill()
            done()
            return
        }
        // Held until then by this task alone, perhaps.
        loop.assumeIsolated().scheduleTask(in: Self.leaveInterval) { self.leave(by: limit, done) }
    }

    private func signalGroup(_ number: Int32) {
        // Once reaped, the number may be somebody else's.
        if end == nil { ChildProcesses.signal(id, number) } else { signalOrphans(number) }
    }

    /// What the process began and left behind: its group lives as long as they do.
    private func signalOrphans(_ number: Int32) {
        #if canImport(Darwin)
            _ = Darwin.kill(-id, number)
        #else
            _ = Glibc.kill(-id, number)
        #endif
    }

    // MARK: - Its end

    private func look() {
        reap(waiting: false)
        guard end != nil else { return lookAgain() }
        emitEnd()
        guard !isTold else { return }
        loop.assumeIsolated().scheduleTask(in: Self.streamPatience) { [weak self] in
            self?.openStreams = 0
            self?.emitEnd()
        }
    }

    private func reap(waiting: Bool) {
        guard end == nil else { return }
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(id, &status, waiting ? 0 : WNOHANG) } while result < 0 && errno == EINTR
        guard result != 0 else { return }
        // Somebody else may have reaped it; what it ended with is lost then.
        ChildProcesses.ended(id)
        guard result == id else { return end = .status(-1) }
        let signal = status & 0x7F
        end = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }

    private func emitEnd() {
        guard let end, openStreams <= 0, !isTold else { return }
        isTold = true
        onEvent(.exited(end))
    }

    private func release() {
        watch?.cancel()
        watch = nil
        for channel in [input, output, errors] { channel?.close(promise: nil) }
        (input, output, errors) = (nil, nil, nil)
    }
}

/// Boxes a closure for the initializer of a channel of the same loop.
private final class InitializerBox {
    let keep: (any Channel) -> Void

    init(_ keep: @escaping (any Channel) -> Void) {
        self.keep = keep
    }
}

private final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onBytes: ([UInt8]) -> Void
    private let onEnd: () -> Void

    init(_ onBytes: @escaping ([UInt8]) -> Void, onEnd: @escaping () -> Void) {
        self.onBytes = onBytes
        self.onEnd = onEnd
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onBytes(Array(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        onEnd()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
