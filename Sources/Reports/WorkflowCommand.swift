import SquallCore

/// Renders GitHub Actions workflow commands, which a program prints to annotate a workflow run.
enum WorkflowCommand {
    /// The maximum number of errors that are rendered. GitHub displays ten per step; the tenth states the number of
    /// further errors.
    static let limit = 9

    /// Renders an `::error` with a title and, if there is one, a location in a file.
    static func error(_ title: String?, at location: (file: String, line: Int, column: Int?)? = nil, _ text: String)
        -> String
    {
        var properties: [String] = []
        if let location {
            properties += ["file=\(SanitizedText(location.file).workflowProperty)", "line=\(location.line)"]
            if let column = location.column { properties.append("col=\(column)") }
        }
        return command("error", properties, title, text)
    }

    /// Renders a `::warning` with a title and a location in a file.
    static func warning(_ title: String, at location: (file: String, line: Int), _ text: String) -> String {
        let place = ["file=\(SanitizedText(location.file).workflowProperty)", "line=\(location.line)"]
        return command("warning", place, title, text)
    }

    private static func command(_ name: String, _ properties: [String], _ title: String?, _ text: String) -> String {
        var properties = properties
        if let title { properties.append("title=\(SanitizedText(title).workflowProperty)") }
        return "::\(name) \(properties.joined(separator: ","))::\(SanitizedText(lines: text).workflowMessage)"
    }

    /// Limits errors to the number that GitHub displays. If there are more errors, a final error titled `title` states
    /// the number of the remaining errors and, with `rest`, where they are listed.
    static func limited(_ errors: [String], title: String, rest: String) -> [String] {
        guard errors.count > limit else { return errors }
        return errors.prefix(limit) + [error(title, "\(errors.count - limit) more; \(rest)")]
    }
}
