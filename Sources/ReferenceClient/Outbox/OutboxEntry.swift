import SquallCore

/// A message of the user that the server has not confirmed.
struct OutboxEntry {
    enum Status {
        /// Waits for a connection, its turn or a limit. Next: sending.
        case queued
        /// On the wire since then; nil while only the disk is waited for. Next: gone when confirmed, failed, or queued
        /// again when the link dies.
        case sending(since: Instant?)
        /// Refused, or not confirmed in time. Next: queued by a retry; gone, too, if the confirmation comes late.
        case failed(canRetry: Bool)
        /// Shown as sending while nobody sends it. Only a defect leaves one here.
        case stuck
    }

    /// The client message id: its name in the trace, and the idempotency key.
    let key: String
    /// What the wire calls it; the key, unless a defect draws another for each try.
    var wireID: String
    /// Its name in the scenario.
    let label: String?
    let conversation: String
    let text: String
    /// Milliseconds since 1970 on the phone's clock.
    let createdAt: Int64
    /// Its place in the store, ascending as the user sent.
    let place: Int64
    var status = Status.queued
    /// Whether it is on disk, and so may be written to the wire.
    var isStored = false
    /// Goes out in the moment the user sends it; not part of a backlog.
    var isFresh = false
    var wasWritten = false
    /// The image that it is; nil for text.
    var image: OutgoingImage?

    /// Whether it is an image that has to be uploaded before it can be sent.
    var awaitsUpload: Bool { image.map { $0.url == nil } ?? false }
    /// Who has sent it: nobody else sends it for them.
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

    var hasFailed: Bool {
        if case .failed = status { true } else { false }
    }
}

// MARK: - On disk

extension OutboxEntry {
    static let storePrefix = "outbox/"

    /// Ascends as text as the places do.
    var storeKey: String {
        let digits = String(place)
        return Self.storePrefix + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    var stored: JSON {
        var stored: JSON = [
            "place": .integer(place),
            "client_message_id": .string(key),
            "label": label.map { .string($0) } ?? .null,
            "conversation": .string(conversation),
            "text": .string(text),
            "created_at": .integer(createdAt),
        ]
        if let image { stored.set("image", to: image.stored) }
        if let owner { stored.set("owner", to: .string(owner)) }
        return stored
    }

    /// As it comes back after a kill: whatever had become of it, it is to be sent.
    init?(stored: JSON) {
        guard let place = stored["place"]?.intValue, let key = stored["client_message_id"]?.stringValue,
            let conversation = stored["conversation"]?.stringValue, let text = stored["text"]?.stringValue,
            let createdAt = stored["created_at"]?.intValue
        else { return nil }
        self.key = key
        wireID = key
        label = stored["label"]?.stringValue
        self.conversation = conversation
        self.text = text
        self.createdAt = createdAt
        self.place = place
        image = OutgoingImage(stored: stored["image"])
        owner = stored["owner"]?.stringValue
        isStored = true
    }

    init(key: String, label: String?, conversation: String, text: String, createdAt: Int64, place: Int64) {
        self.key = key
        wireID = key
        self.label = label
        self.conversation = conversation
        self.text = text
        self.createdAt = createdAt
        self.place = place
    }
}
