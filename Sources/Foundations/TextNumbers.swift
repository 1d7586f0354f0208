/// Numbers texts from 0 in the order of their first coming, so that what is known of each lies in an array and not in a
/// dictionary.
///
/// For texts that come up again and again, a few hundred in a run: a lookup is a hash of eight bytes at a time and one
/// comparison. Texts are told apart by their UTF-8, as ``JSON`` does. The hash has no secret: what strangers choose the
/// texts of does not belong in here.
package struct TextNumbers: Sendable {
    private struct Entry: Sendable {
        let text: String
        let group: Int
        let hash: UInt64
    }

    private var entries: [Entry] = []
    /// By hash, in a row from there where several share it: a number and one more; 0 where there is none. Their count is a
    /// power of two, and more than half of them are free.
    private var slots: [Int32] = []

    package init() {}

    /// How many have come: the number of the next new one.
    package var count: Int { entries.count }

    /// The text's number among those of its group, which all groups share; a new one where it comes for the first time.
    package mutating func number(of text: String, in group: Int = 0) -> Int {
        let hash = Self.hash(text, group)
        if let known = find(text, group, hash) { return known }
        if 2 * (entries.count + 1) > slots.count { grow() }
        entries.append(Entry(text: text, group: group, hash: hash))
        occupy(entries.count, hash)
        return entries.count - 1
    }

    /// Nil for a text that has not come yet.
    package func known(_ text: String, in group: Int = 0) -> Int? {
        find(text, group, Self.hash(text, group))
    }

    private func find(_ text: String, _ group: Int, _ hash: UInt64) -> Int? {
        guard !slots.isEmpty else { return nil }
        // Seen where they lie: a copy of a text, however short, counts its users.
        return entries.withUnsafeBufferPointer { entries in
            let mask = slots.count - 1
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] != 0 {
                let number = Int(slots[slot]) - 1
                if entries[number].hash == hash, entries[number].group == group,
                    entries[number].text.hasSameBytes(as: text)
                {
                    return number
                }
                slot = (slot + 1) & mask
            }
            return nil
        }
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

    private static func hash(_ text: String, _ group: Int) -> UInt64 {
        var hasher = FNV1a()
        hasher.combine(UInt64(truncatingIfNeeded: group))
        hasher.combine(text)
        return hasher.value
    }
}
