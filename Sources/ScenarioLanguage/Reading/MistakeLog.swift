import SquallCore

/// The mistakes of one case, gathered while its readers go on to the next thing.
final class MistakeLog {
    private(set) var diagnostics: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []

    /// Beyond so many, reading on is of no use to anybody.
    static let enough = 1000

    var isFull: Bool { diagnostics.count >= Self.enough }

    /// Where nothing that is read makes sense any more.
    private var spoilt: [(line: Int, columns: ClosedRange<Int>)] = []

    func add(_ diagnostic: Diagnostic) {
        guard !isFull else { return }
        let (line, column) = (diagnostic.location.line, diagnostic.location.column)
        guard !spoilt.contains(where: { $0.line == line && $0.columns.contains(column) }) else { return }
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    /// Adds a mistake that makes of the node what nobody wrote: further mistakes in it are none of the author's.
    func add(_ diagnostic: Diagnostic, spoiling node: SourceNode) {
        add(diagnostic)
        spoilt.append((node.line, node.column...node.column + node.width))
    }

    /// What `read` gives, or nil and a mistake more.
    func attempt<Value>(_ read: () throws(Diagnostic) -> Value) -> Value? {
        do throws(Diagnostic) {
            return try read()
        } catch {
            add(error)
            return nil
        }
    }
}
