import Synchronization
import Trace

/// Reports to the user why packets from live runs cannot be captured. Each reason is reported only once, even if it
/// affects many runs.
final class CaptureObstacles: Sendable {
    private let reported = Mutex<Set<String>>([])
    private let announce: @Sendable (String) -> Void

    init(_ announce: @escaping @Sendable (String) -> Void) {
        self.announce = announce
    }

    @Sendable func report(_ obstacle: String) {
        guard reported.withLock({ $0.insert(obstacle).inserted }) else { return }
        announce("squall: live runs have no \(RunCapture.name): \(obstacle); simulated runs need no such permission")
    }
}
