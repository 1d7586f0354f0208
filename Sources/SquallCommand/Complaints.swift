import Synchronization

/// Tells each thing once: what goes wrong on one of hundreds of connections goes wrong on all.
final class Complaints: Sendable {
    private let told = Mutex<Set<String>>([])

    func tell(_ text: String) {
        if told.withLock({ $0.insert(text).inserted }) { Terminal.complain(text) }
    }
}
