import NIOCore
import Processes
import SquallCore
import Synchronization

/// A pool of client processes that have served a run and can serve another run, grouped by event loop.
final class ClientProcessPool: Sendable {
    private let idle = Mutex<[ObjectIdentifier: [NIOLoopBound<ChildProcess>]]>([:])

    /// Adds a process to the pool. Must be called on the process's event loop.
    func put(_ process: ChildProcess, on loop: any EventLoop) {
        let bound = NIOLoopBound(process, eventLoop: loop)
        idle.withLock { $0[ObjectIdentifier(loop), default: []].append(bound) }
    }

    /// Removes and returns a running process that belongs to `loop`; nil if there is none. Must be called on the loop.
    func take(on loop: any EventLoop) -> ChildProcess? {
        while let bound = idle.withLock({ $0[ObjectIdentifier(loop)]?.popLast() }) {
            if bound.value.isRunning { return bound.value }
            bound.value.kill()
        }
        return nil
    }

    /// Asks all pooled processes that belong to `loop` to exit, in parallel, and kills those still running after
    /// `span`. Must be called on the loop.
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
