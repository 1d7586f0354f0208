import NIOCore
import NIOPosix

/// An event loop for one piece of work, gone with it.
enum OneLoop {
    /// Runs `begin` on a loop of its own; the work ends when it calls its second argument, once, on the loop.
    static func run<Value: Sendable>(
        _ begin: @escaping @Sendable (any EventLoop, @escaping (Result<Value, any Error>) -> Void) throws -> Void
    ) async throws -> Value {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let promise = loop.makePromise(of: Value.self)
        let isOver = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: loop)
        loop.execute {
            let end = { (result: Result<Value, any Error>) -> Void in
                guard !isOver.value else { return }
                isOver.value = true
                promise.completeWith(result)
            }
            do { try begin(loop, end) } catch { end(.failure(error)) }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await promise.futureResult.get()) } catch { result = .failure(error) }
        try await group.shutdownGracefully()
        return try result.get()
    }

    /// Asks ten times a second, and acts once the answer is yes.
    static func poll(on loop: any EventLoop, _ isDue: @escaping () -> Bool, _ act: @escaping () -> Void) {
        loop.assumeIsolated().scheduleTask(in: .milliseconds(100)) {
            if isDue() { act() } else { poll(on: loop, isDue, act) }
        }
    }
}
