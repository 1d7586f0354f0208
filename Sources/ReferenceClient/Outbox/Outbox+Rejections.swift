import ChatWire
import SquallCore

// How the server rejects messages: with a close code, with an error frame, or over HTTP.

extension Outbox {
    /// Fails the largest message in flight, because the server has closed the connection over a message's size without
    /// naming the message.
    mutating func failLargest(_ step: inout Step) {
        let inFlight = entries.indices.filter { entries[$0].writtenAt != nil }
        guard let largest = inFlight.max(by: { entries[$0].text.utf8.count < entries[$1].text.utf8.count }) else {
            return
        }
        set(largest, .failed(canRetry: false), &step)
        let text = rules.profile.text.banner.error.filling("message", with: "message too large")
        step.emit(.trouble(text, .change))
    }

    mutating func refused(_ error: ServerFrame.ServerError, _ step: inout Step) {
        guard policy.serverErrors != .areSwallowed else { return }
        var error = error
        if policy.serverErrors == .hitTheOldest { error.clientMessageID = entries.first(where: \.isBeingSent)?.wireID }
        if error.code == .rateLimited, policy.rateLimit == .isRespected {
            pause(for: error.retryAfter, &step)
            set(wireID: error.clientMessageID, .queued, &step)
            return
        }
        let isFinal = [.notMember, .unknownConversation, .tooLarge, .malformed].contains(error.code)
        set(wireID: error.clientMessageID, .failed(canRetry: !isFinal), &step)
        let texts = rules.profile.text.banner
        let text =
            error.code == .sessionLocked ? texts.sessionLocked : texts.error.filling("message", with: error.message)
        step.emit(.trouble(text, isFinal ? .change : .retry))
    }

    /// Handles an error response to a message posted over HTTP.
    mutating func postRefused(_ wireID: String, status: Int, retryAfter: TimeSpan?, _ step: inout Step) {
        switch status {
        case ChatStatus.tooManyRequests.rawValue where policy.rateLimit == .isRespected:
            pause(for: retryAfter, &step)
            set(wireID: wireID, .queued, &step)
        case 300..<400:
            // A message whose request was redirected has not been stored by any server, so it is queued again.
            hold(&step)
            set(wireID: wireID, .queued, &step)
        case ChatStatus.locked.rawValue where policy.postRefusal == .onTheMessage:
            set(wireID: wireID, .failed(canRetry: true), &step)
            step.emit(.trouble(rules.profile.text.banner.sessionLocked, .retry))
        default:
            let isFinal = ChatStatus.isFinal(status)
            if policy.postRefusal == .onTheMessage {
                set(wireID: wireID, .failed(canRetry: !isFinal), &step)
            } else {
                set(wireID: wireID, .stuck, &step)
                let text = rules.profile.text.banner.error.filling("message", with: "http_\(status)")
                step.emit(.trouble(text, isFinal ? .change : .retry))
            }
        }
    }

    /// Requeues a posted message after a failed request. The message may have arrived, so it keeps its ID.
    mutating func postFailed(_ wireID: String, _ step: inout Step) {
        hold(&step)
        set(wireID: wireID, .queued, &step)
    }
}
