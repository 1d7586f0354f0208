import Conformance
import Faults
import Foundations
import NIOCore
import Sockets

/// Plays one case over one TCP connection: carries bytes and time, and decides nothing.
///
/// Confined to its event loop; lives as long as its connection's events are handed to it.
final class CasePlayer {
    private var run: CaseRun
    private let connection: Connection
    private let loop: any EventLoop
    private let onResult: (ConformanceResult) -> Void
    private var alarm: Scheduled<Void>?
    private var isOver = false
    /// A late alarm has given the peer's bytes their turn.
    private var hasWaited = false

    /// Begins at once.
    init(
        _ run: CaseRun,
        over connection: Connection,
        on loop: any EventLoop,
        onResult: @escaping (ConformanceResult) -> Void
    ) {
        self.run = run
        self.connection = connection
        self.loop = loop
        self.onResult = onResult
        connection.onEvent = { [self] event in take(event) }
        settle()
    }

    /// Real time, as the cases' clock.
    static var now: Instant { Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds)) }

    private func take(_ event: Connection.Event) {
        guard !isOver else { return }
        switch event {
        case .received(let bytes): run.receive(bytes, at: Self.now)
        case .ended(let end): run.receiveEnd(end, at: Self.now)
        }
        settle()
    }

    /// Does what the run wants, and waits for what it waits for.
    private func settle() {
        alarm?.cancel()
        alarm = nil
        // What belongs together goes in one write: then the peer reads it in one piece, as far as TCP lets it.
        var together: [UInt8] = []
        for output in run.takeOutputs() {
            switch output {
            case .write(let bytes): together = together.isEmpty ? bytes : together + bytes
            case .end(let how):
                connection.write(together)
                together = []
                connection.end(how)
            }
        }
        connection.write(together)
        if let result = run.result {
            isOver = true
            connection.onEvent = { _ in }
            // Whatever the peer still says is of no interest; its end was waited for where it matters.
            connection.end(.fin)
            let dead = connection
            loop.assumeIsolated().scheduleTask(in: .seconds(1)) { dead.close() }
            onResult(result)
            return
        }
        guard let deadline = run.deadline else { return }
        // Never at once: whoever else has something to do on this loop comes first.
        let pause = max((deadline - Self.now).nanoseconds, 20_000)
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) { [weak self] in
            self?.ring(due: deadline)
        }
    }

    /// Where this loop was too busy to be in time, the peer's bytes may lie here unread: they come first.
    private func ring(due deadline: Instant) {
        guard !isOver else { return }
        guard !hasWaited, Self.now - deadline > .milliseconds(100) else {
            hasWaited = false
            run.tick(at: Self.now)
            return settle()
        }
        hasWaited = true
        alarm = loop.assumeIsolated().scheduleTask(in: .milliseconds(50)) { [weak self] in self?.ring(due: deadline) }
    }
}
