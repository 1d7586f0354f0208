import ChatWire
import SquallCore

/// Collects the results of handling one input: outputs, store writes, signals between components, and the observables
/// to recompute.
struct Step {
    let now: Instant
    private(set) var outputs: [ClientOutput] = []
    private(set) var writes: [StoreWrite] = []
    private(set) var onceStored: [DeferredAction] = []
    var changes = Changes()
    /// The keys of the messages whose observables have to be recomputed, in the order in which they first changed.
    private(set) var touched: [String] = []
    private var isTouched: Set<String> = []
    private(set) var hasCrashed = false
    private var signals: [ClientSignal] = []
    private var routedCount = 0

    init(at now: Instant) {
        self.now = now
    }

    mutating func perform(_ output: consuming ClientOutput) {
        guard !hasCrashed else { return }
        outputs.append(output)
    }

    /// Crashes the process; later outputs of the step are dropped.
    mutating func crash(_ reason: String) {
        perform(.crashed(reason))
        hasCrashed = true
    }

    mutating func touch(_ message: String) {
        // Most steps touch one or two messages; searching a short array is cheaper than building a set.
        if touched.count < 8 {
            if !touched.contains(message) { touched.append(message) }
            return
        }
        if isTouched.isEmpty { isTouched = Set(touched) }
        if isTouched.insert(message).inserted { touched.append(message) }
    }

    /// Records an event that the client reports about itself.
    mutating func log(_ name: String, key: String? = nil, _ fields: JSON = [:]) {
        perform(.observe(.happened(name, key: key, fields, by: .reported)))
    }

    /// Records a frame or an HTTP exchange. The event counts as observed and not merely as reported by the client,
    /// because Squall's own codec has encoded or decoded the bytes.
    mutating func logWire(_ name: String, key: String? = nil, _ fields: JSON = [:]) {
        perform(.observe(.happened(name, key: key, fields, by: .observed)))
    }

    /// Emits a signal to the other components; ``Client`` routes it after the emitting component has returned.
    mutating func emit(_ signal: consuming ClientSignal) {
        signals.append(signal)
    }

    mutating func nextSignal() -> ClientSignal? {
        guard routedCount < signals.count else { return nil }
        defer { routedCount += 1 }
        return signals[routedCount]
    }

    /// Adds a write to the store; all writes of one input reach the disk in one atomic operation.
    ///
    /// If `value` is nil, the key is removed.
    mutating func store(_ key: consuming String, _ value: consuming JSON?) {
        writes.append(StoreWrite(key: key, value: value))
    }

    /// Defers an action until the store writes of this input are on disk.
    mutating func onceStored(_ what: DeferredAction) {
        onceStored.append(what)
    }
}

