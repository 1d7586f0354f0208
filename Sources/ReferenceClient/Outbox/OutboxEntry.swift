import SquallCore

/// One of the user's messages, which the server has not confirmed yet.
struct OutboxEntry {
    enum Status {
        /// Waiting for a connection, for earlier messages or for the rate limit. Next: sending.
        case queued
        /// In flight since the given instant. The instant is nil while the message waits only to be written to disk or
        /// for its image to be uploaded. Next: removed when confirmed; failed; queued when the link is lost.
        case sending(since: Instant?)
        /// Rejected, or not confirmed in time. Next: queued by a retry; removed if a late confirmation arrives.
        case failed(canRetry: Bool)
        /// Displayed as sending although it is not being sent; only a planted defect causes this. Next: removed if a
        /// late confirmation arrives.
        case stuck
    }

    /// The client message id: the message's key in the trace, and the idempotency key.
    let key: String
    /// The ID on the wire: the same as ``key`` unless a planted defect generates a new ID for each attempt.
    var wireID: String
    /// The message's label in the scenario; nil if it has none.
    let label: String?
    let conversation: String
    let text: String
    /// The time at which the user sent the message, in milliseconds since 1970 on the phone's clock.
    let createdAt: Int64
    /// The instant at which the user sent the message; nil if an earlier process or the share extension accepted it.
    var acceptedAt: Instant?
    /// The message's position among all messages that the user has sent; part of its key in the store.
    let orderNumber: Int64
    var status = Status.queued
    /// Whether the message is on disk and may therefore be sent.
    var isStored = false
    /// Whether the message could be sent immediately when the user sent it and has not been delayed since, so that it
    /// is not part of a backlog.
    var isFresh = false
    var wasWritten = false
    /// The image of an image message; nil for text.
    var image: OutgoingImage?

    var isBeingSent: Bool {
        if case .sending = status { true } else { false }
    }

    /// Whether the message has an image that must be uploaded before the message can be sent.
    var awaitsUpload: Bool { image.map { $0.url == nil } ?? false }
    /// The user who has sent the message; nil for the default user, who has the client's name. The message is sent only
    /// with this user's credential.
    var owner: String?

    var isWaiting: Bool {
        switch status {
        case .queued, .sending(since: nil): true
        case .sending, .failed, .stuck: false
        }
    }

    var writtenAt: Instant? {
        if case .sending(let since) = status { since } else { nil }
    }

    /// Returns the time since the user sent the message, in whole milliseconds.
    ///
    /// The phone's clock may jump, so it is used only if this process has not accepted the message itself.
    func age(at now: Instant, _ rules: Rules) -> TimeSpan {
        if let acceptedAt, rules.policy.metrics.latency == .byElapsedTime {
            return .milliseconds(now.nanoseconds / 1_000_000 - acceptedAt.nanoseconds / 1_000_000)
        }
        return .milliseconds(max(rules.deviceTime(at: now) &- createdAt, 0))
    }

    var hasFailed: Bool {
        if case .failed = status { true } else { false }
    }
}

// MARK: - Storage

extension OutboxEntry {
    static let storePrefix = "outbox/"

    /// The key in the store, padded so that the keys sort in the order of ``orderNumber``.
    var storeKey: String {
        let digits = String(orderNumber)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    var stored: JSON {
        var stored: JSON = [
            "place": .integer(orderNumber),
            "client_message_id": .string(key),
            "label": label.map { .string($0) } ?? .null,
            "conversation": .string(conversation),
            "text": .string(text),
            "created_at": .integer(createdAt),
        ]
        if case .failed(let canRetry) = status { stored.set("can_retry", to: .bool(canRetry)) }
        if let image { stored.set("image", to: image.stored) }
        if let owner { stored.set("owner", to: .string(owner)) }
        return stored
    }

    /// Restores an entry from disk; it is queued unless it had failed.
    init?(stored: JSON) {
        guard let orderNumber = stored["place"]?.intValue, let key = stored["client_message_id"]?.stringValue,
            let conversation = stored["conversation"]?.stringValue, let text = stored["text"]?.stringValue,
            let createdAt = stored["created_at"]?.intValue
        else { return nil }
        self.key = key
        wireID = key
        label = stored["label"]?.stringValue
        self.conversation = conversation
        self.text = text
        self.createdAt = createdAt
        self.orderNumber = orderNumber
        image = OutgoingImage(stored: stored["image"])
        owner = stored["owner"]?.stringValue
        isStored = true
        if let canRetry = stored["can_retry"]?.boolValue { status = .failed(canRetry: canRetry) }
    }

    init(key: String, label: String?, conversation: String, text: String, createdAt: Int64, orderNumber: Int64) {
        self.key = key
        wireID = key
        self.label = label
        self.conversation = conversation
        self.text = text
        self.createdAt = createdAt
        self.orderNumber = orderNumber
    }
}
