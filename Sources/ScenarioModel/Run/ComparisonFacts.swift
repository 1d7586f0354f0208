import SquallCore
import Trace

/// The facts about a run that determine which differences between a client and the server are allowed when the two are
/// compared.
///
/// They are collected from the trace. Each event is read only once, because a run with a hundred clients has many
/// events and compares each client several times.
struct ComparisonFacts: Sendable {
    /// Whether a fault has changed bytes. The protocol cannot detect this, because it has no checksums.
    private(set) var hasCorrupted = false
    /// Whether frames have been changed, or messages lost, on connections that stayed open.
    private(set) var hasLostFrames = false
    /// Whether a rule set by the script, or a fault, has prevented the server from processing a read receipt. The
    /// client cannot notice, because read receipts are not confirmed.
    var hasRefusedReceipt: Bool { hasRuleForReceipts || mayMissReceipts && arrivedReceipts < sentReceipts }
    private var hasRuleForReceipts = false
    /// Whether the server may have missed a read receipt: a rule that matches messages by their content has answered a
    /// message before the server decoded it, or a fault has changed or lost a client's frame.
    private var mayMissReceipts = false
    private var sentReceipts = 0
    private var arrivedReceipts = 0
    /// Whether the server has deleted a message.
    private(set) var hasDeletedMessages = false
    /// The index of the event that records that the server has stored messages without sending them. Nil if there is no
    /// such event, or if the server has stored a later message, whose sequence number reveals to the clients that
    /// messages are missing.
    private var unannounced: Int?
    private var clients: [ClientID: ClientFacts] = [:]
    private var readEvents = 0

    func client(_ id: ClientID) -> ClientFacts { clients[id] ?? ClientFacts() }

    /// Returns whether the server has stored messages without sending them since the client last connected.
    func hasUnannounced(to client: ClientID) -> Bool {
        unannounced.map { $0 > self.client(client).lastConnected } ?? false
    }

    /// Reads the events that have been added to the trace since the last call.
    mutating func read(_ events: [TraceEvent]) {
        for event in events[readEvents...] { take(event) }
        readEvents = events.count
    }

    private mutating func take(_ event: TraceEvent) {
        switch event.name {
        case "fault.began" where event.fields?["fault"] == "corrupt": hasCorrupted = true
        case "network.frames":
            hasLostFrames = true
            if event.fields?["direction"] == "upstream" { mayMissReceipts = true }
            if ["corrupt", "rewrite"].contains(event.fields?["action"]) { hasCorrupted = true }
        case "server.swallowed.message": hasLostFrames = true
        // Clients discard messages that arrive before the login response.
        case "server.action.hit" where event.fields?["of"] == "connected": hasLostFrames = true
        case "server.action.hit" where event.fields?["of"] == "read_receipt": hasRuleForReceipts = true
        case "server.received.text": mayMissReceipts = true
        case "client.sent.read_receipt": sentReceipts += 1
        case "server.received.read_receipt": arrivedReceipts += 1
        case "server.deleted": hasDeletedMessages = true
        case "server.history": unannounced = event.index
        case "server.stored": unannounced = nil
        default: break
        }
        if let client = event.client { clients[client, default: ClientFacts()].take(event) }
    }
}

/// The facts about one client; see ``ComparisonFacts``.
struct ClientFacts: Sendable {
    /// The server's last sequence number when the client first connected after its last sign-in. A client shows only
    /// what the server has sent since then.
    private(set) var firstSequence: Int64 = 0
    private var isConnectedSinceSignIn = false
    /// The index of the event at which the client last learned the server's latest sequence number.
    fileprivate private(set) var lastConnected = -1
    /// The times at which the client sent its messages.
    private var sends: [Instant] = []
    /// The latest time at which a delay imposed by the server's rate limit ends.
    private var delayedUntil = Instant.zero

    /// Whether a user has signed in or out since the client's process started.
    private(set) var hasChangedUser = false
    /// Whether the current user has opened the list of conversations in the current process.
    private(set) var hasList = false
    /// Whether the last request for a page of messages in the current process has failed.
    private(set) var hasFailedPage = false
    /// The names, with keys in brackets, of the observables that the client has shown to its current user in its
    /// current process. Values shown earlier are obsolete.
    private(set) var shown: Set<String> = []

    /// Whether the client must still delay its messages, because a delay requested by the server has not ended or
    /// because the client has used up its own rate limit of `perMinute` messages. A `perMinute` of 0 means that there
    /// is no limit.
    func isRateLimited(perMinute limit: Int64, at now: Instant) -> Bool {
        delayedUntil > now || limit > 0 && sends.count { $0 + .seconds(60) > now } >= limit
    }

    fileprivate mutating func take(_ event: TraceEvent) {
        guard let fields = event.fields else {
            shown.insert(event.key.map { "\(event.name)[\($0)]" } ?? event.name)
            return
        }
        switch event.name {
        case "client.started":
            startSession()
            hasChangedUser = false
            hasFailedPage = false
        case "client.signed_in":
            isConnectedSinceSignIn = false
            firstSequence = 0
            startSession()
        case "client.signed_out": startSession()
        case "client.received.connected":
            lastConnected = event.index
            guard !isConnectedSinceSignIn else { break }
            isConnectedSinceSignIn = true
            firstSequence = fields["last_sequence"]?.intValue ?? 0
        case "client.answered.messages": hasFailedPage = fields["status"]?.intValue != 200
        case "client.request_failed.messages": hasFailedPage = true
        case "user.open_list": hasList = true
        case "client.sent.send": sends.append(event.time)
        case "server.sent.error" where fields["code"] == "rate_limited":
            if let delay = fields["retry_after"]?.intValue {
                delayedUntil = max(delayedUntil, event.time + TimeSpan(nanoseconds: delay))
            }
        default: break
        }
    }

    /// Records that another user's session or a new process has begun.
    private mutating func startSession() {
        hasChangedUser = true
        hasList = false
        shown = []
    }
}
