/// The member names read so far in an object, used to detect duplicates.
///
/// Small objects use a 64-bit filter and a few comparisons. Large ones use a set, so that hostile input cannot cause a
/// quadratic number of comparisons.
struct JSONNames {
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { left.text.hasSameBytes(as: right.text) }

        func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    }

    private static let comparedAtMost = 32

    private var seen: UInt64 = 0
    private var many: Set<Name> = []

    /// Returns a cheap hash of a name.
    @inline(__always)
    static func fingerprint(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let first = bytes.first, let last = bytes.last else { return 0 }
        let mixed = UInt64(first) &* 7 ^ UInt64(last) &* 13 ^ UInt64(bytes[bytes.count / 2]) &* 29
        return mixed ^ UInt64(bytes.count)
    }

    /// Adds a name; returns `false` if one of `members` already has the name.
    mutating func insert(_ name: String, _ fingerprint: UInt64, into members: [JSONMember]) -> Bool {
        guard members.count < JSONNames.comparedAtMost else {
            if many.isEmpty { many = Set(members.map { Name(text: $0.name) }) }
            return many.insert(Name(text: name)).inserted
        }
        let bit: UInt64 = 1 << (fingerprint & 63)
        defer { seen |= bit }
        return seen & bit == 0 || !members.contains { $0.name.hasSameBytes(as: name) }
    }
}
