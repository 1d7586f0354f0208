import NIOCore
import NIOPosix

/// Executes many live runs in parallel. Each run is confined to one event loop.
package struct LiveSuite: Sendable {
    package var options: LiveOptions
    /// The number of runs that are executed in parallel, each on its own thread.
    package var jobs: Int

    /// Creates a suite. If `jobs` is nil, the suite uses one job per CPU core, but at most four.
    package init(options: LiveOptions = LiveOptions(), jobs: Int? = nil) {
        self.options = options
        self.jobs = max(1, jobs ?? min(4, System.coreCount))
    }

    /// Executes all runs, and delivers their outcomes in the order of `runs`. An outcome is delivered as soon as it and
    /// all earlier outcomes are known.
    ///
    /// A run that Squall could not execute is delivered as a failure, and the other runs continue. When this method
    /// returns or throws, no run is in progress, and all client processes have exited.
    ///
    /// - Throws: Any error thrown by `deliver`; `CancellationError` if the task is cancelled.
    package func play<Run: DrivenRun>(
        _ runs: [Run],
        deliver: (_ index: Int, _ outcome: Result<Run.Result, any Error>) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: jobs)
        let result: Result<Void, any Error>
        do {
            try await play(runs, on: group, deliver: deliver)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        if let launch = options.foreign {
            for loop in group.makeIterator() {
                try await loop.flatSubmit { launch.idle.dismissAll(on: loop, within: launch.exitTimeout) }.get()
            }
        }
        try await group.shutdownGracefully()
        try result.get()
    }

    private func play<Run: DrivenRun>(
        _ runs: [Run],
        on group: MultiThreadedEventLoopGroup,
        deliver: (Int, Result<Run.Result, any Error>) async throws -> Void
    ) async throws {
        var free = Array(group.makeIterator())
        try await withThrowingTaskGroup(of: (Int, any EventLoop, Result<Run.Result, any Error>).self) { tasks in
            var next = 0
            var delivered = 0
            var waiting: [Int: Result<Run.Result, any Error>] = [:]
            while delivered < runs.count {
                while next < runs.count, let loop = free.popLast() {
                    let (index, run, options) = (next, runs[next], options)
                    next += 1
                    tasks.addTask {
                        do {
                            return (index, loop, .success(try await LiveWorld.play(run, options: options, on: loop)))
                        } catch {
                            return (index, loop, .failure(error))
                        }
                    }
                }
                guard let (index, loop, outcome) = try await tasks.next() else { break }
                free.append(loop)
                waiting[index] = outcome
                while let outcome = waiting.removeValue(forKey: delivered) {
                    try await deliver(delivered, outcome)
                    delivered += 1
                }
                try Task.checkCancellation()
            }
        }
    }
}
