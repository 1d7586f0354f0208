package import NIOCore

/// Executes runs over real sockets on the loopback interface.
package enum LiveWorld {
    /// Executes a run to its end on one event loop, which owns all of the run's resources.
    ///
    /// All sockets, ports, folders and handles of the run are released before this method returns or throws.
    ///
    /// - Throws: ``LiveError`` if Squall cannot obtain a resource that it needs; `CancellationError` if the task is
    ///   cancelled.
    package static func play<Run: DrivenRun>(
        _ run: Run,
        options: LiveOptions = LiveOptions(),
        on loop: any EventLoop
    ) async throws -> Run.Result {
        let promise = loop.makePromise(of: Run.Result.self)
        let stage = NIOLoopBoundBox.makeEmptyBox(valueType: Stage<Run>.self, eventLoop: loop)
        return try await withTaskCancellationHandler {
            loop.execute {
                if case .cancelled? = stage.value { return promise.fail(CancellationError()) }
                do {
                    let driver = try LiveDriver(run, options: options, on: loop) { result in
                        stage.value = nil
                        promise.completeWith(result)
                    }
                    stage.value = .playing(driver)
                    driver.begin()
                } catch {
                    promise.fail(error)
                }
            }
            return try await promise.futureResult.get()
        } onCancel: {
            loop.execute {
                // A run in progress is cancelled now. A run that has not started yet is cancelled when it starts.
                if case .playing(let driver)? = stage.value { driver.cancel() } else { stage.value = .cancelled }
            }
        }
    }

    private enum Stage<Run: DrivenRun> {
        case playing(LiveDriver<Run>)
        case cancelled
    }
}
