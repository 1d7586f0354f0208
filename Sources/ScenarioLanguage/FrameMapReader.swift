import ChatWire
import SquallCore
import TemporalLogic

/// Reads the frame templates in a profile's `wire.frames`, and reports errors with their location in the file.
struct FrameMapReader {
    let values: ValueReader
    let log: MistakeLog

    /// Reads the templates; returns nil after reporting an error.
    func read(_ node: SourceNode) -> FrameMap? {
        guard let value = log.attempt({ () throws(Diagnostic) in try values.json(node, called: "wire.frames") }) else {
            return nil
        }
        switch FrameMap.read(value) {
        case .success(let map): return map
        case .failure(let list):
            for mistake in list.mistakes {
                var message = mistake.message
                if let other = mistake.other {
                    message += " (the other is in line \(place(other, in: node).line))"
                }
                log.add(place(mistake.path, in: node).mistake(message, help: mistake.help, in: values.source))
            }
            return nil
        }
    }

    /// Returns the node at a path; if there is none, returns its deepest existing ancestor.
    private func place(_ path: [TemplateMistake.Step], in node: SourceNode) -> SourceNode {
        var place = node
        for step in path {
            let next: SourceNode? =
                switch step {
                case .member(let name): place[name]
                case .key(let name): place.members?.first { $0.name == name }?.key
                case .index(let index): place.list.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
            guard let next else { break }
            place = next
        }
        return place
    }
}
