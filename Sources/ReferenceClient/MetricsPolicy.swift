/// Which events the client counts and times in its metrics.
package struct MetricsPolicy: Hashable, Sendable {
    package enum Attempts: Hashable, Sendable { case areAllCounted, areCountedIfTheySucceed }
    package enum Uploads: Hashable, Sendable { case areTimed, areOnlyCounted }
    package enum Refusals: Hashable, Sendable { case areFailures, areSuccesses }
    /// The clock that measures the delivery time of a message: a monotonic clock, or the phone's clock.
    package enum Latency: Hashable, Sendable { case byElapsedTime, byPhoneClock }
    /// The deliveries that are measured: all, or only those that the server has confirmed with a frame of their own and
    /// not by returning the message on a page or in a replay.
    package enum Deliveries: Hashable, Sendable { case areAllMeasured, areMeasuredIfConfirmed }

    /// The deletions that count as successes: those by the user that the server has confirmed, each that the user asks
    /// for, or each that the server announces, by any user.
    package enum Deletions: Hashable, Sendable { case areCountedWhenDone, areCountedWhenAsked, areCountedWhenAnnounced }

    package var attempts = Attempts.areAllCounted
    package var uploads = Uploads.areTimed
    package var refusals = Refusals.areFailures
    package var latency = Latency.byElapsedTime
    package var deliveries = Deliveries.areAllMeasured
    package var deletions = Deletions.areCountedWhenDone

    static let defects: [Defect] = [
        Defect(
            "failedAttemptsUncounted",
            ["WS-36"],
            "failed attempts to connect are missing from the metrics",
            policy: { $0.metrics.attempts = .areCountedIfTheySucceed }
        ),
        Defect(
            "lateDeliveriesUnmeasured",
            ["WS-36"],
            "a message that a page or a replay confirms is missing from the metrics",
            policy: { $0.metrics.deliveries = .areMeasuredIfConfirmed }
        ),
        Defect(
            "imageUploadsUntimed",
            ["PO-1.3o", "PO-E1"],
            "the metrics count the uploads of images and do not time them",
            policy: { $0.metrics.uploads = .areOnlyCounted }
        ),
        Defect(
            "refusalsCountAsDeletions",
            ["PO-2.1k"],
            "the metrics count a deletion as successful although the server has rejected it",
            policy: { $0.metrics.refusals = .areSuccesses }
        ),
        Defect(
            "deletionsOfOthersCount",
            ["PO-2.1k"],
            "the metrics count a deletion that another user has made",
            policy: { $0.metrics.deletions = .areCountedWhenAnnounced }
        ),
        Defect(
            "deletionsCountWhenAsked",
            ["PO-2.1k"],
            "the metrics count a deletion when the user confirms it, also one that is undone",
            policy: { $0.metrics.deletions = .areCountedWhenAsked }
        ),
        Defect(
            "latencyByPhoneClock",
            ["WS-38"],
            "a jump of the phone's clock counts as time that the delivery of a message has taken",
            policy: { $0.metrics.latency = .byPhoneClock }
        ),
    ]
}
