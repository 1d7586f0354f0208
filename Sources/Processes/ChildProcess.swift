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

/// A process that Squall has started, with its standard streams and its exit status.
///
/// The object must be used only on its event loop.
package final class ChildProcess {
    package enum Event {
        case output([UInt8])
        case errors([UInt8])
        case outputClosed
        /// The process has exited; this is the last event. All of its output has already been reported, unless one of
        /// its children still holds the streams open.
        case exited(ProcessEnd)
    }

    /// Receives the process's events, possibly before the call that caused them returns.
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
    private var isReported = false

    /// How often to check whether the process has exited.
    private static let watchInterval = TimeAmount.milliseconds(10)
    /// How often to check whether a process that is being dismissed has exited.
    private static let exitPollInterval = TimeAmount.milliseconds(2)
    /// How long to wait, after the process has exited, for its streams to end if its children hold them open.
    private static let streamTimeout = TimeAmount.milliseconds(200)

    /// Starts `command` with `/bin/sh -c`, with this process's environment extended by `variables`.
    ///
    /// - Throws: ``SocketError`` if the pipes or the process cannot be created.
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
        scheduleExitCheck()
    }

    private func scheduleExitCheck() {
        watch = loop.assumeIsolated().scheduleTask(in: Self.watchInterval) { [weak self] in self?.checkExit() }
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

    /// Whether the process is still running.
    package var isRunning: Bool {
        reap(waiting: false)
        return end == nil
    }

    // MARK: - Operations

    /// Writes to the standard input. Bytes that the process has not read are buffered without limit. Bytes written
    /// after its exit are discarded.
    package func write(_ bytes: [UInt8]) {
        guard end == nil, !isInputClosed, !bytes.isEmpty else { return }
        guard let input else {
            unwritten += bytes
            return
        }
        input.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Closes the standard input. Bytes that do not fit into the pipe, and bytes written later, are discarded.
    package func closeInput() {
        isInputClosed = true
        input?.close(mode: .all, promise: nil)
        input = nil
    }

    /// Pauses the process group until ``resume()`` (SIGSTOP).
    package func pause() { signalGroup(SIGSTOP) }

    /// Resumes the process group (SIGCONT).
    package func resume() { signalGroup(SIGCONT) }

    /// Asks the process group to exit (SIGTERM).
    package func terminate() { signalGroup(SIGTERM) }

    /// Kills the process group (SIGKILL); no further events are reported.
    package func kill() {
        onEvent = { _ in }
        isInputClosed = true
        signalGroup(SIGKILL)
        reap(waiting: true)
        release()
    }

    /// Closes the standard input, waits up to `span` for the process to exit, and then kills the process group.
    ///
    /// `done` is called afterwards, possibly before this method returns. Meanwhile output is read and discarded, so
    /// that the process does not block. Children of the process are killed with it, except those that have left its
    /// process group (`setsid`).
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
        // The closure captures `self` strongly, because this task may hold the last reference to the object.
        loop.assumeIsolated().scheduleTask(in: Self.exitPollInterval) { self.leave(by: limit, done) }
    }

    /// Sends a signal to the process group.
    private func signalGroup(_ number: Int32) {
        // Once the process has been reaped, its id may belong to another process. A group's id is not reused while the
        // group has members.
        if end == nil { ChildProcesses.signal(id, number) } else { signalOrphans(number) }
    }

    /// Sends a signal to the children that have outlived the process. The process group exists as long as they do.
    private func signalOrphans(_ number: Int32) {
        #if canImport(Darwin)
            _ = Darwin.kill(-id, number)
        #else
            _ = Glibc.kill(-id, number)
        #endif
    }

    // MARK: - Exit

    /// Checks whether the process has exited, and if so reports it.
    private func checkExit() {
        reap(waiting: false)
        guard end != nil else { return scheduleExitCheck() }
        emitEnd()
        guard !isReported else { return }
        loop.assumeIsolated().scheduleTask(in: Self.streamTimeout) { [weak self] in
            self?.openStreams = 0
            self?.emitEnd()
        }
    }

    /// Reaps the process if it has exited. If `waiting` is true, blocks until the process exits.
    private func reap(waiting: Bool) {
        guard end == nil else { return }
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(id, &status, waiting ? 0 : WNOHANG) } while result < 0 && errno == EINTR
        guard result != 0 else { return }
        // Other code may have reaped the process, in which case its exit status is lost.
        ChildProcesses.ended(id)
        guard result == id else { return end = .status(-1) }
        let signal = status & 0x7F
        end = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }

    /// Reports the process's exit, once, after both output streams have ended.
    private func emitEnd() {
        guard let end, openStreams <= 0, !isReported else { return }
        isReported = true
        onEvent(.exited(end))
    }

    private func release() {
        watch?.cancel()
        watch = nil
        for channel in [input, output, errors] { channel?.close(promise: nil) }
        (input, output, errors) = (nil, nil, nil)
    }
}

/// Holds a closure for a channel initializer that runs on the same event loop.
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
