import Conformance
import Faults
import NIOCore
import Sockets
import SquallCore

/// Runs one case over TCP. The runner only transports bytes and measures time; the ``PeerRun`` makes all decisions.
///
/// The runner must be used only on its event loop. The connection's event handler retains the runner.
final class CaseRunner<Run: PeerRun> {
    /// Opens another connection and passes it to `onConnected` with the bytes already received on it; passes nil if the
    /// connection could not be opened.
    typealias Redial = (_ onConnected: @escaping ((connection: Connection, said: [UInt8])?) -> Void) -> Void

    private var run: Run
    /// The current connection; nil while another one is being opened.
    private var connection: Connection?
    /// Connections that were left open, unread. They end with the current connection.
    private var unread: [Connection] = []
    private let loop: any EventLoop
    private let redial: Redial
    private let onCommand: (UserAction) -> Void
    private let onResult: (ConformanceResult) -> Void
    private var alarm: Scheduled<Void>?
    private var isOver = false
    /// Whether a late timer was postponed, so that pending bytes are read first.
    private var hasWaited = false
    /// The outputs to be performed once the new connection is open.
    private var waiting: [PeerOutput] = []

    /// Creates a runner and starts it immediately.
    ///
    /// `said` contains the bytes already received on the connection. `onCommand` is called with commands for the
    /// client.
    init(
        _ run: Run,
        over connection: Connection,
        said: [UInt8] = [],
        on loop: any EventLoop,
        redial: @escaping Redial = { $0(nil) },
        onCommand: @escaping (UserAction) -> Void = { _ in },
        onResult: @escaping (ConformanceResult) -> Void
    ) {
        self.run = run
        self.loop = loop
        self.redial = redial
        self.onCommand = onCommand
        self.onResult = onResult
        adopt(connection)
        if !said.isEmpty { self.run.receive(said, at: .uptime) }
        settle()
    }

    private func adopt(_ connection: Connection) {
        self.connection = connection
        connection.onEvent = { [self] event in take(event) }
    }

    private func take(_ event: Connection.Event) {
        guard !isOver else { return }
        switch event {
        case .received(let bytes): run.receive(bytes, at: .uptime)
        case .ended(let end): run.receiveEnd(end, at: .uptime)
        }
        settle()
    }

    /// Performs the run's outputs and schedules its deadline.
    private func settle() {
        alarm?.cancel()
        alarm = nil
        perform(run.takeOutputs())
        if let result = run.result {
            isOver = true
            retire()
            onResult(result)
            return
        }
        guard let deadline = run.deadline else { return }
        // The timer never fires immediately, so that other pending work on the event loop is done first.
        let pause = max((deadline - .uptime).nanoseconds, 20_000)
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) { [weak self] in
            self?.ring(due: deadline)
        }
    }

    /// Performs outputs. Consecutive writes are combined into one, so that the peer reads the bytes together if TCP
    /// permits.
    private func perform(_ outputs: [PeerOutput]) {
        var together: [UInt8] = []
        for (index, output) in outputs.enumerated() {
            guard let connection else {
                waiting += outputs[index...]
                return
            }
            switch output {
            case .write(let bytes): if together.isEmpty { together = bytes } else { together += bytes }
            case .end(let how):
                connection.write(together)
                together = []
                connection.end(how)
            case .reconnect(let how, _):
                connection.write(together)
                together = []
                if let how {
                    leave(connection, how)
                } else {
                    connection.onEvent = { _ in }
                    unread.append(connection)
                }
                self.connection = nil
                redial { [self] in redialled($0) }
            case .command(let command):
                connection.write(together)
                together = []
                onCommand(command)
            }
        }
        connection?.write(together)
    }

    private func redialled(_ another: (connection: Connection, said: [UInt8])?) {
        guard !isOver else {
            another?.connection.end(.rst)
            return
        }
        if let another {
            adopt(another.connection)
            let outputs = waiting
            waiting = []
            perform(outputs)
            if !another.said.isEmpty { run.receive(another.said, at: .uptime) }
        } else {
            run.receiveEnd(.rst, at: .uptime)
        }
        settle()
    }

    /// Aborts the case without a result.
    func abandon() {
        isOver = true
        alarm?.cancel()
        endUnread()
        if let connection { leave(connection, .rst) }
    }

    /// Closes the connection and ignores further data. If the peer's FIN matters, the run has already waited for it.
    private func retire() {
        endUnread()
        if let connection { leave(connection, .fin) }
    }

    private func endUnread() {
        for connection in unread { connection.end(.rst) }
        unread = []
    }

    private func leave(_ dead: Connection, _ how: LinkEnd) {
        endUnread()
        dead.onEvent = { _ in }
        dead.end(how)
        guard how == .fin else { return }
        loop.assumeIsolated().scheduleTask(in: .seconds(1)) { dead.close() }
    }

    /// Handles the run's deadline. If the event loop is late, bytes from the peer may still be unread, so the deadline
    /// is postponed once to read them first.
    private func ring(due deadline: Instant) {
        guard !isOver else { return }
        guard !hasWaited, .uptime - deadline > .milliseconds(100) else {
            hasWaited = false
            run.tick(at: .uptime)
            return settle()
        }
        hasWaited = true
        alarm = loop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [weak self] in self?.ring(due: deadline) }
    }
}
