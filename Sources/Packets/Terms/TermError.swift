/// Why a text is not what a line can be told, in words that end in the way out.
package struct TermError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
