/// An error in fault terms or addresses. The message describes the valid syntax.
package struct TermError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
