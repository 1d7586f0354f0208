/// The error for text that is not a valid frame, or for a body that does not have the expected form.
package struct Malformed: Error, Hashable, Sendable {
    /// A one-line description with the location, such as `send: conversation_id is missing` or `messages[2].seq is a
    /// text, not a count`.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// Returns the same error with the enclosing field's name prefixed to its location.
    func inside(_ outer: String) -> Malformed {
        Malformed("\(outer).\(reason)")
    }
}
