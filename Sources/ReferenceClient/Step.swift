import ChatWire
import SquallCore

/// The handling of one input: its outputs, its store writes, the signals between components, and the observables to
/// recompute.
struct Step {
    let now: Instant
    private(set) var outputs: [ClientOutput] = []
    private(set) var writes: [StoreWrite] = []
    private(set) var onceStored: [OnceStored] = []
    var changes = Changes()
    /// The keys of the messages whose observables have to be recomputed, in the order of their first change.
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

    /// Records a frame or an HTTP exchange, which counts as observed because Squall's own codec has encoded or decoded
    /// it.
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

    /// Adds a write to the store; all writes of a step reach the disk in one atomic operation.
    ///
    /// If `value` is nil, the key is removed.
    mutating func store(_ key: consuming String, _ value: consuming JSON?) {
        writes.append(StoreWrite(key: key, value: value))
    }

    /// Defers an action until this step's writes are on disk.
    mutating func onceStored(_ what: OnceStored) {
        onceStored.append(what)
    }
}

/// A signal from one component to the others.
enum ClientSignal {
    /// The handshake is complete.
    case connected(ServerFrame.Connected)
    /// The live connection is lost; `announced` is true if the server had sent `draining`.
    case linkLost(announced: Bool)
    /// A pong proves that the server has received everything that was sent on this connection before `until`.
    case linkProven(until: Instant)
    /// A frame on the live connection that ``Connection`` does not handle itself.
    case received(ServerFrame)
    /// A frame to write on the live connection.
    case say(ClientFrame)
    /// An HTTP request to send.
    case ask(Question)
    /// Cancels the HTTP requests on a topic.
    case withdraw(Question.Topic)
    /// Hands the chunks of a file to the phone's transfer service.
    case handOver(upload: String, [Chunk])
    /// A replay, a catch-up or a poll is complete, so that the client has every message that the server has stored.
    case isUpToDate
    /// The replay or catch-up is complete. `missed` is the number of messages added that were sent while the client was
    /// not connected.
    case caughtUp(missed: Int)
    /// Messages that the server has stored and sent, over any transport.
    case messages([ChatMessage], via: Arrival)
    /// The server's newest sequence number at the client's first connection: messages up to it do not count as missed.
    case historyBegins(after: Int64)
    /// The server has lost its history and numbers its messages from 1 again.
    case sequencesBeginAnew
    /// Requests the pages that have to be fetched again for a new connection.
    case loadMissing
    /// A replay has ended; its messages were emitted before this signal. `through` is the server's newest sequence
    /// number.
    case replayEnded(complete: Bool, through: Int64)
    /// Fetches missed messages over HTTP once, independently of the socket.
    case pollOnce
    /// An error to display on a banner.
    case trouble(String, BannerAction)
    /// What had failed has succeeded, so that the error with this text is no longer true.
    case troubleEnded(String)
    /// A refresh over HTTP has ended, successfully or not.
    case refreshEnded(isGood: Bool)
    /// A connection attempt has failed.
    case attemptFailed
    /// A message's image was uploaded.
    case imageUploaded(key: String, UploadReceipt)
    /// The upload of a message's image has failed; `isFinal` is true if a retry cannot succeed.
    case imageFailed(key: String, isFinal: Bool)
    /// A message that had been queued or retried has failed.
    case retryFailed
    /// The server has deleted a message; `leaving` is the number of newer messages from other users.
    case deleted(Message, leaving: Int64)
    /// An unread count of the server was compared with the client's; `isRight` is true if they are equal.
    case badgeCompared(isRight: Bool)
    /// A message was deleted only on this phone; only a defect emits this.
    case deletedHere(String)
    // Signals for the account and notifications
    case signedIn(user: String, key: String)
    /// The next user can be signed in, because the previous one has signed out.
    case signInNext(user: String, key: String)
    /// A part of the sign-out that other components have to carry out.
    case signOut(Account.Part)
    /// The request to remove the push token of a user who is signing out has ended; the value is true if it has
    /// succeeded.
    case tokenIsGone(Bool)
    /// A tapped notification opens this conversation and message.
    case follow(MessageTarget)
    /// The user's tap on a notification brings the app to the foreground.
    case comeToFront
    /// The screen opens a conversation without a user command.
    case lookAt(conversation: String)
    /// Searches the whole history for a message, and then scrolls to it.
    case seek(MessageTarget)
    /// The search for a message has ended.
    case sought(MessageTarget, History.SearchEnd)
    /// A message that the client did not have was added.
    case arrived(Message, via: Arrival)
    /// A message that the client already had has arrived again.
    case arrivedAgain(Message)
    /// The unread count of a conversation has changed.
    case unreadChanged(String)
    /// A presence change has arrived; `after` is the time since it occurred on the server.
    case presenceArrived(after: TimeSpan)
}

/// An action that is deferred until the step's writes are on disk.
enum OnceStored: Hashable {
    /// Allows a message of the user to be sent.
    case outgoing(clientMessageID: String)
    /// Acknowledges a received message, so that the server need not keep it for this client.
    case acknowledge(messageID: String)
    /// Allows the upload of a file.
    case upload(String)
    /// Allows the request for a deletion.
    case deletion(String)
    /// Allows the read receipt for a message.
    case receipt(messageID: String)
}
