import Synchronization

/// Tells each thing once: what goes wrong on one of hundreds of connections goes wrong on all.
final class WarningLog: Sendable {
    private let told = Mutex<Set<String>>([])

    func emit(_ text: String) {
        if told.withLock({ $0.insert(text).inserted }) { Terminal.complain(text) }
    }
}
