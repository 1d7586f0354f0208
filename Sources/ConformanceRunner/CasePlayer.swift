import Conformance
import Faults
import NIOCore
import Sockets
import SquallCore

/// Plays one case over TCP: carries bytes and time, and decides nothing.
///
/// Confined to its event loop; lives as long as its connection's events are handed to it.
final class CasePlayer<Run: PeerRun> {
    /// Gets another connection, and what was said on it already; nil where there is none to be had.
    typealias Redial = (_ onConnected: @escaping ((connection: Connection, said: [UInt8])?) -> Void) -> Void

    private var run: Run
    /// Nil while another one is being made.
    private var connection: Connection?
    private let loop: any EventLoop
    private let redial: Redial
    private let onCommand: (ClientWish) -> Void
    private let onResult: (ConformanceResult) -> Void
    private var alarm: Scheduled<Void>?
    private var isOver = false
    /// A late alarm has given the peer's bytes their turn.
    private var hasWaited = false
    /// What is to be written on the connection that is being made.
    private var waiting: [PeerOutput] = []

    /// Begins at once.
    ///
    /// `said`: what the peer has said on the connection already. `onCommand`: a client is told to do this.
    init(
        _ run: Run,
        over connection: Connection,
        said: [UInt8] = [],
        on loop: any EventLoop,
        redial: @escaping Redial = { $0(nil) },
        onCommand: @escaping (ClientWish) -> Void = { _ in },
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

    /// Does what the run wants, and waits for what it waits for.
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
        // Never at once: whoever else has something to do on this loop comes first.
        let pause = max((deadline - .uptime).nanoseconds, 20_000)
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) { [weak self] in
            self?.ring(due: deadline)
        }
    }

    /// What belongs together goes in one write: then the peer reads it in one piece, as far as TCP lets it.
    private func perform(_ outputs: [PeerOutput]) {
        var together: [UInt8] = []
        for (place, output) in outputs.enumerated() {
            guard let connection else {
                waiting += outputs[place...]
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
                leave(connection, how)
                self.connection = nil
                redial { [self] in redialled($0) }
            case .command(let wish):
                connection.write(together)
                together = []
                onCommand(wish)
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

    /// Gives the case up without a verdict.
    func abandon() {
        isOver = true
        alarm?.cancel()
        if let connection { leave(connection, .rst) }
    }

    /// Whatever the peer still says is of no interest; its end was waited for where it matters.
    private func retire() {
        if let connection { leave(connection, .fin) }
    }

    private func leave(_ dead: Connection, _ how: LinkEnd) {
        dead.onEvent = { _ in }
        dead.end(how)
        guard how == .fin else { return }
        loop.assumeIsolated().scheduleTask(in: .seconds(1)) { dead.close() }
    }

    /// Where this loop was too busy to be in time, the peer's bytes may lie here unread: they come first.
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
