/// How much a decoder takes from somebody else.
package struct JSONLimits: Hashable, Sendable {
    /// What to do with an object that gives a name twice, which RFC 8259, section 4, leaves open.
    package enum Duplicates: Hashable, Sendable {
        case refuse
        /// All are kept, in order; looking one up finds the first.
        case keep
    }

    /// Levels of arrays and objects within each other; a bare value has none. At most ``deepest``.
    package let depth: Int
    /// Bytes of text, white space included.
    package let size: Int
    package let duplicates: Duplicates

    /// Decoding, encoding, comparing and releasing a value recurse once a level: a debug build takes some 2.4 KB of
    /// stack for each, and a thread may have no more than 512 KB in all.
    package static let deepest = 128

    package static let `default` = JSONLimits()

    /// A depth beyond ``deepest`` is lowered to it.
    package init(depth: Int = 64, size: Int = 16 << 20, duplicates: Duplicates = .refuse) {
        self.depth = min(max(depth, 0), JSONLimits.deepest)
        self.size = max(size, 0)
        self.duplicates = duplicates
    }
}
