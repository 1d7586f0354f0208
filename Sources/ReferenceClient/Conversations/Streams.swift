import ChatWire
import SquallCore

/// The messages that the server is streaming in pieces.
///
/// Pieces may arrive twice or out of order; the text ends before the first missing piece.
struct Streams {
    private struct Stream {
        var pieces: [Int64: String] = [:]
        /// The index of the first piece that is not yet part of the text.
        var next: Int64 = 0
        var text = ""
    }

    private var streams: [String: Stream] = [:]
    /// Whether any piece of a message has ever been received.
    private(set) var wereReceived = false
    /// The IDs of the streams that have received no piece since the connection was lost.
    private var silent: Set<String> = []
    /// The IDs of the streams that are hidden because they were silent for too long; another piece reveals them again.
    private var hidden: Set<String> = []
    /// The instant at which silent streams are hidden; nil until the missed messages have been fetched.
    private(set) var limit: Instant?

    /// The text of a message received so far; nil if no piece has arrived or the stream is hidden.
    subscript(message: String) -> String? { hidden.contains(message) ? nil : streams[message]?.text }

    /// Handles the loss of the connection. A running timeout for the same streams is not restarted: otherwise a client
    /// that keeps losing its connection would never hide them.
    mutating func linkLost() {
        let unfinished = Set(streams.keys).subtracting(hidden)
        guard unfinished != silent else { return }
        (silent, limit) = (unfinished, nil)
    }

    /// Starts the timeout after which silent streams are hidden, unless it is running already.
    mutating func startSilenceTimeout(until limit: Instant) {
        guard !silent.isEmpty, self.limit == nil else { return }
        self.limit = limit
    }

    /// Hides the streams that have received no piece since the connection was lost, and returns their IDs.
    mutating func hideSilent() -> Set<String> {
        hidden.formUnion(silent)
        return silent
    }

    /// Hides the streams that are still silent when the timeout expires, and returns their IDs.
    mutating func cutOff(at now: Instant) -> Set<String> {
        guard let due = limit, due <= now else { return [] }
        defer { silent = [] }
        limit = nil
        hidden.formUnion(silent)
        return silent
    }

    mutating func add(_ token: ServerFrame.Token) {
        wereReceived = true
        silent.remove(token.messageID)
        hidden.remove(token.messageID)
        var stream = streams.removeValue(forKey: token.messageID) ?? Stream()
        if token.index >= stream.next { stream.pieces[token.index] = token.text }
        while let piece = stream.pieces.removeValue(forKey: stream.next) {
            stream.text += piece
            stream.next &+= 1
        }
        streams[token.messageID] = stream
    }

    /// Removes a stream whose complete message has arrived, and returns whether such a stream existed.
    mutating func end(_ message: String) -> Bool {
        silent.remove(message)
        hidden.remove(message)
        return streams.removeValue(forKey: message) != nil
    }
}
