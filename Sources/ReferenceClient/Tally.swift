import SquallCore

/// How many of something went well, and how long they took.
struct Tally {
    private(set) var good: Int64 = 0
    private var bad: Int64 = 0
    private var begins: [String: Instant] = [:]
    private var spans = Metrics.Mean()

    var wasUsed: Bool { good + bad > 0 }

    /// Of a hundred that have ended, how many went well; nil before the first.
    var successPercent: Int64? { wasUsed ? good * 100 / (good + bad) : nil }

    /// From the beginning to the good end, on average; nil before the first.
    var mean: TimeSpan? { spans.value }

    mutating func began(_ key: String, at now: Instant) {
        begins[key] = now
    }

    /// Well, and since it ``began(_:at:)`` it is timed.
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
            "Images of the user that were uploaded; nothing before the first has ended."
        ),
        .observable("metrics.image_success_percent", .integer, "Of a hundred uploads that ended, how many went well."),
        .observable(
            "metrics.mean_image_upload",
            .duration,
            parity: .measured,
            "From the user's tap until the server has the image, on average; null before the first."
        ),
        .observable(
            "metrics.deletions",
            .integer,
            "Deletions of the user that the server has agreed to; nothing before the first has ended."
        ),
        .observable(
            "metrics.deletion_success_percent",
            .integer,
            "Of a hundred deletions that ended, how many went well."
        ),
        .observable(
            "metrics.badge_accuracy_percent",
            .integer,
            "Of a hundred counts of the server, how many the client had counted alike; nothing before the first."
        ),
        .observable(
            "metrics.retry_success_percent",
            .integer,
            "Of a hundred tries of messages that had waited or failed before, how many went well; nothing before the first."
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
