import Synchronization
import Trace

/// Tells once why live runs have no captures, however many have none.
final class CaptureObstacles: Sendable {
    private let told = Mutex<Set<String>>([])
    private let announce: @Sendable (String) -> Void

    init(_ announce: @escaping @Sendable (String) -> Void) {
        self.announce = announce
    }

    @Sendable func emit(_ obstacle: String) {
        guard told.withLock({ $0.insert(obstacle).inserted }) else { return }
        announce("squall: live runs leave no \(RunCapture.name): \(obstacle); simulated runs need no such right")
    }
}
