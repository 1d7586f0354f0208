import ChatWire

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

    /// The text so far; nil if no piece of the message has arrived.
    subscript(message: String) -> String? { streams[message]?.text }

    mutating func add(_ token: ServerFrame.Token) {
        var stream = streams.removeValue(forKey: token.messageID) ?? Stream()
        if token.index >= stream.next { stream.pieces[token.index] = token.text }
        while let piece = stream.pieces.removeValue(forKey: stream.next) {
            stream.text += piece
            stream.next &+= 1
        }
        streams[token.messageID] = stream
    }

    /// Removes a stream whose complete message has arrived, and returns whether there was one.
    mutating func end(_ message: String) -> Bool {
        streams.removeValue(forKey: message) != nil
    }
}
