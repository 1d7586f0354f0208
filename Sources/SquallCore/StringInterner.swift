/// Assigns numbers to strings, from 0 in order of first use, so that data about them can be stored in an array instead
/// of a dictionary.
///
/// The type is meant for a few hundred strings that recur often: a lookup hashes eight bytes at a time and compares one
/// entry. Strings are compared by UTF-8, as in ``JSON``. The hash is not keyed, so do not use it for untrusted strings.
package struct StringInterner: Sendable {
    /// A numbered string, as a range of ``bytes``; a `String` would incur reference counting on each access.
    private struct Entry: Sendable {
        let hash: UInt64
        let group: Int
        let start: Int
        let length: Int
    }

    private var entries: [Entry] = []
    /// The UTF-8 of all numbered strings, concatenated.
    private var bytes: [UInt8] = []
    /// A hash table with linear probing: the number of a string plus 1, or 0 for a free slot.
    ///
    /// Its size is a power of two, and at least half of the slots are free.
    private var slots: [Int32] = []
    /// The number that the last lookup returned.
    ///
    /// Strings tend to recur in the same order, so the next number is tried before the table.
    private var latest = -1

    package init() {}

    /// The number of distinct strings, which is also the number that the next new string receives.
    package var count: Int { entries.count }

    /// Returns the number of a string in a group, and assigns one on first use. Numbers are unique across groups.
    package mutating func number(of text: String, in group: Int = 0) -> Int {
        text.withBytes { text in
            if isEntry(latest + 1, text, group) {
                latest += 1
                return latest
            }
            let hash = Self.hash(text, group)
            if let known = find(text, group, hash) {
                latest = known
                return known
            }
            if 2 * (entries.count + 1) > slots.count { grow() }
            entries.append(Entry(hash: hash, group: group, start: bytes.count, length: text.count))
            bytes.append(contentsOf: text)
            occupy(entries.count, hash)
            latest = entries.count - 1
            return latest
        }
    }

    /// Returns the number of a string in a group; nil if it has none yet.
    package func known(_ text: String, in group: Int = 0) -> Int? {
        text.withBytes { find($0, group, Self.hash($0, group)) }
    }

    private func find(_ text: UnsafeBufferPointer<UInt8>, _ group: Int, _ hash: UInt64) -> Int? {
        guard !slots.isEmpty else { return nil }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, isEntry(number, text, group) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func isEntry(_ number: Int, _ text: UnsafeBufferPointer<UInt8>, _ group: Int) -> Bool {
        guard number < entries.count, entries[number].group == group, entries[number].length == text.count else {
            return false
        }
        let start = entries[number].start
        return bytes.withUnsafeBufferPointer { text.hasSameBytes(as: .init(rebasing: $0[start..<start + text.count])) }
    }

    private mutating func occupy(_ mark: Int, _ hash: UInt64) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(mark)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: max(32, 2 * slots.count))
        for number in entries.indices { occupy(number + 1, entries[number].hash) }
    }

    private static func hash(_ text: UnsafeBufferPointer<UInt8>, _ group: Int) -> UInt64 {
        var hasher = FNV1a()
        hasher.combine(UInt64(truncatingIfNeeded: group))
        hasher.combine(UInt64(text.count))
        hasher.combine(text)
        return hasher.value
    }
}
