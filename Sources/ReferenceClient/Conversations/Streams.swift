import ChatWire

/// Messages that are being written piece by piece.
///
/// Pieces may come twice or out of order; the text shows those without a hole before them.
struct Streams {
    private struct Stream {
        var pieces: [Int64: String] = [:]
        /// The index of the first piece that is not in the text yet.
        var next: Int64 = 0
        var text = ""
    }

    private var streams: [String: Stream] = [:]

    /// The text so far; nil where nothing has come.
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

    /// The message itself is here.
    mutating func end(_ message: String) -> Bool {
        streams.removeValue(forKey: message) != nil
    }
}
