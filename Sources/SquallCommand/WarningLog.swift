import Synchronization

/// Prints warnings, each only once, because one problem often affects hundreds of connections.
final class WarningLog: Sendable {
    private let reported = Mutex<Set<String>>([])

    /// Prints a warning, unless the same text has been printed before.
    func emit(_ text: String) {
        if reported.withLock({ $0.insert(text).inserted }) { Terminal.printError(text) }
    }
}
