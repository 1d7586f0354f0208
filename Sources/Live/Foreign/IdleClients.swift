import Foundations
import NIOCore
import Processes
import Synchronization

/// Processes of clients that have served a run and may serve another, each kept for the event loop that it belongs to.
final class IdleClients: Sendable {
    private let idle = Mutex<[ObjectIdentifier: [NIOLoopBound<ChildProcess>]]>([:])

    /// On the process's own loop.
    func put(_ process: ChildProcess, on loop: any EventLoop) {
        let bound = NIOLoopBound(process, eventLoop: loop)
        idle.withLock { $0[ObjectIdentifier(loop), default: []].append(bound) }
    }

    /// One that still runs; nil where there is none. On the loop.
    func take(on loop: any EventLoop) -> ChildProcess? {
        while let bound = idle.withLock({ $0[ObjectIdentifier(loop)]?.popLast() }) {
            if bound.value.isRunning { return bound.value }
            bound.value.kill()
        }
        return nil
    }

    /// Ends all that are kept for a loop. On it.
    func dismissAll(on loop: any EventLoop, within span: TimeSpan) {
        let processes = idle.withLock { $0.removeValue(forKey: ObjectIdentifier(loop)) }
        for bound in processes ?? [] { bound.value.dismiss(within: span) }
    }
}
