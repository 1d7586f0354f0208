import Foundation

/// The measurements; each case has the name used on the command line.
enum Measure: String, CaseIterable {
    case throughput, trips, connections, tls, latency, bandwidth, idle
}

/// The command-line options of `ProxyBenchmark`.
struct Options {
    static let usage = """
        usage: ProxyBenchmark SQUALL [--rounds N] [--seconds S] [--only NAME[,NAME...]]
          --rounds   how many times to measure everything (default: 5)
          --seconds  how long to measure each throughput and each rate of connections (default: 1)
          --only     the rows (\(Measure.allCases.map(\.rawValue).joined(separator: ", "))) and columns
                     (direct, bare, squall, toxiproxy, haproxy, nginx; "haproxy x1" for one core) to measure
                     (default: all)
        The environment variable TOXIPROXY is the path of a toxiproxy-server.
        """

    let squall: String
    private(set) var rounds = 5
    private(set) var seconds = 1.0
    private var rows: Set<Measure> = []
    private var columns: [String] = []

    /// Parses the arguments; nil if they are invalid.
    init?(_ arguments: [String]) {
        guard let squall = arguments.first, !squall.hasPrefix("-") else { return nil }
        self.squall = squall
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--rounds":
                guard let number = Int(value), number > 0 else { return nil }
                rounds = number
            case "--seconds":
                guard let number = Double(value), number > 0 else { return nil }
                seconds = number
            case "--only":
                for name in value.split(separator: ",").map(String.init) {
                    if let row = Measure(rawValue: name) {
                        rows.insert(row)
                    } else if Peers.names.contains(where: { name.hasPrefix($0) }) {
                        columns.append(name)
                    } else {
                        return nil
                    }
                }
            default: return nil
            }
        }
    }

    func wants(_ measure: Measure) -> Bool { rows.isEmpty || rows.contains(measure) }

    func wants(column: String) -> Bool {
        columns.isEmpty || columns.contains { column == $0 || column.hasPrefix("\($0) ") }
    }
}
