import ChatWire
import SquallCore

/// One input's way through the client: what the world shall do, what the concerns tell each other, what has changed.
struct Step {
    let now: Instant
    private(set) var outputs: [ClientOutput] = []
    private(set) var writes: [StoreWrite] = []
    private(set) var onceStored: [OnceStored] = []
    var changes = Changes()
    /// Messages whose own observables have to be derived anew, in the order of their first change.
    private(set) var touched: [String] = []
    private var isTouched: Set<String> = []
    private(set) var hasCrashed = false
    private var happenings: [ClientSignal] = []
    private var told = 0

    init(at now: Instant) {
        self.now = now
    }

    mutating func perform(_ output: consuming ClientOutput) {
        guard !hasCrashed else { return }
        outputs.append(output)
    }

    /// The process ends here; what the step still does leaves no trace.
    mutating func crash(_ reason: String) {
        perform(.crashed(reason))
        hasCrashed = true
    }

    mutating func touch(_ message: String) {
        // Most steps touch one or two, which are looked through sooner than a set is made.
        if touched.count < 8 {
            if !touched.contains(message) { touched.append(message) }
            return
        }
        if isTouched.isEmpty { isTouched = Set(touched) }
        if isTouched.insert(message).inserted { touched.append(message) }
    }

    /// An event of the client's own.
    mutating func log(_ name: String, key: String? = nil, _ fields: JSON = [:]) {
        perform(.observe(.happened(name, key: key, fields, by: .reported)))
    }

    /// A frame or an exchange, which Squall's own codec has read or written.
    mutating func logWire(_ name: String, key: String? = nil, _ fields: JSON = [:]) {
        perform(.observe(.happened(name, key: key, fields, by: .observed)))
    }

    /// Tells the other concerns; ``Client`` decides who hears it, after the concern that tells has returned.
    mutating func emit(_ happening: consuming ClientSignal) {
        happenings.append(happening)
    }

    mutating func nextHappening() -> ClientSignal? {
        guard told < happenings.count else { return nil }
        defer { told += 1 }
        return happenings[told]
    }

    /// A change of the store; all of a step go to disk as one.
    ///
    /// `nil` removes the key.
    mutating func store(_ key: consuming String, _ value: consuming JSON?) {
        writes.append(StoreWrite(key: key, value: value))
    }

    /// What waits for this step's writes to be on disk.
    mutating func onceStored(_ what: OnceStored) {
        onceStored.append(what)
    }
}

/// What one concern has to tell the others.
enum ClientSignal {
    /// The handshake is complete.
    case connected(ServerFrame.Connected)
    /// A live connection is gone; `announced` by `draining`.
    case linkLost(announced: Bool)
    /// A frame on the live connection that is not the connection's own business.
    case received(ServerFrame)
    /// To be written on the live connection.
    case say(ClientFrame)
    /// An exchange to begin.
    case ask(Question)
    /// To be given up.
    case withdraw(Question.Topic)
    /// A file's chunks, for the phone's transfer service.
    case handOver(upload: String, [Chunk])
    /// Nothing is missing any more, but for what an HTTP catch-up may bring; so many came that had been missed.
    case caughtUp(missed: Int)
    /// Stored messages that the server has sent, whatever way.
    case messages([ChatMessage], via: Arrival)
    /// The first word ever of how far the server has come: nothing up to there counts as missed.
    case historyBegins(after: Int64)
    /// A replay is over; its messages were told before.
    case replayEnded(complete: Bool, through: Int64)
    /// What was missed without a network is wanted now, whatever becomes of the socket.
    case pollOnce
    /// An error of the server, to show.
    case trouble(String, BannerAction)
    /// Pages that were asked for are here, or will not come.
    case refreshEnded(isGood: Bool)
    /// A connection attempt has failed.
    case attemptFailed
    /// A message's image lies at the server.
    case imageUploaded(key: String, UploadReceipt)
    /// A message's image does not get there; `isFinal` where a repeat will not help.
    case imageFailed(key: String, isFinal: Bool)
    /// A message that was sent again, or after a wait, has failed.
    case retryFailed
    /// The server has deleted a message; so many of others are newer.
    case deleted(Message, leaving: Int64)
    /// The server has said what is unread; whether that is what the badge shows.
    case badgeCompared(isRight: Bool)
    /// A message counts as deleted on this phone alone. Only a defect tells this.
    case deletedHere(String)
    // account and notifications
    case signedIn(user: String, key: String)
    /// Who had another user sign out first.
    case signInNext(user: String, key: String)
    /// A part of signing out, which is another concern's to do.
    case signOut(Account.Part)
    /// The server has forgotten the device, or could not be told.
    case tokenIsGone(Bool)
    /// A tapped notification leads there.
    case follow(MessageTarget)
    /// The user has brought the app to the screen by a tap elsewhere.
    case comeToFront
    /// The screen turns to a conversation without the user's doing.
    case lookAt(conversation: String)
    /// A message to be looked for as far back as there is history, and to be the first one visible then.
    case seek(MessageTarget)
    /// How that ended.
    case sought(MessageTarget, History.SearchEnd)
    /// A message that the client did not have, in its place.
    case arrived(Message, via: Arrival)
    /// A message that the client had came again.
    case arrivedAgain(Message)
    /// So many messages of a conversation are unread now.
    case unreadChanged(String)
    /// Somebody's change of presence, so long after it happened.
    case presenceArrived(after: TimeSpan)
}

/// What waits for the disk.
enum OnceStored: Hashable {
    /// The user's message may be written to the wire.
    case outgoing(clientMessageID: String)
    /// The server need not keep the message for us.
    case acknowledge(messageID: String)
    /// The user's file may leave.
    case upload(String)
    /// The server may hear of the deletion.
    case deletion(String)
    /// The server may hear that the message was read.
    case receipt(messageID: String)
}
