import SquallCore

/// The unread count of one conversation.
///
/// Counts are bounded, so that their sum cannot overflow, whatever values the server sends or the disk contains.
struct UnreadTally {
    /// An unread message that this client has counted itself.
    struct UnseenMessage {
        let key: String
        let sequence: Int64
    }

    /// The unread messages that the client has counted itself, oldest first.
    private(set) var unseen: [UnseenMessage] = []
    /// The number of other unread messages: those counted by the server or by an earlier process.
    private(set) var others: Int64 = 0
    /// The server-assigned IDs of the messages that are known only from a push, until they arrive.
    private(set) var pushed: Set<String> = []
    /// The sequence number up to which the server's last count applies; nil until the server has sent a count with a
    /// sequence number.
    private(set) var countedThrough: Int64?
    /// The number subtracted from the count for a mark-read request that the server has not confirmed yet.
    var readInAdvance: Int64 = 0
    /// The number of messages in ``others`` that were read since the last call to ``takeReadByNumber()``.
    private var readByNumber: Int64 = 0
    /// The number that the last call to ``read(leaving:isUpToPushes:isRepeated:)`` subtracted from the count.
    private var lastTaken: Int64 = 0

    /// The unread count; below zero only with a planted defect.
    var total: Int64 { arrived + Int64(pushed.count) }

    /// The unread count, excluding messages that are known only from a push. The server counts those once the client is
    /// connected again.
    var arrived: Int64 { others + Int64(unseen.count) }

    /// The maximum count; larger counts are clamped to it.
    static let most: Int64 = 1_000_000_000

    static func bounded(_ count: Int64) -> Int64 { min(max(count, 0), most) }

    init() {}

    /// Restores a count that an earlier process has stored.
    init(_ stored: JSON) {
        others = Self.bounded(stored["count"]?.intValue ?? 0)
        countedThrough = stored["through"]?.intValue
        pushed = Set(stored["pushed"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }

    /// Stores the count.
    func store(as key: String, _ step: inout Step) {
        guard total > 0 else { return step.store(key, nil) }
        let through = self.through.map(JSON.integer) ?? .null
        let pushed = pushed.sorted().map(JSON.string)
        step.store(key, ["count": .integer(arrived), "through": through, "pushed": .array(pushed)])
    }

    /// The sequence number up to which ``arrived`` counts; nil if none is known.
    var through: Int64? {
        guard let newest = unseen.last?.sequence, newest < .max else { return countedThrough }
        return max(newest, countedThrough ?? newest)
    }

    /// The sequence number of the newest unread message; nil if it is not known, as for a message that is known only
    /// from a push.
    var newest: Int64? { pushed.isEmpty && unseen.last?.sequence != .max ? through : nil }

    /// Counts a message; a message that the server's count already includes moves from ``others`` to ``unseen``.
    mutating func add(_ key: String, sequence: Int64) {
        if let countedThrough, sequence <= countedThrough, others > 0 { others -= 1 }
        let index = unseen.firstIndex { $0.sequence > sequence } ?? unseen.endIndex
        unseen.insert(UnseenMessage(key: key, sequence: sequence), at: index)
    }

    /// Adds `count` unread messages whose keys and sequence numbers are unknown.
    mutating func add(_ count: Int64) {
        others = min(others + Self.bounded(count), Self.most)
    }

    /// Counts a message that is known only from a push.
    mutating func add(pushed id: String) {
        pushed.insert(id)
    }

    /// Stops counting a message that was known only from a push, because it has arrived.
    mutating func remove(pushed id: String) {
        pushed.remove(id)
    }

    /// Stops counting all messages that are known only from a push.
    mutating func forgetPushed() {
        pushed = []
    }

    /// Subtracts all but the newest `remaining` messages; returns the number subtracted.
    ///
    /// If `isUpToPushes` is true, the messages that are known only from a push stay unread, in addition to the
    /// `remaining` ones. If nothing is left to subtract and `isRepeated` is true, subtracts the most recently
    /// subtracted number again. Only a planted defect sets `isRepeated`.
    mutating func read(leaving remaining: Int64, isUpToPushes: Bool, isRepeated: Bool) -> Int64 {
        var taken = max((isUpToPushes ? arrived : total) - remaining, 0)
        if taken == 0, isRepeated {
            taken = lastTaken
            others -= taken
            return taken
        }
        guard taken > 0 else { return 0 }
        unseen.removeFirst(max(unseen.count - Int(clamping: remaining), 0))
        var known = others
        if !isUpToPushes {
            known += Int64(pushed.count)
            pushed = []
        }
        others = max(remaining, 0) - Int64(unseen.count)
        readByNumber = Self.bounded(readByNumber + max(known - others, 0))
        lastTaken = taken
        return taken
    }

    /// Returns how many of the messages counted in ``others`` were read since the last call.
    mutating func takeReadByNumber() -> Int64 {
        defer { readByNumber = 0 }
        return readByNumber
    }

    /// Stops counting a message; `behind` is the number of newer messages from other users.
    mutating func remove(_ key: String, leaving behind: Int64) {
        if let index = unseen.firstIndex(where: { $0.key == key }) {
            unseen.remove(at: index)
        } else if others > 0, behind < arrived {
            // The newest messages are the unread ones, so this message is unread if the number of newer messages is
            // below the unread total.
            others -= 1
        }
    }

    /// Returns the number of unread messages up to `sequence`, or of all unread messages if `sequence` is nil.
    func total(through sequence: Int64?) -> Int64 {
        guard let sequence else { return arrived }
        return arrived - Int64(unseen.count { $0.sequence > sequence })
    }

    /// Keeps the count but drops the sequence numbers, because the server numbers its messages from 1 again.
    mutating func forgetSequences() {
        (others, unseen, countedThrough) = (arrived, [], nil)
    }

    /// Subtracts one, even from zero; called only with a planted defect.
    mutating func takeOffOne() {
        others -= 1
    }

    /// Replaces the count with the server's count up to a sequence number, plus the client's own count of later
    /// messages.
    mutating func counted(_ said: Int64, through sequence: Int64?) {
        let count = Self.bounded(said)
        countedThrough = sequence ?? countedThrough
        let later = sequence.map { sequence in unseen.filter { $0.sequence > sequence } } ?? []
        let earlier = unseen.dropLast(later.count).suffix(Int(clamping: count))
        others = count - Int64(earlier.count)
        unseen = earlier + later
    }
}
