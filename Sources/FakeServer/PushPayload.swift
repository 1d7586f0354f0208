import ChatWire

/// A notification as the server passes it to the push service.
struct PushPayload {
    /// The push, with its text cut to fit.
    let push: Push
    let bytes: [UInt8]

    /// Encodes a push, shortening its text until the payload has at most `limit` bytes; 0 means no limit.
    ///
    /// An ellipsis replaces the end of the text. A payload that is too large even without text stays too large.
    init(_ push: Push, limit: Int64, _ policy: ServerPolicy.Push) {
        let whole = push.payload
        let limit = Int(clamping: limit)
        guard limit > 0, whole.count > limit, !push.text.isEmpty, policy.fitting == .cutsTheText else {
            (self.push, bytes) = (push, whole)
            return
        }
        let cut = Self.cut(push, to: limit, policy)
        (self.push, bytes) = (cut, cut.payload)
    }

    private static func cut(_ push: Push, to limit: Int, _ policy: ServerPolicy.Push) -> Push {
        if policy.limit == .isInCharacters {
            // The number of characters that would fit if each were one byte long.
            let rest = push.cut(to: "").payload.count
            return push.cut(to: String(push.text.prefix(max(limit - rest, 0))))
        }
        if policy.codePoints == .areCut {
            let bytes = Array(push.text.utf8)
            return longest(of: push, length: bytes.count, limit) { String(decoding: bytes.prefix($0), as: UTF8.self) }
        }
        if policy.characters == .areCut {
            let scalars = Array(push.text.unicodeScalars)
            return longest(of: push, length: scalars.count, limit) { length in
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars.prefix(length))
                return String(text)
            }
        }
        let characters = Array(push.text)
        return longest(of: push, length: characters.count, limit) { String(characters.prefix($0)) }
    }

    /// Returns the push with the longest text that fits. `text` returns the beginning of the text, cut to a given
    /// length, and `length` is the length of the whole text.
    private static func longest(of push: Push, length: Int, _ limit: Int, _ text: (Int) -> String) -> Push {
        var (fits, exceeds) = (0, length)
        while exceeds - fits > 1 {
            let middle = fits + (exceeds - fits) / 2
            if push.cut(to: text(middle)).payload.count <= limit { fits = middle } else { exceeds = middle }
        }
        return push.cut(to: text(fits))
    }
}

extension Push {
    /// Returns the push with only the beginning of its text, followed by an ellipsis.
    fileprivate func cut(to text: String) -> Push {
        var push = self
        push.text = text + "…"
        push.isCut = true
        return push
    }
}

/// The push service's size check for notifications.
///
/// The limits are those of Apple's push service, which refuses a payload of more than 4,096 bytes, or 5,120 bytes for
/// VoIP notifications (see "Generating a remote notification"), with status 413 and reason `PayloadTooLarge` (see
/// "Handling notification responses from APNs").
enum PushService {
    struct Refusal: Hashable {
        let status: Int64
        let reason: String
    }

    /// Returns the push service's error response to a payload; nil if it accepts the payload. A limit of 0 means no
    /// limit.
    static func refusal(of payload: [UInt8], limit: Int64) -> Refusal? {
        guard limit > 0, payload.count > limit else { return nil }
        return Refusal(status: 413, reason: "PayloadTooLarge")
    }
}
