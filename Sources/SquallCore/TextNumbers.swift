/// Numbers texts from 0 in the order of their first coming, so that what is known of each lies in an array and not in a
/// dictionary.
///
/// For texts that come up again and again, a few hundred in a run: a lookup is a hash of eight bytes at a time and one
/// comparison. Texts are told apart by their UTF-8, as ``JSON`` does. The hash has no secret: what strangers choose the
/// texts of does not belong in here.
package struct TextNumbers: Sendable {
    /// Holds no text: to look at one of those counts its users.
    private struct Entry: Sendable {
        let hash: UInt64
        let group: Int
        let start: Int
        let length: Int
    }

    private var entries: [Entry] = []
    /// The texts' UTF-8, one behind the other.
    private var bytes: [UInt8] = []
    /// By hash, in a row from there where several share it: a number and one more; 0 where there is none. Their count is a
    /// power of two, and more than half of them are free.
    private var slots: [Int32] = []
    /// The number that was asked for last: texts come in the same rows again and again, and after one mostly comes the one
    /// that was new after it.
    private var latest = -1

    package init() {}

    /// How many have come: the number of the next new one.
    package var count: Int { entries.count }

    /// The text's number among those of its group, which all groups share; a new one where it comes for the first time.
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

    /// Nil for a text that has not come yet.
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
