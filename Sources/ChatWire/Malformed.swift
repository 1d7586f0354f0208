/// The error for a text that is not a valid frame, or a body that is not of the expected form.
package struct Malformed: Error, Hashable, Sendable {
    /// One line that names the place, such as `send: conversation_id is missing` or `messages[2].seq is a text, not a
    /// count`.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// The same error with the name of the enclosing field in front.
    func inside(_ outer: String) -> Malformed {
        Malformed("\(outer).\(reason)")
    }
}
