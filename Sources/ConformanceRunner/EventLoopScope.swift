import NIOCore
import NIOPosix

/// An event loop for one piece of work, gone with it.
enum EventLoopScope {
    /// Ends the work with a result; the first call counts.
    typealias End<Value> = (Result<Value, any Error>) -> Void

    private enum Stage {
        /// What is done once the task is cancelled.
        case working(() -> Void)
        /// Cancelled before it began.
        case cancelled
    }

    /// Runs `begin` on a loop of its own; the work ends when it calls its second argument on the loop.
    ///
    /// What `begin` returns is called on the loop once the task is cancelled: it ends the work with what there is.
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
