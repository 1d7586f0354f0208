/// An error in fault terms or addresses. The message says what to write instead.
package struct TermError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
