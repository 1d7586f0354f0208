import ChatWire
import SquallCore

/// Owns the read reports that the server has not confirmed: read receipts and mark-read requests.
///
/// A read receipt is a frame for a single message; a mark-read request is an HTTP request for a whole conversation. A
/// report stays on disk until the server is known to have received it, so that no report is lost if the process is
/// killed while the report waits for a connection or after it was written to a dead one.
struct PendingReads {
    private struct Receipt {
        let conversation: String
        /// The server-assigned ID of the newest message that was read.
        let message: String
        /// The message's sequence number; nil if the server has not sent one.
        let sequence: Int64?
        /// Whether the receipt is sent as soon as it is on disk.
        var isLeaving = false
    }

    private struct Reading {
        let conversation: String
        /// The sequence number of the newest message that the user has read; nil for all messages that the server has.
        let through: Int64?

        /// Returns one request that covers what both cover.
        func merged(with other: Reading) -> Reading {
            let newest = through.flatMap { through in other.through.map { max(through, $0) } }
            return Reading(conversation: conversation, through: newest)
        }
    }

    private let policy: UnreadPolicy
    private let retry: TimeSpan
    /// The receipts sent on the current link, each with the time at which it was sent. The protocol does not
    /// acknowledge receipts.
    private var sent: [(receipt: Receipt, at: Instant)] = []
    /// The receipts to send, in the order in which the messages were read.
    private var receipts: [Receipt] = []
    /// The highest sequence number, by conversation, that the server counts as read or will count as read once it
    /// receives the pending receipts.
    private var newest: [String: Int64] = [:]
    /// The message IDs of the receipts on disk, by conversation.
    private var receiptsOnDisk: [String: String] = [:]
    /// The message IDs of the receipts for which a mark-read request was added while the client polled, by
    /// conversation.
    private var receiptsRequested: [String: String] = [:]
    /// The mark-read requests that have not been sent yet, at most one for each conversation, in the order in which the
    /// user read the conversations.
    private var readings: [Reading] = []
    /// The mark-read request in flight; nil if there is none.
    private var asked: Reading?
    /// The instant at which a failed mark-read request is retried; nil for no delay.
    private(set) var deadline: Instant?

    private static let receiptPrefix = "receipt/"
    private static let readingPrefix = "reading/"
    private static let newestPrefix = "read/"

    init(_ rules: Rules, store: StoreImage) {
        policy = rules.policy.unread
        retry = max(rules.profile.unread.retry, .milliseconds(1))
        readings = Self.readings(in: store).map { Reading(conversation: $0.conversation, through: $0.through) }
        for entry in store.entries where entry.key.hasPrefix(Self.newestPrefix) {
            newest[String(entry.key.dropFirst(Self.newestPrefix.count))] = entry.value.intValue
        }
        for entry in store.entries where entry.key.hasPrefix(Self.receiptPrefix) {
            guard let message = entry.value["message"]?.stringValue else { continue }
            let conversation = String(entry.key.dropFirst(Self.receiptPrefix.count))
            let sequence = entry.value["sequence"]?.intValue
            receipts.append(Receipt(conversation: conversation, message: message, sequence: sequence))
            if let sequence { read(through: sequence, in: conversation) }
            receiptsOnDisk[conversation] = message
        }
    }

    /// Returns the mark-read requests of an earlier process that were never confirmed.
    ///
    /// `taken` is the number that was already subtracted from the conversation's unread count. `through` is the
    /// sequence number of the newest message that the user has read; nil if the request covers the whole conversation.
    static func readings(in store: StoreImage) -> [(conversation: String, through: Int64?, taken: Int64)] {
        store.entries.filter { $0.key.hasPrefix(readingPrefix) }.map { entry in
            let conversation = String(entry.key.dropFirst(readingPrefix.count))
            return (conversation, entry.value["through"]?.intValue, entry.value["taken"]?.intValue ?? 0)
        }
    }

    /// Returns whether read reports for this conversation are pending, so that the server's count is out of date.
    func contains(_ conversation: String) -> Bool {
        !requests(for: conversation).isEmpty || receipts.contains { $0.conversation == conversation }
    }

    /// Returns whether a pending mark-read request covers the messages up to `newest`, or all messages if it is nil.
    func requestsReading(of conversation: String, through newest: Int64?) -> Bool {
        requests(for: conversation).contains { request in
            request.through.map { through in newest.map { $0 <= through } ?? false } ?? true
        }
    }

    private func requests(for conversation: String) -> [Reading] {
        (readings + (asked.map { [$0] } ?? [])).filter { $0.conversation == conversation }
    }

