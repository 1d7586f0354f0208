import Foundation

/// A relay under measurement: its processes, and the ports that lead to each of the servers.
final class Relay {
    let name: String
    let echoPort: Int
    let sinkPort: Int
    let holderPort: Int
    private let process: Process?
    private let apiPort: Int?

    /// A direct link.
    init(direct name: String, echo: Int, sink: Int, holder: Int) {
        self.name = name
        (echoPort, sinkPort, holderPort) = (echo, sink, holder)
        process = nil
        apiPort = nil
    }

    /// Tells a relay's API to add a toxic to the proxy that echoes; false where it would not.
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

    /// Nil where it cannot be started.
    init?(
        _ name: String,
        _ path: String,
        _ servers: (echo: Int, sink: Int, holder: Int),
        in folder: URL,
        apiPort: Int? = nil,
        write: (_ listen: [Int], _ upstream: [Int]) -> String,
        arguments: (_ file: String) -> [String]
    ) {
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        self.name = name
        self.apiPort = apiPort
        let ports = (0..<3).map { _ in Sockets.freePort() }
        (echoPort, sinkPort, holderPort) = (ports[0], ports[1], ports[2])
        let file = folder.appendingPathComponent("\(name).conf")
        let text = write(ports, [servers.echo, servers.sink, servers.holder])
        let process = Process()
        self.process = process
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments(file.path)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? text.write(to: file, atomically: true, encoding: .utf8)) != nil, (try? process.run()) != nil else {
            return nil
        }
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

    func end() {
        process?.terminate()
        process?.waitUntilExit()
    }

    /// Of it and of its children, in bytes.
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

/// The relays that this machine has.
enum Peers {
    static func all(_ servers: (echo: Int, sink: Int, holder: Int), squall: String, in folder: URL) -> [Relay] {
        let environment = ProcessInfo.processInfo.environment
        let list: (_ listen: [Int], _ upstream: [Int]) -> String = { listen, upstream in
            let entries = zip(listen, upstream).enumerated().map { place, ports in
                #"{"name":"p\#(place)","listen":"127.0.0.1:\#(ports.0)","upstream":"127.0.0.1:\#(ports.1)"}"#
            }
            return "[\(entries.joined(separator: ","))]"
        }
        let (squallPort, toxiproxyPort) = (Sockets.freePort(), Sockets.freePort())
        let candidates: [Relay?] = [
            Relay(direct: "direct", echo: servers.echo, sink: servers.sink, holder: servers.holder),
            Relay("squall", squall, servers, in: folder, apiPort: squallPort, write: list) {
                ["proxy", "--port", "\(squallPort)", "--config", $0]
            },
            environment["TOXIPROXY"].flatMap { path in
                Relay("toxiproxy", path, servers, in: folder, apiPort: toxiproxyPort, write: list) {
                    ["-port", "\(toxiproxyPort)", "-config", $0]
                }
            },
        ]
        // On a single core, as Squall is, and on all.
        let cores = Set([1, ProcessInfo.processInfo.activeProcessorCount]).sorted()
        let threaded = cores.flatMap { cores in
            [
                Relay("haproxy x\(cores)", "/usr/sbin/haproxy", servers, in: folder) {
                    haproxy(threads: cores, $0, $1)
                } arguments: {
                    ["-f", $0]
                },
                Relay("nginx x\(cores)", "/usr/sbin/nginx", servers, in: folder) {
                    nginx(workers: cores, $0, $1)
                } arguments: {
                    ["-c", $0, "-p", folder.path, "-e", "/dev/null"]
                },
            ]
        }
        return (candidates + threaded).compactMap { $0 }
    }

    private static func haproxy(threads: Int, _ listen: [Int], _ upstream: [Int]) -> String {
        let parts = zip(listen, upstream).enumerated().map { place, ports in
            "listen p\(place)\n  bind 127.0.0.1:\(ports.0)\n  server s 127.0.0.1:\(ports.1)\n"
        }
        return """
            global
              maxconn 9000
              nbthread \(threads)
            defaults
              mode tcp
              maxconn 9000
              timeout connect 5s
              timeout client 10m
              timeout server 10m

            """ + parts.joined(separator: "\n")
    }

    private static func nginx(workers: Int, _ listen: [Int], _ upstream: [Int]) -> String {
        let parts = zip(listen, upstream).map { ports in
            "server { listen 127.0.0.1:\(ports.0); proxy_pass 127.0.0.1:\(ports.1); proxy_timeout 10m; }\n"
        }
        return """
            load_module /usr/lib/nginx/modules/ngx_stream_module.so;
            daemon off;
            pid nginx-\(workers).pid;
            worker_processes \(workers);
            worker_rlimit_nofile 60000;
            events { worker_connections 30000; }
            stream {
            \(parts.joined())}
            """
    }
}
