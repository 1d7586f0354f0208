import SquallCore

/// Collects the mistakes of one case, so that a reader can go on after a mistake.
final class MistakeLog {
    private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []

    /// The limit after which reading stops.
    static let enough = 1000

    var isFull: Bool { diagnostics.count >= Self.enough }

    /// The places whose further mistakes are consequences of one already reported.
    private var spoilt: [(line: Int, columns: ClosedRange<Int>)] = []

    func add(_ diagnostic: Diagnostic) {
        guard !isFull else { return }
        let (line, column) = (diagnostic.location.line, diagnostic.location.column)
        guard !spoilt.contains(where: { $0.line == line && $0.columns.contains(column) }) else { return }
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    /// Adds a mistake that invalidates a node, and suppresses further mistakes in it.
    func add(_ diagnostic: Diagnostic, spoiling node: SourceNode) {
        add(diagnostic)
        spoilt.append((node.line, node.column...node.column + node.width))
    }

    /// The result of `read`; nil after adding the mistake that it threw.
    func attempt<Value>(_ read: () throws(Diagnostic) -> Value) -> Value? {
        do throws(Diagnostic) {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }
}
