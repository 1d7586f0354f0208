import SquallCore

/// What of one conversation the user has not seen.
///
/// Counts are bounded, so that no sum of them overflows, whatever a server has said or a disk has kept.
struct UnreadTally {
    /// A message that this client has counted itself.
    struct ClientVisibility {
        let key: String
        let sequence: Int64
    }

    /// Oldest first.
    private(set) var unseen: [ClientVisibility] = []
    /// Counted, but not known one by one: by the server, or in an earlier life of the app.
    private(set) var others: Int64 = 0
    /// Up to where the server has counted.
    private var countedThrough: Int64?
    /// Taken off before the server has agreed.
    var readInAdvance: Int64 = 0
    /// What was read since the last page, and is not known one by one.
    private var readByNumber: Int64 = 0
    /// What the last reading took off.
    private var lastTaken: Int64 = 0

    /// Below zero only with a defect.
    var total: Int64 { others + Int64(unseen.count) }

    /// More than anybody has unread; what is said beyond counts as this.
    static let most: Int64 = 1_000_000_000

    static func bounded(_ count: Int64) -> Int64 { min(max(count, 0), most) }

    init() {}

    /// As an earlier life of the app has left it.
    init(stored count: Int64) {
        others = Self.bounded(count)
    }

    /// A message has come: where the server's count has overtaken it, it is one of those already.
    mutating func add(_ key: String, sequence: Int64) {
        if let countedThrough, sequence <= countedThrough, others > 0 { others -= 1 }
        let place = unseen.firstIndex { $0.sequence > sequence } ?? unseen.endIndex
        unseen.insert(ClientVisibility(key: key, sequence: sequence), at: place)
    }

    mutating func add(_ count: Int64) {
        others = min(others + Self.bounded(count), Self.most)
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
        let known = others
        others = max(remaining, 0) - Int64(unseen.count)
        readByNumber = Self.bounded(readByNumber + max(known - others, 0))
        lastTaken = taken
        return taken
    }

    /// How many of those that were read since this was asked last are not known one by one.
    mutating func takeReadByNumber() -> Int64 {
        defer { readByNumber = 0 }
        return readByNumber
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

    /// The server has counted so many among the messages up to a sequence.
    mutating func counted(_ said: Int64, through sequence: Int64?) {
        let count = Self.bounded(said)
        countedThrough = sequence ?? countedThrough
        let later = sequence.map { sequence in unseen.filter { $0.sequence > sequence } } ?? []
        let earlier = unseen.dropLast(later.count).suffix(Int(clamping: count))
        others = count - Int64(earlier.count)
        unseen = earlier + later
    }
}
