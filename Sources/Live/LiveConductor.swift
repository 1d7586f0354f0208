import NIOCore
package import ScenarioModel
import Synchronization

/// The way into a live run for whoever conducts it from outside, from any thread.
package final class LiveConductor: Sendable {
    private enum Stage {
        /// What is wanted before there is a run waits for it.
        case early([ConductorInput])
        case attached(any EventLoop, @Sendable (ConductorInput) -> Void)
        case over
    }

    private let stage = Mutex(Stage.early([]))
    /// Told on the run's event loop.
    let hear: @Sendable (ConductorOutput) -> Void

    package init(hear: @escaping @Sendable (ConductorOutput) -> Void) {
        self.hear = hear
    }

    /// Hands something to the run; once that is over, to nobody.
    package func emit(_ input: ConductorInput) {
        stage.withLock { stage in
            switch stage {
            case .early(let inputs): stage = .early(inputs + [input])
            // Under the lock: a loop that has been shut down must not be asked.
            case .attached(let loop, let take): loop.execute { take(input) }
            case .over: break
            }
        }
    }

    /// On the run's event loop, once it has begun.
    func attach(_ loop: any EventLoop, _ take: @escaping @Sendable (ConductorInput) -> Void) {
        let early = stage.withLock { stage in
            guard case .early(let inputs) = stage else { return [ConductorInput]() }
            stage = .attached(loop, take)
            return inputs
        }
        for input in early { take(input) }
    }

    func detach() { stage.withLock { $0 = .over } }
}
