/// An error in fault terms or addresses. The message explains how to correct the text.
package struct TermError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
