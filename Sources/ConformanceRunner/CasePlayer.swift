import Conformance
import Faults
import Foundations
import NIOCore
import Sockets

/// Plays one case over TCP: carries bytes and time, and decides nothing.
///
/// Confined to its event loop; lives as long as its connection's events are handed to it.
final class CasePlayer<Run: PeerRun> {
    /// Makes another connection to the same place; nil where there is none to be had.
    typealias Redial = (_ onConnected: @escaping (Connection?) -> Void) -> Void

    private var run: Run
    /// Nil while another one is being made.
    private var connection: Connection?
    private let loop: any EventLoop
    private let redial: Redial
    private let onResult: (ConformanceResult) -> Void
    private var alarm: Scheduled<Void>?
    private var isOver = false
    /// A late alarm has given the peer's bytes their turn.
    private var hasWaited = false
    /// What is to be written on the connection that is being made.
    private var waiting: [PeerOutput] = []

    /// Begins at once.
    init(
        _ run: Run,
        over connection: Connection,
        on loop: any EventLoop,
        redial: @escaping Redial = { $0(nil) },
        onResult: @escaping (ConformanceResult) -> Void
    ) {
        self.run = run
        self.loop = loop
        self.redial = redial
        self.onResult = onResult
        adopt(connection)
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
            case .write(let bytes): together = together.isEmpty ? bytes : together + bytes
            case .end(let how):
                connection.write(together)
                together = []
                connection.end(how)
            case .reconnect:
                connection.write(together)
                together = []
                connection.onEvent = { _ in }
                connection.end(.rst)
                self.connection = nil
                redial { [self] in redialled($0) }
            }
        }
        connection?.write(together)
    }

    private func redialled(_ another: Connection?) {
        guard !isOver else {
            another?.end(.rst)
            return
        }
        if let another {
            adopt(another)
            let outputs = waiting
            waiting = []
            perform(outputs)
        } else {
            run.receiveEnd(.rst, at: .uptime)
        }
        settle()
    }

    /// Whatever the peer still says is of no interest; its end was waited for where it matters.
    private func retire() {
        guard let dead = connection else { return }
        dead.onEvent = { _ in }
        dead.end(.fin)
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

extension Instant {
    /// Real time, as the cases' clock.
    static var uptime: Instant { Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }
}
