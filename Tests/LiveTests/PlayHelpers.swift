import NIOCore
import NIOPosix
import SquallCore

@testable import Live

/// Runs `run` on its own event loop, and returns its outcome and how long it took in real time.
func play<Run: DrivenRun>(
    _ run: Run,
    options: LiveOptions = LiveOptions()
) async throws -> (outcome: Run.Result, real: Duration) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let began = ContinuousClock.now
    let result: Result<Run.Result, any Error>
    do {
        result = .success(try await LiveWorld.play(run, options: options, on: group.next()))
    } catch {
        result = .failure(error)
    }
    let real = ContinuousClock.now - began
    try await group.shutdownGracefully()
    return (try result.get(), real)
}
