import SquallCore

/// Collects the errors in one case of a scenario file, so that reading can continue after an error.
final class MistakeLog {
    private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []

    /// The number of errors after which reading stops.
    static let limit = 1000

    var isFull: Bool { diagnostics.count >= Self.limit }

    /// The source ranges of nodes that have already been reported as invalid. Further errors within these ranges are
    /// only consequences, and are suppressed.
    private var reported: [(line: Int, columns: ClosedRange<Int>)] = []

    func add(_ diagnostic: Diagnostic) {
        guard !isFull else { return }
        let (line, column) = (diagnostic.location.line, diagnostic.location.column)
        guard !reported.contains(where: { $0.line == line && $0.columns.contains(column) }) else { return }
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    /// Adds an error that invalidates a node, and suppresses further errors within the node.
    func add(_ diagnostic: Diagnostic, spoiling node: SourceNode) {
        add(diagnostic)
        reported.append((node.line, node.column...node.column + node.width))
    }

    /// Returns the result of `read`, or nil after adding the error that it threw.
    func attempt<Value>(_ read: () throws(Diagnostic) -> Value) -> Value? {
        do throws(Diagnostic) {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }
}
