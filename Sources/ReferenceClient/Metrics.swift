import SquallCore

/// What the client counts and times for whoever runs it: no decision hangs on any of it.
struct Metrics {
    private(set) var attempts: Int64 = 0
    private(set) var connections: Int64 = 0
    private var reconnects = Mean()
    private var deliveries = Mean()
    private var lostAt: Instant?
    var images = Tally()
    var deletions = Tally()
    /// Messages that had to wait, or failed, before they were sent again.
    var retries = Tally()
    /// Looks at the server's counts that the client had counted, too.
    var badges = Tally()
    private var presences = Mean()
    /// The newest.
    private var presenceSpans: [TimeSpan] = []
    private static let mostSpans = 1000

    /// Of a hundred attempts, how many came to a connection; nil before the first has ended.
    var successPercent: Int64? {
        attempts == 0 ? nil : connections * 100 / attempts
    }

    /// From a lost connection to the next.
    var meanReconnect: TimeSpan? { reconnects.value }

    /// From the user's tap to the server's confirmation.
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

    /// Of a change of presence: from the server's knowing to this client's.
    var meanPresence: TimeSpan? { presences.value }

    /// What 95 of 100 changes of presence took at most.
    var presencePercentile: TimeSpan? {
        presenceSpans.isEmpty ? nil : presenceSpans.sorted()[(presenceSpans.count * 95 + 99) / 100 - 1]
    }

    mutating func presenceArrived(after span: TimeSpan, _ step: inout Step) {
        presences.add(span)
        presenceSpans.append(span)
        if presenceSpans.count > Self.mostSpans { presenceSpans.removeFirst() }
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
        .observable("metrics.attempts", .integer, "Attempts to connect that have ended, well or not."),
        .observable("metrics.connections", .integer, "Those that came to a connection."),
        .observable("metrics.success_percent", .integer, "Those in a hundred; null before the first has ended."),
        .observable(
            "metrics.mean_reconnect",
            .duration,
            parity: .measured,
            "From a lost connection to the next, on average; null before the first."
        ),
        .observable(
            "metrics.mean_delivery",
            .duration,
            parity: .measured,
            "From sending to the server's confirmation, on average; null before the first."
        ),
        .observable(
            "metrics.mean_presence",
            .duration,
            parity: .measured,
            "From somebody's coming or going to its arrival here, on average. Shown once it was measured."
        ),
        .observable(
            "metrics.presence_p95",
            .duration,
            parity: .measured,
            "What 95 of 100 such changes took at most. Shown once it was measured."
        ),
    ]
}
