import Foundation

/// A relay to be measured: its processes, and its port for each server.
final class Relay {
    let name: String
    let echoPort: Int
    let briefPort: Int
    let sinkPort: Int
    let holderPort: Int
    /// A port whose data reaches the sink after a delay of 1 ms; nil except for the bare relay.
    let delayedPort: Int?
    private let process: Process?
    private let apiPort: Int?

    /// The ports of the servers.
    typealias Ports = (echo: Int, brief: Int, sink: Int, holder: Int)

    /// Returns ports that are currently free, one for each server.
    static var freePorts: [Int] { (0..<4).map { _ in Sockets.freePort() } }

    var hasAPI: Bool { apiPort != nil }

    /// Creates a direct link, without a relay.
    init(direct name: String, _ servers: Ports) {
        self.name = name
        (echoPort, briefPort, sinkPort, holderPort) = servers
        delayedPort = nil
        process = nil
        apiPort = nil
    }

    /// Adds a toxic through the relay's API to the proxy for the echo server. Returns false if the API rejects it.
    func addToxic(_ body: String, to proxy: String) -> Bool {
        guard let apiPort else { return false }
        return Self.call(apiPort, "POST", "/proxies/\(proxy)/toxics", body)
    }

    func reset() { if let apiPort { _ = Self.call(apiPort, "POST", "/reset", "") } }

    private static func call(_ port: Int, _ method: String, _ path: String, _ body: String) -> Bool {
        guard let descriptor = Sockets.connect(to: port) else { return false }
        defer { Sockets.drop(descriptor) }
        let request =
            "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        guard Array(request.utf8).withUnsafeBytes({ Sockets.sendAll(descriptor, $0) }) else { return false }
        var answer = [UInt8](repeating: 0, count: 12)
        guard answer.withUnsafeMutableBytes({ Sockets.receiveAll(descriptor, $0) }) else { return false }
        return answer[9] == UInt8(ascii: "2")
    }

    /// Starts the relay; nil if it cannot be started.
    init?(
        _ name: String,
        _ path: String,
        _ servers: Ports,
        in session: Session,
        apiPort: Int? = nil,
        ports: [Int] = freePorts,
        file: String? = nil,
        write: (_ listen: [Int], _ upstream: [Int]) -> String,
        arguments: (_ file: String) -> [String]
    ) {
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.name = name
        self.apiPort = apiPort
        (echoPort, briefPort, sinkPort, holderPort) = (ports[0], ports[1], ports[2], ports[3])
        delayedPort = ports.count > 4 ? ports[4] : nil
        let file = session.folder.appendingPathComponent("\(file ?? name).conf")
        let text = write(ports, [servers.echo, servers.brief, servers.sink, servers.holder])
        let process = Process()
        self.process = process
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments(file.path)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? text.write(to: file, atomically: true, encoding: .utf8)) != nil, (try? process.run()) != nil else {
            return nil
        }
        session.started(process.processIdentifier)
        let limit = Date().addingTimeInterval(10)
        while Date() < limit {
            if let descriptor = Sockets.connect(to: holderPort) {
                Sockets.drop(descriptor)
                return
            }
            usleep(20_000)
        }
        process.terminate()
        return nil
    }

    /// The resident memory of the process and its children in bytes.
    var memory: Int {
        guard let process else { return 0 }
        let own = Int(process.processIdentifier)
        let children = (try? String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)) ?? ""
        let all = [own] + children.split(separator: " ").compactMap { Int($0) }
        return all.reduce(0) { sum, id in
            let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return sum
                + (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0)
                * 1024
        }
    }
}

/// The columns of the table: the relays, and a direct link and a bare relay for comparison.
enum Peers {
    /// The relays' names on the command line.
    static let names = ["direct", "bare", "squall", "toxiproxy", "haproxy", "nginx"]

