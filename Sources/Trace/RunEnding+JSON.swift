import SquallCore

/// The representation of ``RunEnding`` in the last line of a trace.
extension RunEnding {
    /// Adds the members that represent this ending to `line`, the last line of a trace.
    func write(to line: inout JSON) {
        var fields: JSON
        switch script {
        case .finished: fields = ["outcome": "finished"]
        case .stuck(let location, let why, let due):
            fields = ["outcome": "stuck", "why": .string(why), "due": .integer(due.nanoseconds)]
            fields.set(location)
        case .unfinished(let location):
            fields = ["outcome": "unfinished"]
            fields.set(location)
        case .anchorMissing(let location, let what):
            fields = ["outcome": "anchor_never_came", "what": .string(what)]
            fields.set(location)
        }
        if let scriptEnd { fields.set("ended", to: .integer(scriptEnd.nanoseconds)) }
        line.set("script", to: fields)
        if let abandoned { line.set("abandoned", to: .string(abandoned)) }
        if isInterrupted { line.set("interrupted", to: true) }
    }

    /// Decodes the ending from the last line of a trace; returns nil if that line contains an unknown script outcome.
    ///
    /// `file` is the name of the scenario file, for source locations.
    init?(_ line: JSON, file: String) {
        self.init()
        abandoned = line["abandoned"]?.stringValue
        isInterrupted = line["interrupted"]?.boolValue ?? false
        guard let fields = line["script"] else { return }
        scriptEnd = fields["ended"]?.intValue.map { Instant(nanoseconds: $0) }
        let location = SourceLocation(
            file: file,
            line: fields["line"]?.intValue.map { Int(clamping: $0) } ?? 1,
            column: fields["column"]?.intValue.map { Int(clamping: $0) } ?? 1
        )
        switch fields["outcome"]?.stringValue {
        case "finished": script = .finished
        case "stuck":
            let due = Instant(nanoseconds: fields["due"]?.intValue ?? 0)
            script = .stuck(at: location, why: fields["why"]?.stringValue ?? "", by: due)
        case "unfinished": script = .unfinished(at: location)
        case "anchor_never_came":
            script = .anchorMissing(at: location, what: fields["what"]?.stringValue ?? "")
        default: return nil
        }
    }
}

extension JSON {
    fileprivate mutating func set(_ location: SourceLocation) {
        set("line", to: .integer(Int64(location.line)))
        set("column", to: .integer(Int64(location.column)))
    }
}
