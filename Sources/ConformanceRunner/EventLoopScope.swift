import NIOCore
import NIOPosix

/// Runs asynchronous work on a new event loop.
enum EventLoopScope {
    /// Completes the work with a result. Only the first call has an effect.
    typealias End<Value> = (Result<Value, any Error>) -> Void

    private enum Stage {
        /// The work has started; the closure must be called when the task is cancelled.
        case working(() -> Void)
        /// The task was cancelled before the work started.
        case cancelled
    }

    /// Runs `begin` on a new event loop, and returns when `begin`'s second argument is called on that loop.
    ///
    /// If the task is cancelled, the closure that `begin` returns is called on the loop. It must complete the work with
    /// the results so far.
    static func run<Value: Sendable>(
        _ begin: @escaping @Sendable (any EventLoop, @escaping End<Value>) throws -> () -> Void
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let promise = loop.makePromise(of: Value.self)
        let isOver = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: loop)
        let stage = NIOLoopBoundBox.makeEmptyBox(valueType: Stage.self, eventLoop: loop)
        let result: Result<Value, any Error> = await withTaskCancellationHandler {
            loop.execute {
                let end = { (result: Result<Value, any Error>) -> Void in
                    guard !isOver.value else { return }
                    isOver.value = true
                    stage.value = nil
                    promise.completeWith(result)
                }
                do {
                    let stop = try begin(loop, end)
                    if case .cancelled? = stage.value { stop() } else if !isOver.value { stage.value = .working(stop) }
                } catch {
                    end(.failure(error))
                }
            }
            do { return .success(try await promise.futureResult.get()) } catch { return .failure(error) }
        } onCancel: {
            loop.execute {
                if case .working(let stop)? = stage.value { stop() } else { stage.value = .cancelled }
            }
        }
        try await group.shutdownGracefully()
        return try result.get()
    }
}
