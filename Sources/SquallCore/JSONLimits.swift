/// The decoder's limits for untrusted input.
package struct JSONLimits: Hashable, Sendable {
    /// The handling of duplicate names in an object, which RFC 8259 section 4 leaves open.
    package enum Duplicates: Hashable, Sendable {
        case refuse
        /// Keeps all members in order; a lookup returns the first one with the name.
        case keep
    }

    /// The maximum nesting depth of arrays and objects, from 0 (neither is allowed) to ``deepest``.
    package let depth: Int
    /// The maximum length of the text in bytes, including white space.
    package let size: Int
    package let duplicates: Duplicates

    /// The largest possible ``depth``.
    ///
    /// Decoding, encoding, comparing and releasing a value are recursive. A debug build needs about 2.4 KB of stack for
    /// each level, and a thread may have only 512 KB.
    package static let deepest = 128

    package static let `default` = JSONLimits()

    /// Creates limits; a depth above ``deepest`` is reduced to it.
    package init(depth: Int = 64, size: Int = 16 << 20, duplicates: Duplicates = .refuse) {
        self.depth = min(max(depth, 0), JSONLimits.deepest)
        self.size = max(size, 0)
        self.duplicates = duplicates
    }
}
