import Foundation
import SquallCore
import Synchronization
import Yams

/// Parses YAML into nodes with locations, within limits that protect against malicious files.
enum YAMLReader {
    /// The maximum file size in bytes; a typical scenario is about 2 KiB long.
    static let sizeLimit = 256 * 1024
    /// The maximum nesting depth of lists and mappings.
    static let depthLimit = 40
    /// The maximum number of nodes after alias expansion.
    static let nodeLimit = 100_000
    /// The maximum number of aliases. Nested aliases expand exponentially, and the parser expands mapping keys before
    /// it compares them.
    static let aliasLimit = 12
    /// The time limit for parsing, in seconds. Parsing normally takes milliseconds.
    static let timeout: TimeInterval = 10

    /// Parses a file. `form` is the help text for an empty file; it shows how such a file must begin.
    static func read(
        _ source: SourceText,
        form: String = "a scenario begins with 'squall: 1' and 'name: …'"
    ) throws(Diagnostic) -> SourceNode {
        guard source.text.utf8.count <= sizeLimit else {
            throw Diagnostic(
                at: beginning(of: source),
                "this file has \(source.text.utf8.count) bytes; the limit is \(sizeLimit)",
                help: "write one scenario per file, and use a 'with:' table instead of copies"
            )
        }
        if let mark = AliasScan.firstExcessAlias(in: source.text, limit: aliasLimit) {
            throw Diagnostic(
                at: SourceLocation(file: source.file, line: mark.line, column: mark.column),
                "this file has more than \(aliasLimit) aliases",
                help: "write out the values, or use a 'with:' table"
            )
        }
        guard let node = try parse(source).get() else {
            throw Diagnostic(at: beginning(of: source), "this file is empty", help: form)
        }
        return node
    }

    static func beginning(of source: SourceText) -> SourceLocation {
        SourceLocation(file: source.file, line: 1, column: 1)
    }

    /// Parses with a timeout, on a thread with a large stack, because the parser recurses once per nesting level.
    private static func parse(_ source: SourceText) -> Result<SourceNode?, Diagnostic> {
        let box = Box()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result { () throws(Diagnostic) in try compose(source) }
            box.outcome.withLock { $0 = result }
            done.signal()
        }
        thread.stackSize = 64 * 1024 * 1024
        thread.start()
        guard done.wait(timeout: .now() + timeout) == .success, let result = box.outcome.withLock({ $0 }) else {
            return .failure(
                Diagnostic(
                    at: beginning(of: source),
                    "reading this file took longer than \(Int(timeout)) seconds",
                    help: "replace its aliases with their values"
                )
            )
        }
        return result
    }

    private final class Box: Sendable {
        let outcome = Mutex<Result<SourceNode?, Diagnostic>?>(nil)
    }

    /// Returns nil if the file is empty.
    private static func compose(_ source: SourceText) throws(Diagnostic) -> SourceNode? {
        let node: Node?
        do {
            node = try Yams.compose(yaml: source.text, .default, .default, .utf8)
        } catch let error as YamlError {
            throw YAMLMistake.diagnostic(for: error, in: source)
        } catch {
            throw Diagnostic(at: beginning(of: source), "this is not YAML: \(error)")
        }
        guard let node else { return nil }
        var conversion = Conversion(source: source)
        return try conversion.convert(node, depth: 0, near: (1, 1))
    }

    /// Converts the parser's nodes to ``SourceNode`` values, and enforces the limits on their number and depth.
    private struct Conversion {
        let source: SourceText
        var budget = nodeLimit

        mutating func convert(
            _ node: Node,
            depth: Int,
            near: (line: Int, column: Int)
        ) throws(Diagnostic) -> SourceNode {
            let place = node.mark.map { ($0.line, $0.column) } ?? near
            let location = SourceLocation(file: source.file, line: place.0, column: place.1)
            budget -= 1
            guard budget > 0 else {
                throw Diagnostic(
                    at: location,
                    "this file has more than \(nodeLimit) values after the expansion of its aliases"
                )
            }
            guard depth <= depthLimit else {
                throw Diagnostic(at: location, "lists and mappings are nested more than \(depthLimit) levels deep")
            }
            let kind: SourceNode.Kind
            switch node {
            case .scalar(let scalar):
                kind = .scalar(scalar.string, quoted: scalar.style != .plain && scalar.style != .any)
            case .sequence(let sequence):
                var items: [SourceNode] = []
                for item in sequence { items.append(try convert(item, depth: depth + 1, near: place)) }
                kind = .list(items)
            case .mapping(let mapping):
                var members: [SourceNode.Member] = []
                for (key, value) in mapping {
                    let name = try convert(key, depth: depth + 1, near: place)
                    guard name.scalar != nil else {
                        let location = SourceLocation(file: source.file, line: name.line, column: name.column)
                        throw Diagnostic(at: location, "\(name.inWords) cannot be a key; expected a word")
                    }
                    let behind = (name.line, name.column + name.width + 1)
                    let content = try convert(value, depth: depth + 1, near: behind)
                    members.append(SourceNode.Member(key: name, value: content))
                }
                kind = .mapping(members)
            case .alias:
                throw Diagnostic(at: location, "unknown alias")
            }
            return SourceNode(kind: kind, line: place.0, column: place.1)
        }
    }
}
