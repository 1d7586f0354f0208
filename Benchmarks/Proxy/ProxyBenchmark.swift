import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// `make bench-proxy`: `squall proxy` beside the relays that this machine has, round about in one run.
@main
enum ProxyBenchmark {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        let arguments = CommandLine.arguments.dropFirst()
        guard let squall = arguments.first else {
            print(
                "usage: ProxyBenchmark SQUALL [ROUNDS [SECONDS [throughput|trips|latency|bandwidth|connections|idle]]]"
            )
            print("TOXIPROXY in the environment is the path of a toxiproxy-server")
            exit(64)
        }
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let seconds = arguments.dropFirst(2).first.flatMap { Double($0) } ?? 2
        let only = arguments.dropFirst(3).first
        func wants(_ measure: String) -> Bool { only == nil || only == measure }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (servers, holder) = (Servers(), Holder())
        let ports = (echo: servers.echoPort, sink: servers.sinkPort, holder: holder.port)
        let relays = Peers.all(ports, squall: squall, in: folder)
        defer { relays.forEach { $0.end() } }
        var table = Table(names: relays.map(\.name))
        for round in 1...max(1, rounds) {
            FileHandle.standardError.write(Data("round \(round) of \(rounds)\n".utf8))
            for relay in relays {
                for connections in [1, 64] where wants("throughput") {
                    let rate = Measures.throughput(relay.sinkPort, servers, connections: connections, seconds: seconds)
                    table.add("Gbit/s, \(connections) connection\(connections > 1 ? "s" : "")", relay.name, rate)
                }
                for bytes in [64, 1024] where wants("trips") {
                    let trips = Measures.roundTrips(relay.echoPort, bytes: bytes, count: 10_000)
                    guard !trips.isEmpty else { continue }
                    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
                        let trip = trips[min(trips.count - 1, Int(Double(trips.count) * share))]
                        table.add("us round trip of \(bytes) B, \(name)", relay.name, trip)
                    }
                }
                if wants("latency") { measureLatency(of: relay, into: &table) }
                if wants("bandwidth") { measureBandwidth(of: relay, servers, into: &table) }
                guard wants("connections") else { continue }
                let made = Measures.connections(relay.echoPort, seconds: seconds)
                table.add("connections a second", relay.name, made)
            }
        }
        // Each takes two descriptors of everybody: both its ends are here.
        let wanted = 10_000
        let crowd = min(wanted, descriptorLimit / 2 - 1200)
        if crowd < wanted {
            let text =
                "\(crowd) idle links: this system's \(descriptorLimit) descriptors are not enough for \(wanted)\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
        for relay in relays where relay.name != "direct" && wants("idle") {
            guard let idle = Measures.idleMemory(relay, holder, connections: crowd) else { continue }
            table.add("bytes for each of \(crowd) idle links", relay.name, idle.each)
            table.add("MB with \(crowd) idle links", relay.name, Double(idle.total) / 1e6)
            guard crowd < wanted else { continue }
            let rest = Double(wanted - crowd) * idle.each
            table.add("MB with \(wanted), extrapolated", relay.name, (Double(idle.total) + rest) / 1e6)
        }
        table.print()
    }

    /// Of what the relay's own faults promise; nothing where it has none.
    private static func measureLatency(of relay: Relay, into table: inout Table) {
        if let errors = Measures.latencyErrors(relay, milliseconds: 50, count: 100) {
            table.add("ms beyond a latency of 50, mean", relay.name, errors.reduce(0, +) / Double(errors.count))
            table.add("ms beyond a latency of 50, p50", relay.name, errors[errors.count / 2])
            table.add("ms beyond a latency of 50, p99", relay.name, errors[errors.count * 99 / 100])
        }
    }

    private static func measureBandwidth(of relay: Relay, _ servers: Servers, into table: inout Table) {
        for rate in [1, 1000, 100_000] {
            guard let miss = Measures.bandwidthError(relay, servers, kilobytes: rate, seconds: 5) else { continue }
            table.add("% off \(rate) KB/s, worst 2 s", relay.name, miss)
        }
    }

    private static var descriptorLimit: Int {
        var limit = rlimit()
        #if canImport(Darwin)
            getrlimit(RLIMIT_NOFILE, &limit)
        #else
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return Int(clamping: limit.rlim_cur)
    }

    /// To what is needed where that is allowed, else as far as may be.
    private static func raiseDescriptorLimit() {
        for most in [rlim_t(65_536), rlim_t(descriptorLimit)] {
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            #if canImport(Darwin)
                let result = setrlimit(RLIMIT_NOFILE, &limit)
            #else
                let result = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #endif
            if result == 0 { return }
        }
    }
}

/// Medians over the rounds, a row a measure and a column a relay, and each beside Squall's.
struct Table {
    let names: [String]
    private var order: [String] = []
    private var values: [String: [String: [Double]]] = [:]

    init(names: [String]) { self.names = names }

    mutating func add(_ measure: String, _ name: String, _ value: Double) {
        if values[measure] == nil { order.append(measure) }
        values[measure, default: [:]][name, default: []].append(value)
    }

    private func median(_ measure: String, _ name: String) -> Double? {
        guard let list = values[measure]?[name]?.sorted(), !list.isEmpty else { return nil }
        return list[list.count / 2]
    }

    func print() {
        func cell(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        Swift.print("\nmedian (as a multiple of squall's)")
        Swift.print(String(repeating: " ", count: 40) + names.map { cell($0, 18) }.joined())
        for measure in order {
            let own = median(measure, "squall")
            let cells = names.map { name in
                guard let value = median(measure, name) else { return cell("-", 18) }
                let number = String(format: value < 100 ? "%.2f" : "%.0f", value)
                let ratio = own.flatMap { $0 > 0 ? String(format: " (%.2f)", value / $0) : nil } ?? ""
                return cell(number + ratio, 18)
            }
            Swift.print(measure.padding(toLength: 40, withPad: " ", startingAt: 0) + cells.joined())
        }
    }
}
