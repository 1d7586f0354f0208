import SquallCore

/// Workflow commands, by which a program annotates a run of GitHub's actions.
enum WorkflowCommand {
    /// GitHub shows ten errors a step. One place is left to say how many more there are.
    private static let limit = 9

    /// An `::error` with a title, at a place in a file if there is one.
    static func error(_ title: String?, at location: (file: String, line: Int, column: Int?)? = nil, _ text: String)
        -> String
    {
        var properties: [String] = []
        if let location {
            properties += ["file=\(ShownText(location.file).workflowProperty)", "line=\(location.line)"]
            if let column = location.column { properties.append("col=\(column)") }
        }
        if let title { properties.append("title=\(ShownText(title).workflowProperty)") }
        return "::error \(properties.joined(separator: ","))::\(ShownText(lines: text).workflowMessage)"
    }

    /// As many of these errors as GitHub shows. If there are more, the last says so, under `title` and with where to find them.
    static func limited(_ errors: [String], title: String, rest: String) -> [String] {
        guard errors.count > limit else { return errors }
        return errors.prefix(limit) + [error(title, "\(errors.count - limit) more; \(rest)")]
    }
}
