import Foundation

/// The row labels of the results table.
enum Row {
    static func throughput(_ connections: Int) -> String {
        "Gbit/s, \(connections) connection\(connections > 1 ? "s" : "")"
    }
    static func trip(_ bytes: Int, _ share: String) -> String { "us round trip of \(bytes) B, \(share)" }
    static let connections = "connections a second"
    static let securedThroughput = "Gbit/s by TLS, 1 connection"
    static let securedConnections = "connections a second by TLS"
    static func beyond(_ share: String) -> String { "ms beyond a latency of 50, \(share)" }
    static func off(_ rate: Int) -> String { "% off \(rate) KB/s, worst 2 s" }
    static let delayed = "Gbit/s with a latency of 1 ms"
    static let idleCount = "idle links held"
    static let idleEach = "bytes for each idle link"
    static let idleTotal = "MB with the idle links"
    static let idleMost = "MB with 10000 idle links"
}

/// A performance target for the proxy, and whether this run meets it.
struct Mark: Sendable {
    private enum Bound: Sendable {
        case atLeast(Double)
        case atMost(Double)
    }

    private let text: String
    private let bound: Bound
    private let isGate: Bool
    /// Computes the measured value; nil if a required measurement is missing.
    private let value: @Sendable (Table) -> Double?

    static let all: [Mark] = [
        Mark("throughput of one connection relative to Toxiproxy's", .atLeast(2.5)) {
            $0.ratio(Row.throughput(1), "squall", to: "toxiproxy")
        },
        Mark("throughput of one connection relative to HAProxy's", .atLeast(1.5)) {
            $0.ratio(Row.throughput(1), "squall", to: "haproxy x1")
        },
        Mark("throughput of one connection relative to the direct link's", .atLeast(0.6)) {
            $0.ratio(Row.throughput(1), "squall", to: "direct")
        },
        Mark("the same for the bare relay", .atLeast(0.6), isGate: false) {
            $0.ratio(Row.throughput(1), "bare", to: "direct")
        },
        Mark("p50 added to a round trip of 64 B relative to Toxiproxy's", .atMost(0.5)) {
            added(64, "p50", in: $0, beside: "toxiproxy")
        },
        Mark("p50 added to a round trip of 64 B relative to HAProxy's", .atMost(1)) {
            added(64, "p50", in: $0, beside: "haproxy x1")
        },
        Mark("p99 of a round trip of 64 B relative to HAProxy's", .atMost(1.15), isGate: false) {
            $0.ratio(Row.trip(64, "p99"), "squall", to: "haproxy x1")
        },
        Mark("p99 of a round trip of 1 KiB relative to HAProxy's", .atMost(1.15), isGate: false) {
            $0.ratio(Row.trip(1024, "p99"), "squall", to: "haproxy x1")
        },
        Mark("connections a second relative to HAProxy's", .atLeast(1)) {
            $0.ratio(Row.connections, "squall", to: "haproxy x1")
        },
        Mark("throughput of one connection by TLS relative to HAProxy's", .atLeast(1), isGate: false) {
            $0.ratio(Row.securedThroughput, "squall", to: "haproxy x1")
        },
        Mark("connections a second by TLS relative to HAProxy's", .atLeast(1), isGate: false) {
            $0.ratio(Row.securedConnections, "squall", to: "haproxy x1")
        },
        Mark("ms beyond a latency of 50 ms, mean, without the direct link's round trip", .atMost(0.3)) {
            beyond("mean", in: $0)
        },
        Mark("ms beyond a latency of 50 ms, p99, without the direct link's round trip", .atMost(1)) {
            beyond("p99", in: $0)
        },
        Mark("% off a rate of 1000 KB/s in the worst 2 s", .atMost(0.5)) { $0.median(Row.off(1000), "squall") },
        Mark("% off a rate of 100,000 KB/s in the worst 2 s", .atMost(0.5)) { $0.median(Row.off(100_000), "squall") },
        Mark("throughput with a latency of 1 ms, relative to that without", .atLeast(1)) { table in
            guard let delayed = table.median(Row.delayed, "squall"),
                let plain = table.median(Row.throughput(1), "squall")
            else { return nil }
            return delayed / plain
        },
        Mark("the same for the bare relay", .atLeast(1), isGate: false) {
            table in
            guard let delayed = table.median(Row.delayed, "bare"), let plain = table.median(Row.throughput(1), "bare")
            else { return nil }
            return delayed / plain
        },
        Mark("MB with 10,000 idle links", .atMost(150)) { $0.median(Row.idleMost, "squall") },
    ]

    private init(
        _ text: String,
        _ bound: Bound,
        isGate: Bool = true,
        _ value: @escaping @Sendable (Table) -> Double?
    ) {
        self.text = text
        self.bound = bound
        self.isGate = isGate
        self.value = value
    }

    /// Returns the ratio of the latencies that Squall and another relay add to a direct link's round trip.
    private static func added(_ bytes: Int, _ share: String, in table: Table, beside other: String) -> Double? {
        let row = Row.trip(bytes, share)
        guard let direct = table.median(row, "direct"), let own = table.median(row, "squall"),
            let theirs = table.median(row, other), theirs > direct
        else { return nil }
        return (own - direct) / (theirs - direct)
    }

    private static func beyond(_ share: String, in table: Table) -> Double? {
        guard let own = table.median(Row.beyond(share), "squall") else { return nil }
        return own - (table.median(Row.trip(1024, "p50"), "direct") ?? 0) / 1000
    }

    func verdict(in table: Table) -> String? {
        guard let value = value(table) else { return nil }
        let (isMet, wanted) =
            switch bound {
            case .atLeast(let least): (value >= least, "at least \(Self.short(least))")
            case .atMost(let most): (value <= most, "at most \(Self.short(most))")
            }
        let word = (isMet ? "met" : "not met").padding(toLength: 8, withPad: " ", startingAt: 0)
        return "\(word) \(text): \(Self.short(value)), \(wanted)\(isGate ? "" : " (informational)")"
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() ? String(format: "%.0f", value) : String(format: "%.2f", value)
    }
}