/// A signal from one component to the others.
enum ClientSignal {
    /// Emitted when the handshake is complete.
    case connected(ServerFrame.Connected)
    /// Emitted when the live connection is lost, with the reason.
    case linkLost(Failure)
    /// Emitted when a message of the user has failed.
    case sendFailed(conversation: String)
    /// Emitted when a failed message is sent again, or is confirmed after all.
    case failureEnded(conversation: String)
    /// Emitted when a pong proves that the server has received everything sent on this connection before `until`.
    case linkProven(until: Instant)
    /// Emitted when a pong carries the time on the server's clock, in milliseconds since 1970.
    case serverTime(Int64)
    /// Emitted for each frame on the live connection that ``Connection`` does not handle itself.
    case received(ServerFrame)
    /// Writes a frame on the live connection.
    case say(ClientFrame)
    /// Sends an HTTP request.
    case ask(ClientRequest)
    /// Cancels the HTTP requests on a topic.
    case cancelRequests(ClientRequest.Topic)
    /// Hands the chunks of a file to the phone's transfer service.
    case handOver(upload: String, [Chunk])
    /// Emitted when a replay, a catch-up or a poll is complete, so that the client has every message that the server
    /// has stored.
    case caughtUpWithServer
    /// Emitted when a replay or catch-up is complete. `missed` is the number of added messages that were sent while the
    /// client was not connected.
    case caughtUp(missed: Int)
    /// Delivers messages that the server has stored; `via` is the route by which they arrived.
    case messages([ChatMessage], via: Arrival)
    /// Reports the server's newest sequence number when the client first connects: messages up to that number do not
    /// count as missed.
    case historyBegins(after: Int64)
    /// Emitted when the server has lost its history and numbers its messages from 1 again.
    case sequenceNumbersReset
    /// Requests the pages that have to be fetched again after a reconnect.
    case loadMissing
    /// Emitted when a replay has ended, after the signals for its messages. `through` is the server's newest sequence
    /// number.
    case replayEnded(complete: Bool, through: Int64)
    /// Fetches missed messages over HTTP once, independently of the socket.
    case pollOnce
    /// Makes a polling client poll immediately instead of at the end of the interval.
    case pollNow
    /// Displays an error in a banner.
    case trouble(String, BannerAction)
    /// Hides the error with this text, because the failed operation has now succeeded.
    case troubleEnded(String)
    /// Emitted when a refresh or a poll over HTTP has ended, successfully or not.
    case refreshEnded(isGood: Bool)
    /// Emitted when a connection attempt has failed.
    case attemptFailed
    /// Emitted when a message's image has been uploaded.
    case imageUploaded(key: String, UploadReceipt)
    /// Emitted when the upload of a message's image has failed; `isFinal` is true if a retry cannot succeed.
    case imageFailed(key: String, isFinal: Bool)
    /// Emitted when a message that had been queued or retried has failed.
    case retryFailed
    /// Emitted when the server has deleted a message; `leaving` is the number of newer messages from other users.
    case deleted(Message, leaving: Int64)
    /// Emitted when an unread count from the server has been compared with the client's; `isRight` is true if the two
    /// are equal.
    case badgeCompared(isRight: Bool)
    /// Emitted when a message has been deleted on this phone only; only a planted defect emits it.
    case deletedHere(String)
    /// Emitted when `user` has signed in with the API key `key`.
    case signedIn(user: String, key: String)
    /// Signs in the next user, because the previous user has signed out.
    case signInNext(user: String, key: String)
    /// Carries out a step of the sign-out in another component.
    case signOut(Account.Part)
    /// Emitted during a sign-out when the request to remove the push token has ended; the value is true if it
    /// succeeded.
    case tokenRemovalEnded(Bool)
    /// Displays the conversation and the message of a tapped notification.
    case follow(MessageTarget)
    /// Brings the app to the foreground because the user has tapped a notification.
    case bringToForeground
    /// Opens a conversation without a user command.
    case lookAt(conversation: String)
    /// Searches the whole history for a message, and then scrolls to it.
    case seek(MessageTarget)
    /// Emitted when the search for a message has ended.
    case searched(MessageTarget, History.SearchEnd)
    /// Emitted when a message that is new to the client has been added.
    case arrived(Message, via: Arrival)
    /// Emitted when the client receives another copy of a message that it already has.
    case arrivedAgain(Message)
    /// Emitted when the unread count of a conversation has changed.
    case unreadChanged(String)
    /// Emitted when a presence change has arrived; `after` is the time since it occurred on the server.
    case presenceArrived(after: TimeSpan)
}

/// An action that is deferred until the store writes of the current input are on disk.
enum DeferredAction: Hashable {
    /// Allows one of the user's messages to be sent.
    case outgoing(clientMessageID: String)
    /// Acknowledges a received message, so that the server need not keep it for this client.
    case acknowledge(messageID: String)
    /// Removes one of the share extension's messages from the container, because it is now in the outbox.
    case shared(key: String)
    /// Allows a file to be uploaded.
    case upload(String)
    /// Allows the progress of an image's upload to be shown.
    case imageProgress(upload: String, percent: Int64)
    /// Allows a deletion request to be sent.
    case deletion(String)
    /// Allows the read receipt for a message to be sent.
    case receipt(messageID: String)
}
