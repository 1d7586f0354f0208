import Foundations

/// What of one conversation the user has not seen.
struct UnreadTally {
    /// A message that this client has counted itself.
    struct Unseen {
        let key: String
        let sequence: Int64
    }

    /// Oldest first.
    private(set) var unseen: [Unseen] = []
    /// Counted, but not known one by one: by the server, or in an earlier life of the app.
    private(set) var others: Int64 = 0
    /// Taken off before the server has agreed.
    var readInAdvance: Int64 = 0
    /// What the last reading took off.
    private var lastTaken: Int64 = 0

    /// Below zero only with a defect.
    var total: Int64 { others + Int64(unseen.count) }

    init() {}

    /// As an earlier life of the app has left it.
    init(stored count: Int64) {
        others = min(max(count, 0), Self.most)
    }

    mutating func add(_ key: String, sequence: Int64) {
        unseen.append(Unseen(key: key, sequence: sequence))
    }

    mutating func add(_ count: Int64) {
        others += count
    }

    /// Takes off all but so many, the newest, and says how many those were.
    ///
    /// `isRepeated` takes off the same number once more, where the reading had been heard of before.
    mutating func read(leaving remaining: Int64, isRepeated: Bool) -> Int64 {
        var taken = max(total - remaining, 0)
        if taken == 0, isRepeated {
            taken = lastTaken
            others -= taken
            return taken
        }
        guard taken > 0 else { return 0 }
        unseen.removeFirst(max(unseen.count - Int(clamping: remaining), 0))
        others = max(remaining, 0) - Int64(unseen.count)
        lastTaken = taken
        return taken
    }

    /// A message is none to be read any more; so many of others are newer.
    mutating func remove(_ key: String, leaving behind: Int64) {
        if let place = unseen.firstIndex(where: { $0.key == key }) {
            unseen.remove(at: place)
        } else if others > 0, behind < total {
            others -= 1
        }
    }

    /// What is unread among the messages up to a sequence.
    func total(through sequence: Int64?) -> Int64 {
        guard let sequence else { return total }
        return total - Int64(unseen.count { $0.sequence > sequence })
    }

    /// One less, whatever there is.
    mutating func takeOffOne() {
        others -= 1
    }

    /// More than anybody has: what a server counts beyond it is no count.
    private static let most: Int64 = 1_000_000_000

    /// The server has counted so many among the messages up to a sequence.
    mutating func counted(_ said: Int64, through sequence: Int64?) {
        let count = min(max(said, 0), Self.most)
        let later = sequence.map { sequence in unseen.filter { $0.sequence > sequence } } ?? []
        let earlier = unseen.dropLast(later.count).suffix(Int(clamping: count))
        others = count - Int64(earlier.count)
        unseen = earlier + later
    }
}