    // MARK: - New reports

    /// Adds a receipt for a message. It replaces a receipt that has not been sent, because a receipt covers all earlier
    /// messages.
    ///
    /// A message that arrives after newer ones, for example when a gap is filled, is already covered by their receipt.
    /// Receipts are repeated only with a planted defect.
    mutating func add(receiptFor message: Message, isRepeated: Bool = false) {
        guard let id = message.id, isRepeated || !covers(message) else { return }
        if let sequence = message.sequence { read(through: sequence, in: message.conversation) }
        receipts.removeAll { $0.conversation == message.conversation && !$0.isLeaving }
        receipts.append(Receipt(conversation: message.conversation, message: id, sequence: message.sequence))
    }

    /// Adds a mark-read request.
    ///
    /// The server may receive the request much later, and then must not count messages as read that have arrived since,
    /// so the request says how far the user has read.
    ///
    /// - Parameters:
    ///   - through: The sequence number of the newest message that the user has read; nil if it is not known, so that
    ///     the request covers all messages that the server has.
    ///   - taken: The number already subtracted from the conversation's unread count.
    mutating func add(readingOf conversation: String, through: Int64?, taken: Int64, _ step: inout Step) {
        var reading = Reading(conversation: conversation, through: policy.reading == .coversAll ? nil : through)
        if policy.requests == .areMerged,
            let index = readings.firstIndex(where: { $0.conversation == conversation })
        {
            reading = readings[index].merged(with: reading)
            readings[index] = reading
        } else {
            readings.append(reading)
        }
        step.store(
            Self.readingPrefix + conversation,
            ["taken": .integer(taken), "through": reading.through.map(JSON.integer) ?? .null]
        )
        // A new request does not wait for the retry delay of a failed request.
        deadline = nil
    }

    /// Adds mark-read requests for receipts that cannot be sent until the next WebSocket connection, because the client
    /// polls.
    ///
    /// A request covers the whole conversation, so it is added only for conversations that are not in `unread`, and
    /// only for receipts that are on disk. The receipt stays queued and is also sent over the next WebSocket, where it
    /// has no effect if the request has succeeded.
    mutating func requestReadings(except unread: Set<String>, _ step: inout Step) {
        for receipt in receipts where !unread.contains(receipt.conversation) {
            guard receiptsOnDisk[receipt.conversation] == receipt.message,
                receiptsRequested[receipt.conversation] != receipt.message
            else { continue }
            receiptsRequested[receipt.conversation] = receipt.message
            guard !readings.contains(where: { $0.conversation == receipt.conversation }) else { continue }
            add(readingOf: receipt.conversation, through: receipt.sequence, taken: 0, &step)
        }
    }

    // MARK: - Sending

    /// Ends the retry delay, because a connection has been established.
    mutating func connected() { deadline = nil }

    mutating func timer(at now: Instant) {
        if let due = deadline, due <= now { deadline = nil }
    }

    /// Sends the receipts and the next mark-read request if there is a connection.
    mutating func emit(over channel: Outbox.Channel, _ step: inout Step) {
        if !receipts.isEmpty { sendReceipts(over: channel, &step) }
        guard channel != .none, deadline == nil, asked == nil, !readings.isEmpty else { return }
        // Only one mark-read request is in flight at a time; the others wait for its response.
        let reading = readings.removeFirst()
        asked = reading
        step.emit(.ask(.markRead(conversation: reading.conversation, through: reading.through)))
    }

    private mutating func sendReceipts(over channel: Outbox.Channel, _ step: inout Step) {
        let areLost = policy.receipts == .areLost && channel != .socket
        if areLost || policy.receipts == .areNeverSent { return receipts = [] }
        guard channel == .socket else { return keepReceipts(&step) }
        let leaving = receipts.filter { !$0.isLeaving }.map(\.message)
        for index in receipts.indices { receipts[index].isLeaving = true }
        for message in leaving {
            if policy.receipts == .precedeTheStore {
                stored(receiptFor: message, canLeave: true, &step)
            } else {
                step.onceStored(.receipt(messageID: message))
            }
        }
        if policy.receipts != .precedeTheStore { writeReceipts(&step) }
    }

    /// Keeps only the newest receipt for each conversation, because receipts cannot be sent now.
    private mutating func keepReceipts(_ step: inout Step) {
        var latest: Set<String> = []
        var kept: [Receipt] = []
        for var receipt in receipts.reversed() where latest.insert(receipt.conversation).inserted {
            receipt.isLeaving = false
            kept.append(receipt)
        }
        receipts = kept.reversed()
        writeReceipts(&step)
    }

