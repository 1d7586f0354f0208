/// What becomes of what the user sends.
package struct OutboxPolicy: Hashable, Sendable {
    package enum Offline: Hashable, Sendable { case queues, drops }
    package enum Storing: Hashable, Sendable { case beforeSending, never }
    package enum Flush: Hashable, Sendable { case whenPossible, never }
    package enum PendingLimit: Hashable, Sendable { case isKept, none }
    package enum LinkLoss: Hashable, Sendable { case queuesAgain, isNotNoticed }
    package enum Failed: Hashable, Sendable { case isKept, isForgotten }
    package enum Key: Hashable, Sendable { case staysTheSame, freshEachTry, freshEachRetry }
    package enum RateLimit: Hashable, Sendable { case isRespected, isIgnored }
    package enum RetryAll: Hashable, Sendable { case retriesAll, retriesFirst }
    /// Where a message that was posted and refused shows it.
    package enum PostRefusal: Hashable, Sendable { case onTheMessage, onABanner }
    package enum ServerErrors: Hashable, Sendable { case areShown, areSwallowed }

    package var offline = Offline.queues
    package var storing = Storing.beforeSending
    package var flush = Flush.whenPossible
    package var pendingLimit = PendingLimit.isKept
    package var onLinkLoss = LinkLoss.queuesAgain
    package var failed = Failed.isKept
    package var key = Key.staysTheSame
    package var rateLimit = RateLimit.isRespected
    package var retryAll = RetryAll.retriesAll
    package var postRefusal = PostRefusal.onTheMessage
    package var serverErrors = ServerErrors.areShown

    static let defects: [Defect] = [
        Defect(
            "promptDroppedOffline",
            ["WS-21a"],
            "what is sent without a connection is gone",
            policy: { $0.outbox.offline = .drops }
        ),
        Defect(
            "queueInMemory",
            ["PO-1.2k", "WS-21b", "WS-25"],
            "a kill loses what was waiting",
            policy: { $0.outbox.storing = .never }
        ),
        Defect(
            "noFlush",
            ["WS-21c"],
            "what waited for a connection goes on waiting when it is there",
            policy: { $0.outbox.flush = .never }
        ),
        Defect(
            "noPendingTimeout",
            ["UX-2.2b"],
            "a message without confirmation is sending for ever",
            policy: { $0.outbox.pendingLimit = .none }
        ),
        Defect(
            "swallowSendError",
            ["UX-2.2a"],
            "a message whose link has died is sending for ever",
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
            "failed messages wait for a tap",
            profile: { $0.send.autoRetry = false }
        ),
        Defect(
            "noIdempotencyKey",
            ["UX-2.2h"],
            "every try has an id of its own, so that the server cannot tell a repeat",
            policy: { $0.outbox.key = .freshEachTry }
        ),
        Defect(
            "promptRunsTwice",
            ["WS-12g"],
            "a failed message that is retried is a new one for the server",
            policy: { $0.outbox.key = .freshEachRetry }
        ),
        Defect(
            "floodOnFlush",
            ["UX-2.6e"],
            "a backlog goes out at once, whatever the server takes",
            policy: { $0.outbox.rateLimit = .isIgnored }
        ),
        Defect(
            "noBatchRetry",
            ["PO-1.2e"],
            "retrying all failed messages retries one",
            policy: { $0.outbox.retryAll = .retriesFirst }
        ),
        Defect(
            "genericErrorOnly",
            ["UX-2.2e"],
            "a message that was refused over HTTP looks sent, and a banner says that something failed",
            policy: { $0.outbox.postRefusal = .onABanner }
        ),
        Defect(
            "swallowServerError",
            ["UX-2.6a", "UX-2.6b", "UX-2.6f"],
            "an error of the server is read and dropped",
            policy: { $0.outbox.serverErrors = .areSwallowed }
        ),
    ]
}
