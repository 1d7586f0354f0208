/// Text from the other side that is no frame, or not the body that was asked for.
package struct Malformed: Error, Hashable, Sendable {
    /// One line that names the place: `send: conversation_id is missing`, `messages[2].seq is a text, not a count`.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// The same trouble seen from the object around it.
    func inside(_ outer: String) -> Malformed {
        Malformed("\(outer).\(reason)")
    }
}
