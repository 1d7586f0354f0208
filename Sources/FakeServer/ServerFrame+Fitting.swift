import ChatWire

extension ServerFrame {
    /// Returns this frame, reduced to the client's maximum message size in bytes.
    ///
    /// The text of a message is truncated, and the message is marked as truncated. A replay ends before the first
    /// message that does not fit and is marked as incomplete, so that the client fetches the remaining messages over
    /// HTTP. No other frame is ever large.
    func fitting(_ limit: Int64, _ wire: WireProfile) -> ServerFrame {
        guard encode(wire).count > limit else { return self }
        switch self {
        case .message(let message): return .message(message.cut(to: limit, wire))
        case .replay(var replay):
            let all = replay.messages.map { $0.cut(to: limit / 2, wire) }
            replay.messages = []
            let first = replay.complete
            for message in all {
                replay.messages.append(message)
                replay.complete = first && replay.messages.count == all.count
                guard ServerFrame.replay(replay).encode(wire).count > limit else { continue }
                replay.messages.removeLast()
                replay.complete = false
                break
            }
            return .replay(replay)
        case .hello, .connected, .authError, .ping, .pong, .confirm, .readReceipt, .typing, .token, .presence, .error,
            .draining, .commandStarted, .stopped, .deleted:
            return self
        }
    }
}

extension ChatMessage {
    /// Returns the message with its text truncated so that the frame fits the limit; removes the text if the rest of
    /// the frame alone exceeds the limit.
    fileprivate func cut(to limit: Int64, _ wire: WireProfile) -> ChatMessage {
        guard ServerFrame.message(self).encode(wire).count > limit else { return self }
        let scalars = text.unicodeScalars
        var (fits, tooMany) = (0, scalars.count)
        while fits + 1 < tooMany {
            let half = (fits + tooMany) / 2
            if ServerFrame.message(with(first: half, of: scalars)).encode(wire).count <= limit {
                fits = half
            } else {
                tooMany = half
            }
        }
        return with(first: fits, of: scalars)
    }

    private func with(first count: Int, of scalars: String.UnicodeScalarView) -> ChatMessage {
        var message = self
        message.text = String(String.UnicodeScalarView(scalars.prefix(count)))
        message.isTruncated = true
        return message
    }
}
