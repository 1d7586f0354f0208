import NIOCore
import Processes
import SquallCore
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

    /// Ends all that are kept for a loop, side by side. On it.
    func dismissAll(on loop: any EventLoop, within span: TimeSpan) -> EventLoopFuture<Void> {
        let processes = idle.withLock { $0.removeValue(forKey: ObjectIdentifier(loop)) } ?? []
        let ends = processes.map { bound in
            let promise = loop.makePromise(of: Void.self)
            bound.value.dismiss(within: span) { promise.succeed(()) }
            return promise.futureResult
        }
        return EventLoopFuture.andAllComplete(ends, on: loop)
    }
}
