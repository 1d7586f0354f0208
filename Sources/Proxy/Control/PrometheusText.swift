import Sockets

/// Renders the response to `GET /metrics` in the Prometheus text format.
enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"

    static func render(_ server: ProxyServer) -> String {
        var lines: [String] = []
        func family(_ name: String, _ type: String, _ rows: [(labels: String, value: UInt64)]) {
            lines.append("# HELP \(name) ")
            lines.append("# TYPE \(name) \(type)")
            for row in rows { lines.append("\(name)\(row.labels) \(row.value)") }
        }
        if server.options.proxyMetrics {
            let proxies = server.sorted
            func counts(_ value: (Traffic.Count) -> UInt64) -> [(String, UInt64)] {
                proxies.flatMap { proxy in
                    [("downstream", proxy.downstreamCount), ("upstream", proxy.upstreamCount)].map { direction, count in
                        (labels(of: proxy, direction: direction), value(count))
                    }
                }
            }
            family("toxiproxy_proxy_received_bytes_total", "counter", counts(\.received))
            family("toxiproxy_proxy_sent_bytes_total", "counter", counts(\.sent))
            family(
                "squall_proxy_connections",
                "gauge",
                proxies.map { (labels(of: $0), UInt64($0.open)) }
            )
            family(
                "squall_proxy_connections_total",
                "counter",
                proxies.map { (labels(of: $0), UInt64($0.accepted)) }
            )
        }
        if server.options.runtimeMetrics {
            family("process_open_fds", "gauge", [("", UInt64(ProcessFacts.openDescriptors))])
            family("process_max_fds", "gauge", [("", UInt64(ProcessFacts.descriptorLimit))])
            if let memory = ProcessFacts.residentMemory {
                family("process_resident_memory_bytes", "gauge", [("", UInt64(memory))])
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func labels(of proxy: RunningProxy, direction: String? = nil) -> String {
        var pairs = [("listener", proxy.listen), ("proxy", proxy.name), ("upstream", proxy.upstream)]
        if let direction { pairs.insert(("direction", direction), at: 0) }
        return "{" + pairs.map { "\($0)=\"\(escape($1))\"" }.joined(separator: ",") + "}"
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
