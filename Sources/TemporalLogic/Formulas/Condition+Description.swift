package import SquallCore

extension EventPattern {
    /// Returns the pattern as shown in failure messages, such as `anna.client.backoff.began[hello]#3`.
    ///
    /// `client` is the client that ``ClientSelector/each`` refers to.
    package func text(for client: ClientID?) -> String {
        var text = name
        if let client = self.client.resolved(for: client), client != .only { text = "\(client).\(text)" }
        if let key { text += "[\(key)]" }
        if let ordinal { text += "#\(ordinal)" }
        guard !fields.isEmpty else { return text }
        let parts = fields.map { "\($0.name) \($0.predicate.describe(for: client))" }
        return "\(text) with \(parts.joined(separator: " and "))"
    }
}

extension StateCondition {
    /// Returns the state as shown in failure messages, such as `connection.state connected and outbox.count 0`.
    ///
    /// `client` is the client that ``ClientSelector/each`` refers to.
    package func text(for client: ClientID?) -> String {
        levels.map { "\($0.observable.text(for: client)) \($0.predicate.describe(for: client))" }
            .joined(separator: " and ")
    }
}

extension Condition {
    package func text(for client: ClientID?) -> String {
        var text = event?.text(for: client) ?? ""
        if !state.levels.isEmpty {
            let levels = state.text(for: client)
            text = event == nil ? levels : "\(text) while \(levels)"
        }
        return offset == .zero ? text : "\(text) + \(offset)"
    }
}
