import NIOCore
package import ScenarioModel
import Synchronization

/// Passes inputs from code outside the event loop to a live run, and passes the run's outputs back. Can be used from
/// any thread.
package final class LiveConductor: Sendable {
    private enum Stage {
        /// No run has been attached, so inputs are queued. The next state is ``attached(_:_:)`` or ``over``.
        case early([ConductorInput])
        /// A run is in progress on this event loop; the closure passes an input to the run. The next state is ``over``.
        case attached(any EventLoop, @Sendable (ConductorInput) -> Void)
        /// The run has ended: inputs are discarded.
        case over
    }

    private let stage = Mutex(Stage.early([]))
    /// The closure that passes the run's outputs to the controlling program. It is called on the run's event loop.
    let onOutput: @Sendable (ConductorOutput) -> Void

    package init(onOutput: @escaping @Sendable (ConductorOutput) -> Void) {
        self.onOutput = onOutput
    }

    /// Sends an input to the run; discards the input if the run is over.
    package func emit(_ input: ConductorInput) {
        stage.withLock { stage in
            switch stage {
            case .early(let inputs): stage = .early(inputs + [input])
            // The task is submitted under the lock, so that `detach` cannot run in between: an event loop that was shut
            // down must not receive tasks.
            case .attached(let loop, let take): loop.execute { take(input) }
            case .over: break
            }
        }
    }

    /// Attaches a run that has begun, and delivers the queued inputs. Called on the run's event loop.
    func attach(_ loop: any EventLoop, _ take: @escaping @Sendable (ConductorInput) -> Void) {
        let early = stage.withLock { stage in
            guard case .early(let inputs) = stage else { return [ConductorInput]() }
            stage = .attached(loop, take)
            return inputs
        }
        for input in early { take(input) }
    }

    /// Discards all further inputs; called when the run ends.
    func detach() { stage.withLock { $0 = .over } }
}
