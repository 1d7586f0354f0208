/// How the client handles the messages that the user sends.
package struct OutboxPolicy: Hashable, Sendable {
    package enum Offline: Hashable, Sendable { case queues, drops }
    package enum Storing: Hashable, Sendable { case beforeSending, never }
    package enum Flush: Hashable, Sendable { case whenPossible, never }
    package enum PendingLimit: Hashable, Sendable { case isKept, none }
    package enum LinkLoss: Hashable, Sendable { case queuesAgain, isNotNoticed }
    package enum Failed: Hashable, Sendable { case isKept, isForgotten }
    package enum Key: Hashable, Sendable { case staysTheSame, freshEachTry, freshEachRetry }
    package enum RateLimit: Hashable, Sendable { case isRespected, isIgnored }
    /// The messages to which the backlog's rate limit applies: only those in the backlog, or all messages.
    package enum Pace: Hashable, Sendable { case ofTheBacklog, ofEveryMessage }
    package enum RetryAll: Hashable, Sendable { case retriesAll, retriesFirst }
    /// Where the rejection of a posted message is displayed: on the message or on a banner.
    package enum PostRefusal: Hashable, Sendable { case onTheMessage, onABanner }
    /// How a polling client treats the user's messages: it posts them over HTTP, or keeps them until the socket is
    /// connected.
    package enum Polling: Hashable, Sendable { case postsMessages, keepsThem }
    /// How the client handles a confirmation that arrives after the message has failed.
    package enum LateConfirmation: Hashable, Sendable { case counts, isIgnored }
    /// How the client treats a message whose size has made the server end the connection (close code 1009).
    package enum Oversize: Hashable, Sendable { case fails, isSentAgain }
    package enum ServerErrors: Hashable, Sendable { case areShown, areSwallowed, endTheConnection, hitTheOldest }

    package var offline = Offline.queues
    package var storing = Storing.beforeSending
    package var flush = Flush.whenPossible
    package var pendingLimit = PendingLimit.isKept
    package var onLinkLoss = LinkLoss.queuesAgain
    package var failed = Failed.isKept
    package var key = Key.staysTheSame
    package var rateLimit = RateLimit.isRespected
    package var pace = Pace.ofTheBacklog
    package var retryAll = RetryAll.retriesAll
    package var postRefusal = PostRefusal.onTheMessage
    package var polling = Polling.postsMessages
    package var lateConfirmation = LateConfirmation.counts
    package var oversize = Oversize.fails
    package var serverErrors = ServerErrors.areShown

    static let defects: [Defect] = [
        Defect(
            "lateConfirmIgnored",
            ["UX-2.2g"],
            "a message that has failed stays failed although its confirmation arrives later",
            policy: { $0.outbox.lateConfirmation = .isIgnored }
        ),
        Defect(
            "promptDroppedOffline",
            ["WS-21a"],
            "a message sent without a connection is lost",
            policy: { $0.outbox.offline = .drops }
        ),
        Defect(
            "queueInMemory",
            ["PO-1.2k", "WS-21b", "WS-25", "WS-28"],
            "a kill loses the queued messages",
            policy: { $0.outbox.storing = .never }
        ),
        Defect(
            "noFlush",
            ["WS-21c"],
            "queued messages are not sent when a connection is established",
            policy: { $0.outbox.flush = .never }
        ),
        Defect(
            "noPendingTimeout",
            ["UX-2.2a", "UX-2.2b", "UX-2.2g"],
            "a message without confirmation is shown as sending forever",
            policy: { $0.outbox.pendingLimit = .none }
        ),
        Defect(
            "swallowSendError",
            ["UX-2.2a", "UX-X1", "UX-4.5c"],
            "a message whose link was lost is shown as sending forever",
            policy: { $0.outbox.onLinkLoss = .isNotNoticed }
        ),
        Defect(
            "noRetryQueue",
            ["UX-2.2d"],
            "a failed message is never sent again, not even by hand",
            policy: { $0.outbox.failed = .isForgotten }
        ),
        Defect(
            "noAutoRetry",
            ["PO-1.2b", "PO-1.2i", "WS-21d"],
            "failed messages are retried only by the user's tap",
            profile: { $0.send.autoRetry = false }
        ),
        Defect(
            "noIdempotencyKey",
            ["UX-2.2h", "WS-21c", "WS-25"],
            "every attempt has a new id, so the server cannot detect a repeat",
            policy: { $0.outbox.key = .freshEachTry }
        ),
        Defect(
            "promptRunsTwice",
            ["WS-12g"],
            "a retried message gets a new id, so the server may store it twice",
            policy: { $0.outbox.key = .freshEachRetry }
        ),
        Defect(
            "floodOnFlush",
            ["UX-2.6e"],
            "a backlog is sent at once, regardless of the server's rate limit",
            policy: { $0.outbox.rateLimit = .isIgnored }
        ),
        Defect(
            "noBatchRetry",
            ["PO-1.2e"],
            "retrying all failed messages retries only the first",
            policy: { $0.outbox.retryAll = .retriesFirst }
        ),
        Defect(
            "genericErrorOnly",
            ["UX-2.2e"],
            "a message rejected over HTTP is still shown as sending, and only a banner reports an error",
            policy: { $0.outbox.postRefusal = .onABanner }
        ),
        Defect(
            "pollingSendsNothing",
            ["UX-2.3d", "WS-21c"],
            "a client that polls keeps the user's messages until the socket is back",
            policy: { $0.outbox.polling = .keepsThem }
        ),
        Defect(
            "errorHitsOldest",
            ["WS-12f", "UX-2.6b"],
            "an error frame fails the oldest message in flight, whichever message it names",
            policy: { $0.outbox.serverErrors = .hitTheOldest }
        ),
        Defect(
            "errorEndsConnection",
            ["UX-2.6d"],
            "an error frame of the server makes the client reconnect",
            policy: { $0.outbox.serverErrors = .endTheConnection }
        ),
        Defect(
            "swallowServerError",
            ["UX-2.6a", "UX-2.6b", "UX-2.6f", "WS-22"],
            "error frames of the server are ignored",
            policy: { $0.outbox.serverErrors = .areSwallowed }
        ),
        Defect(
            "oversizeSentAgain",
            ["WS-8"],
            "a message that the server finds too large is sent again on each connection, which ends them all",
            policy: { $0.outbox.oversize = .isSentAgain }
        ),
        Defect(
            "paceHoldsEveryMessage",
            ["UX-2.6c"],
            "messages that the user types also wait for the backlog's rate limit",
            policy: { $0.outbox.pace = .ofEveryMessage }
        ),
    ]
}
