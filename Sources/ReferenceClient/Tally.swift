import SquallCore

/// Counts successes and failures of an operation, and averages the duration of the successes.
struct Tally {
    private(set) var good: Int64 = 0
    private var bad: Int64 = 0
    private var begins: [String: Instant] = [:]
    private var spans = Metrics.Mean()

    var wasUsed: Bool { good + bad > 0 }

    /// The percentage of finished operations that succeeded; nil until the first has finished.
    var successPercent: Int64? { wasUsed ? good * 100 / (good + bad) : nil }

    /// The mean duration of timed successes; nil before the first success.
    var mean: TimeSpan? { spans.value }

    mutating func began(_ key: String, at now: Instant) {
        begins[key] = now
    }

    /// Counts a success, and its duration if ``began(_:at:)`` was called for `key`.
    mutating func ended(_ key: String, at now: Instant) {
        ended(isGood: true)
        guard let begin = begins.removeValue(forKey: key) else { return }
        spans.add(now - begin)
    }

    mutating func ended(isGood: Bool) {
        if isGood { good += 1 } else { bad += 1 }
    }

    static let registry: [RegistryEntry] = [
        .observable(
            "metrics.images",
            .integer,
            "The number of the user's images that were uploaded; absent before the first upload has finished."
        ),
        .observable(
            "metrics.image_success_percent",
            .integer,
            "The percentage of finished image uploads that succeeded."
        ),
        .observable(
            "metrics.mean_image_upload",
            .duration,
            parity: .measured,
            "The mean time from the user's tap until the server has received the image; null before the first upload "
                + "has finished."
        ),
        .observable(
            "metrics.deletions",
            .integer,
            "The number of the user's deletions that the server has confirmed; absent before the first deletion has "
                + "finished."
        ),
        .observable(
            "metrics.deletion_success_percent",
            .integer,
            "The percentage of finished deletions that succeeded."
        ),
        .observable(
            "metrics.badge_accuracy_percent",
            .integer,
            "The percentage of the server's unread counts that equal the client's counts; absent before the first "
                + "comparison."
        ),
        .observable(
            "metrics.retry_success_percent",
            .integer,
            "The percentage of delayed or retried messages whose delivery succeeded; absent before the first such "
                + "message has finished."
        ),
    ]
}

extension Client {
    mutating func showTallies(_ step: inout Step) {
        if metrics.images.wasUsed {
            display.show("metrics.images", .integer(metrics.images.good), &step)
            display.show("metrics.image_success_percent", .integer(metrics.images.successPercent ?? 0), &step)
            let mean = metrics.images.mean.map { JSON.integer($0.nanoseconds) }
            display.show("metrics.mean_image_upload", mean ?? .null, &step)
        }
        if metrics.badges.wasUsed {
            let percent = metrics.badges.successPercent ?? 0
            display.show("metrics.badge_accuracy_percent", .integer(percent), &step)
        }
        if metrics.retries.wasUsed {
            let percent = metrics.retries.successPercent ?? 0
            display.show("metrics.retry_success_percent", .integer(percent), &step)
        }
        if metrics.deletions.wasUsed {
            display.show("metrics.deletions", .integer(metrics.deletions.good), &step)
            let percent = metrics.deletions.successPercent ?? 0
            display.show("metrics.deletion_success_percent", .integer(percent), &step)
        }
    }
}