    static func all(_ servers: Relay.Ports, _ options: Options, in session: Session) -> [Relay] {
        let list: (_ listen: [Int], _ upstream: [Int]) -> String = { listen, upstream in
            let entries = zip(listen, upstream).enumerated().map { index, ports in
                #"{"name":"p\#(index)","listen":"127.0.0.1:\#(ports.0)","upstream":"127.0.0.1:\#(ports.1)"}"#
            }
            return "[\(entries.joined(separator: ","))]"
        }
        var relays: [Relay] = []
        func add(_ name: String, _ make: () -> Relay?) {
            guard options.wants(column: name) else { return }
            if let relay = make() {
                relays.append(relay)
            } else {
                Session.progress("\(name): not installed\n")
            }
        }
        add("direct") { Relay(direct: "direct", servers) }
        add("bare") {
            let pairs = Relay.freePorts + [Sockets.freePort()]
            let upstreams = [servers.echo, servers.brief, servers.sink, servers.holder, servers.sink]
            let arguments = zip(pairs, upstreams).flatMap { ["\($0)", "\($1)"] }
            return Relay("bare", CommandLine.arguments[0], servers, in: session, ports: pairs) { _, _ in
                ""
            } arguments: { _ in
                [BareRelay.word] + arguments
            }
        }
        // Like the other relays, Squall is measured with one thread and with one thread per core.
        let cores = Set([1, ProcessInfo.processInfo.activeProcessorCount]).sorted()
        for cores in cores {
            let name = cores == 1 ? "squall" : "squall x\(cores)"
            add(name) {
                let port = Sockets.freePort()
                return Relay(name, options.squall, servers, in: session, apiPort: port, write: list) {
                    ["proxy", "--port", "\(port)", "--config", $0, "--threads", "\(cores)"]
                }
            }
        }
        if let path = ProcessInfo.processInfo.environment["TOXIPROXY"] {
            add("toxiproxy") {
                let port = Sockets.freePort()
                return Relay("toxiproxy", path, servers, in: session, apiPort: port, write: list) {
                    ["-port", "\(port)", "-config", $0]
                }
            }
        }
        for cores in cores {
            add("haproxy x\(cores)") {
                Relay("haproxy x\(cores)", "/usr/sbin/haproxy", servers, in: session) {
                    haproxy(threads: cores, $0, $1)
                } arguments: {
                    ["-f", $0]
                }
            }
            add("nginx x\(cores)") {
                Relay("nginx x\(cores)", "/usr/sbin/nginx", servers, in: session) {
                    nginx(workers: cores, $0, $1)
                } arguments: {
                    ["-c", $0, "-p", session.folder.path, "-e", "/dev/null"]
                }
            }
        }
        return relays
    }

    /// HAProxy's connection limit. At startup, HAProxy checks that it has enough descriptors for this many connections.
    private static var crowd: Int { (Descriptors.limit - 100) / 2 }

    /// Returns HAProxy's configuration. `securing` contains the options that enable TLS termination.
    static func haproxy(threads: Int, _ listen: [Int], _ upstream: [Int], securing: String = "") -> String {
        let parts = zip(listen, upstream).enumerated().map { index, ports in
            "listen p\(index)\n  bind 127.0.0.1:\(ports.0)\(securing)\n  server s 127.0.0.1:\(ports.1)\n"
        }
        return """
            global
              maxconn \(crowd)
              nbthread \(threads)
            defaults
              mode tcp
              maxconn \(crowd)
              timeout connect 5s
              timeout client 10m
              timeout server 10m

            """ + parts.joined(separator: "\n")
    }

    static func nginx(workers: Int, _ listen: [Int], _ upstream: [Int], securing: String = "") -> String {
        let parts = zip(listen, upstream).map { ports in
            "server { listen 127.0.0.1:\(ports.0)\(securing.isEmpty ? "" : " ssl"); \(securing) "
                + "proxy_pass 127.0.0.1:\(ports.1); proxy_timeout 10m; }\n"
        }
        return """
            load_module /usr/lib/nginx/modules/ngx_stream_module.so;
            daemon off;
            pid nginx-\(workers)\(securing.isEmpty ? "" : "-tls").pid;
            worker_processes \(workers);
            worker_rlimit_nofile \(Descriptors.limit);
            events { worker_connections 30000; }
            stream {
            \(parts.joined())}
            """
    }
}
