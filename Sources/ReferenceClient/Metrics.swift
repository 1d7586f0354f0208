import SquallCore

/// Counters and durations that the client reports. No decision depends on them.
struct Metrics {
    private(set) var attempts: Int64 = 0
    private(set) var connections: Int64 = 0
    private var reconnects = Mean()
    private var deliveries = Mean()
    private var lostAt: Instant?
    var images = Tally()
    var deletions = Tally()
    /// Counts the successful and failed deliveries of messages that had previously been queued or had failed.
    var retries = Tally()
    /// Counts how often the client's unread counts matched the server's, and how often they differed.
    var badges = Tally()
    private var presences = Mean()
    /// The latencies of the newest presence changes, at most ``maximumSpans`` of them.
    private var presenceSpans: [TimeSpan] = []
    private static let maximumSpans = 1000

    /// The percentage of connection attempts that have succeeded; nil until the first attempt has ended.
    var successPercent: Int64? {
        attempts == 0 ? nil : connections * 100 / attempts
    }

    /// The mean time from a lost connection to the next connection; nil before the first reconnect.
    var meanReconnect: TimeSpan? { reconnects.value }

    /// The mean time from the user's tap to the server's confirmation; nil before the first confirmation.
    var meanDelivery: TimeSpan? { deliveries.value }

    mutating func attemptFailed(_ step: inout Step) {
        attempts += 1
        step.changes.insert(.metrics)
    }

    mutating func connected(_ step: inout Step) {
        attempts += 1
        connections += 1
        if let lostAt { reconnects.add(step.now - lostAt) }
        lostAt = nil
        step.changes.insert(.metrics)
    }

    mutating func linkLost(at now: Instant) {
        lostAt = now
    }

    mutating func delivered(after span: TimeSpan, _ step: inout Step) {
        deliveries.add(span)
        step.changes.insert(.metrics)
    }

    /// The mean time from a presence change on the server to its arrival at this client; nil before the first arrival.
    var meanPresence: TimeSpan? { presences.value }

    /// The 95th percentile of presence update latency; nil until the first presence change has arrived.
    var presencePercentile: TimeSpan? {
        presenceSpans.isEmpty ? nil : presenceSpans.sorted()[(presenceSpans.count * 95 + 99) / 100 - 1]
    }

    mutating func presenceArrived(after span: TimeSpan, _ step: inout Step) {
        presences.add(span)
        presenceSpans.append(span)
        if presenceSpans.count > Self.maximumSpans { presenceSpans.removeFirst() }
        step.changes.insert(.metrics)
    }

    struct Mean {
        private var sum = TimeSpan.zero
        private var count: Int64 = 0

        var value: TimeSpan? { count == 0 ? nil : TimeSpan(nanoseconds: sum.nanoseconds / count) }

        mutating func add(_ span: TimeSpan) {
            sum = sum + span
            count += 1
        }
    }
}

extension Metrics {
    static let registry: [RegistryEntry] = [
        .observable("metrics.attempts", .integer, "The number of connection attempts that have succeeded or failed."),
        .observable("metrics.connections", .integer, "The number of connection attempts that have succeeded."),
        .observable(
            "metrics.success_percent",
            .integer,
            "The percentage of connection attempts that have succeeded; null before the first attempt has ended."
        ),
        .observable(
            "metrics.mean_reconnect",
            .duration,
            parity: .measured,
            "The mean time from the loss of a connection to the next connection; null before the first reconnection."
        ),
        .observable(
            "metrics.mean_delivery",
            .duration,
            parity: .measured,
            "The mean time from the user's tap to the server's confirmation of the message; null before the first "
                + "confirmation."
        ),
        .observable(
            "metrics.mean_presence",
            .duration,
            parity: .measured,
            "The mean latency of presence changes; absent before the first measurement."
        ),
        .observable(
            "metrics.presence_p95",
            .duration,
            parity: .measured,
            "The 95th percentile of the latency of presence changes; absent before the first measurement."
        ),
    ]
}
