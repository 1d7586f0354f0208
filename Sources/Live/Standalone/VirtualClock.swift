import NIOCore
import Sockets
import SquallCore

/// The clock of a client process whose time Squall sets with `advance`.
///
/// It determines when the client is idle: after two consecutive event-loop iterations in which the client did nothing,
/// only Squall can cause further work.
///
/// Confined to its event loop.
final class VirtualClock {
    private(set) var now = Instant.zero
    private var turns: LoopTurns?
    private var hasWorked = false
    private var quietTurns = 0
    /// The closure to call once the client is idle; nil if there is none.
    private var onIdle: (() -> Void)?

    /// Creates a clock whose time is zero.
    ///
    /// - Throws: ``LiveError/socket(_:)`` if no pipe can be opened.
    init(on loop: any EventLoop) throws(LiveError) {
        do throws(SocketError) {
            turns = try LoopTurns(on: loop) { [weak self] in self?.endTurn() }
        } catch {
            throw .socket(error)
        }
    }

    /// Sets the time; calls `onIdle` once the client is idle.
    func set(to instant: Instant, onIdle: @escaping () -> Void) {
        now = max(now, instant)
        self.onIdle = onIdle
        noteWork()
        turns?.request()
    }

    /// Records that the client has handled an input or a timer in this iteration.
    func noteWork() { hasWorked = true }

    private func endTurn() {
        guard let onIdle else { return }
        quietTurns = hasWorked ? 0 : quietTurns + 1
        hasWorked = false
        guard quietTurns >= LeapDecision.quietTurns else {
            turns?.request()
            return
        }
        quietTurns = 0
        self.onIdle = nil
        onIdle()
    }

    /// Closes the clock's pipe.
    func stop() { turns?.stop() }
}