    private mutating func writeReceipts(_ step: inout Step) {
        for receipt in receipts where receiptsOnDisk[receipt.conversation] != receipt.message {
            receiptsOnDisk[receipt.conversation] = receipt.message
            let sequence = receipt.sequence.map(JSON.integer) ?? .null
            step.store(
                Self.receiptPrefix + receipt.conversation,
                ["message": .string(receipt.message), "sequence": sequence]
            )
        }
    }

    /// Handles a receipt that is now on disk: sends it if `canLeave`, that is, if the connection for which it was
    /// queued is still live; otherwise the receipt stays queued.
    mutating func stored(receiptFor message: String, canLeave: Bool, _ step: inout Step) {
        guard let index = receipts.firstIndex(where: { $0.message == message && $0.isLeaving }) else { return }
        guard canLeave else {
            receipts[index].isLeaving = false
            return
        }
        let receipt = receipts.remove(at: index)
        sent.removeAll { $0.receipt.conversation == receipt.conversation }
        sent.append((receipt, step.now))
        step.emit(.say(.readReceipt(conversation: receipt.conversation, messageID: message)))
    }

    /// Removes the receipts that the server has received, that is, those sent before `time`.
    mutating func proven(until time: Instant, _ step: inout Step) {
        for (receipt, sentAt) in sent where sentAt < time {
            // A newer receipt for the conversation may have replaced this receipt on disk.
            guard receiptsOnDisk[receipt.conversation] == receipt.message else { continue }
            receiptsOnDisk[receipt.conversation] = nil
            step.store(Self.receiptPrefix + receipt.conversation, nil)
            storeNewest(in: receipt.conversation, &step)
        }
        sent.removeAll { $0.at < time }
    }

    /// Requeues the receipts that may have been lost with the link: those sent at or after `provenUntil`.
    ///
    /// The server has received everything that was sent before `provenUntil`. If `provenUntil` is nil, the server may
    /// have received nothing.
    mutating func linkLost(provenUntil: Instant?) {
        defer { sent = [] }
        guard policy.receipts != .areLost else { return }
        for (var receipt, time) in sent where provenUntil.map({ time >= $0 }) ?? true {
            guard !receipts.contains(where: { $0.conversation == receipt.conversation }) else { continue }
            receipt.isLeaving = false
            receipts.append(receipt)
        }
    }

    /// Returns whether the server counts the message as read, or will once it receives the pending receipts.
    func covers(_ message: Message) -> Bool {
        guard let sequence = message.sequence, let reached = newest[message.conversation] else { return false }
        return sequence <= reached
    }

    /// Records that the server counts the messages up to this sequence number as read.
    mutating func read(through sequence: Int64, in conversation: String) {
        newest[conversation] = max(sequence, newest[conversation] ?? sequence)
    }

    /// Writes to disk the highest sequence number that the server counts as read. A message below that number may reach
    /// only a later process, which must not count the message as unread.
    func storeNewest(in conversation: String, _ step: inout Step) {
        step.store(Self.newestPrefix + conversation, newest[conversation].map(JSON.integer))
    }

    mutating func forgetSequences(_ step: inout Step) {
        for conversation in newest.keys.sorted() { step.store(Self.newestPrefix + conversation, nil) }
        newest = [:]
        readings = readings.map { Reading(conversation: $0.conversation, through: nil) }
        asked = asked.map { Reading(conversation: $0.conversation, through: nil) }
    }

    /// Returns the highest sequence number that the server counts as read, or will count as read once it receives the
    /// pending receipts; nil if no message is known to be read.
    func newestRead(in conversation: String) -> Int64? { newest[conversation] }

    /// Handles the end of a mark-read request. If `isGood` is false, the server has not accepted the request, so it is
    /// retried later.
    ///
    /// - Returns: Whether the conversation has no further mark-read request pending.
    mutating func answered(_ conversation: String, isGood: Bool, _ step: inout Step) -> Bool {
        guard let ended = asked, ended.conversation == conversation else { return false }
        asked = nil
        let next = readings.firstIndex { $0.conversation == conversation }
        guard isGood || policy.readFailure == .isForgotten else {
            if let next { readings[next] = readings[next].merged(with: ended) } else { readings.insert(ended, at: 0) }
            deadline = step.now + retry
            return false
        }
        guard next == nil else { return false }
        step.store(Self.readingPrefix + conversation, nil)
        return true
    }
}
