import ChatWire
import SquallCore

/// What was read, and the server does not know: receipts for single messages, and readings of whole conversations.
///
/// What has to wait for a way to the server is on disk, so that a kill does not undo what the user has done.
struct PendingReads {
    private struct Receipt {
        let conversation: String
        /// By the server's id.
        let message: String
        /// It goes as soon as the disk has what was read.
        var isLeaving = false
    }

    private let policy: UnreadPolicy
    private let retry: TimeSpan
    /// In the order in which the messages were read.
    private var receipts: [Receipt] = []
    /// The messages of receipts on disk, by their conversations.
    private var receiptsOnDisk: [String: String] = [:]
    /// Whole conversations, in the order in which they were read.
    private var readings: [String] = []
    /// The reading that is on its way.
    private var asked: String?
    /// When a reading that failed goes again.
    private(set) var deadline: Instant?

    private static let receiptPrefix = "receipt/"
    private static let readingPrefix = "reading/"

    init(_ rules: Rules, store: StoreImage) {
        policy = rules.policy.unread
        retry = max(rules.profile.unread.retry, .milliseconds(1))
        readings = Self.readings(in: store).map(\.conversation)
        for entry in store.entries where entry.key.hasPrefix(Self.receiptPrefix) {
            guard let message = entry.value.stringValue else { continue }
            let conversation = String(entry.key.dropFirst(Self.receiptPrefix.count))
            receipts.append(Receipt(conversation: conversation, message: message))
            receiptsOnDisk[conversation] = message
        }
    }

    /// The readings that an earlier life has left, and how much each had taken off in advance.
    static func readings(in store: StoreImage) -> [(conversation: String, taken: Int64)] {
        store.entries.filter { $0.key.hasPrefix(readingPrefix) }
            .map { (String($0.key.dropFirst(readingPrefix.count)), $0.value.intValue ?? 0) }
    }

    /// Whether the server still counts what the user has read.
    func contains(_ conversation: String) -> Bool {
        conversation == asked || readings.contains(conversation)
            || receipts.contains { $0.conversation == conversation }
    }

    // MARK: - What was read

    /// A receipt speaks for all messages before its own.
    mutating func owe(receiptFor message: Message) {
        guard let id = message.id else { return }
        receipts.removeAll { $0.conversation == message.conversation && !$0.isLeaving }
        receipts.append(Receipt(conversation: message.conversation, message: id))
    }

    /// `taken` is what is taken off the count before the server has agreed.
    mutating func owe(readingOf conversation: String, taken: Int64, _ step: inout Step) {
        step.store(Self.readingPrefix + conversation, .integer(taken))
        if !readings.contains(conversation) { readings.append(conversation) }
        // What the user does now need not wait for what has failed before.
        deadline = nil
    }

    // MARK: - To the server

    /// The server can be reached again.
    mutating func connected() { deadline = nil }

    mutating func timer(at now: Instant) {
        if let due = deadline, due <= now { deadline = nil }
    }

    /// Tells the server, as soon as there is a way.
    mutating func emit(over channel: Outbox.Channel, _ step: inout Step) {
        if !receipts.isEmpty { sendReceipts(over: channel, &step) }
        guard channel != .none, deadline == nil, asked == nil, !readings.isEmpty else { return }
        // One at a time; the next goes when this one is answered.
        let reading = readings.removeFirst()
        asked = reading
        step.emit(.ask(.markRead(conversation: reading)))
    }

    private mutating func sendReceipts(over channel: Outbox.Channel, _ step: inout Step) {
        let areLost = policy.receipts == .areLost && channel != .socket
        if areLost || policy.receipts == .areNeverSent { return receipts = [] }
        guard channel == .socket else { return keepReceipts(&step) }
        for place in receipts.indices where !receipts[place].isLeaving {
            receipts[place].isLeaving = true
            step.onceStored(.receipt(messageID: receipts[place].message))
        }
    }

    /// What cannot go now survives a kill.
    private mutating func keepReceipts(_ step: inout Step) {
        var latest: Set<String> = []
        var kept: [Receipt] = []
        for var receipt in receipts.reversed() where latest.insert(receipt.conversation).inserted {
            receipt.isLeaving = false
            kept.append(receipt)
        }
        receipts = kept.reversed()
        for receipt in receipts where receiptsOnDisk[receipt.conversation] != receipt.message {
            receiptsOnDisk[receipt.conversation] = receipt.message
            step.store(Self.receiptPrefix + receipt.conversation, .string(receipt.message))
        }
    }

    /// The disk has what was read. `canLeave`: the connection for which the receipt was meant is still there, and takes it.
    mutating func stored(receiptFor message: String, canLeave: Bool, _ step: inout Step) {
        guard let place = receipts.firstIndex(where: { $0.message == message && $0.isLeaving }) else { return }
        guard canLeave else {
            receipts[place].isLeaving = false
            return
        }
        let receipt = receipts.remove(at: place)
        if receiptsOnDisk.removeValue(forKey: receipt.conversation) != nil {
            step.store(Self.receiptPrefix + receipt.conversation, nil)
        }
        step.emit(.say(.readReceipt(conversation: receipt.conversation, messageID: message)))
    }

    /// The server has taken a reading, or (`isGood` false) could not be told.
    ///
    /// True where nothing more is to be told of that conversation.
    mutating func answered(_ conversation: String, isGood: Bool, _ step: inout Step) -> Bool {
        guard conversation == asked else { return false }
        asked = nil
        let isOwedAgain = readings.contains(conversation)
        guard isGood || policy.readFailure == .isForgotten else {
            if !isOwedAgain { readings.insert(conversation, at: 0) }
            deadline = step.now + retry
            return false
        }
        guard !isOwedAgain else { return false }
        step.store(Self.readingPrefix + conversation, nil)
        return true
    }
}
