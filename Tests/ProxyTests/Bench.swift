import Foundation
import Proxy
import SquallCore
import Synchronization
import Testing

/// A proxy server running on its own thread, with helper methods that call its API.
final class Bench: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
        init(_ description: String) { self.description = description }
    }

    struct Reply: Sendable {
        var status: Int
        /// The header fields, with names in lower case.
        var headers: [String: String]
        var body: String

        var json: JSON { (try? JSON.decode(body)) ?? .null }
        subscript(name: String) -> JSON { json[name] ?? .null }
    }

    let port: Int
    private let mailbox: ReactorInbox
    private let ended: DispatchSemaphore
    private let lines: LineBox

    /// The number of proxy threads that all tests use, as set in the environment; nil if it is not set.
    private static let threads = ProcessInfo.processInfo.environment["PROXY_THREADS"].flatMap { Int($0) }

    /// Runs a test with a proxy server and then stops it. If `hears` is false, events are discarded to save memory.
    static func with(
        _ options: ProxyServer.Options = ProxyServer.Options(),
        file: String? = nil,
        hears: Bool = true,
        _ body: (Bench) throws -> Void
    ) throws {
        let bench = try Bench(options, file: file, hears: hears)
        defer { bench.stop() }
        try body(bench)
        let known = Set(ProxyEventEntry.all.map(\.name))
        for event in bench.events.compactMap({ $0["event"]?.stringValue }) where !known.contains(event) {
            throw Failure("\(event) is no event that the page has")
        }
    }

    private init(_ given: ProxyServer.Options, file: String?, hears: Bool) throws {
        var options = given
        options.host = "127.0.0.1"
        options.port = 0
        if options.threads == 1, let threads = Self.threads { options.threads = threads }
        let chosen = options
        let lines = LineBox()
        self.lines = lines
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<(Int, ReactorInbox), Failure>>(.failure(Failure("did not start")))
        let box = OutcomeBox(outcome)
        Thread.detachNewThread {
            do {
                let server = try ProxyServer(chosen)
                if hears {
                    server.onEvent = { lines.append($0) }
                    server.emitEvents()
                }
                if let file { try server.load(ProxyFile(Array(file.utf8))) }
                let address = try server.listen()
                let port = Int(address.split(separator: ":").last ?? "") ?? 0
                box.value.withLock { $0 = .success((port, server.reactor.mailbox)) }
                started.signal()
                server.run()
            } catch {
                let failure = Failure("\(error)")
                box.value.withLock { $0 = .failure(failure) }
                started.signal()
            }
            ended.signal()
        }
        guard started.wait(timeout: .now() + 30) == .success else { throw Failure("the server did not start") }
        (port, mailbox) = try box.value.withLock { $0 }.get()
        self.ended = ended
    }

    private func stop() {
        mailbox.post(.stop)
        if ended.wait(timeout: .now() + 30) != .success { Issue.record("the server did not end") }
    }

    /// The events that the proxy has emitted so far.
    var events: [JSON] { lines.all.compactMap { try? JSON.decode($0) } }

    /// Waits for an event with this name. Returns nil if none arrives in time.
    func event(_ name: String, within seconds: Double = 10, where isMeant: (JSON) -> Bool = { _ in true }) -> JSON? {
        let limit = Date().addingTimeInterval(seconds)
        while true {
            if let found = events.first(where: { $0["event"]?.stringValue == name && isMeant($0) }) { return found }
            guard Date() < limit else { return nil }
            lines.waitForMore(until: limit)
        }
    }

    // MARK: - Requests

    @discardableResult
    func call(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        _ headers: [String] = [],
        within seconds: Double = 10
    ) throws -> Reply {
        let peer = try Peer(connectingTo: port)
        defer { peer.close() }
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        let head = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + length + headers
        peer.send(head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let answer = String(decoding: peer.receiveAll(within: seconds).bytes, as: UTF8.self)
        guard let end = answer.range(of: "\r\n\r\n") else { throw Failure("no answer to \(method) \(path): \(answer)") }
        let lines = answer[..<end.lowerBound].components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.components(separatedBy: ": ")
            fields[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
        }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Reply(status: status, headers: fields, body: String(answer[end.upperBound...]))
    }

    /// Creates a proxy and returns its port.
    func proxy(_ name: String = "p", to upstream: Int, toxics: String = "[]") throws -> Int {
        let body =
            #"{"name":"\#(name)","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream)","toxics":\#(toxics)}"#
        let reply = try call("POST", "/proxies", body)
        let port = reply["listen"].stringValue.flatMap { Int($0.split(separator: ":").last ?? "") }
        guard let port else { throw Failure("no proxy: \(reply.body)") }
        return port
    }

    func toxic(_ type: String, _ attributes: String = "{}", stream: String = "downstream", on name: String = "p") throws
    {
        let body = #"{"name":"\#(type)","type":"\#(type)","stream":"\#(stream)","attributes":\#(attributes)}"#
        let reply = try call("POST", "/proxies/\(name)/toxics", body)
        guard reply.status == 200 else { throw Failure("no toxic: \(reply.body)") }
    }
}

private final class OutcomeBox: Sendable {
    let value: Mutex<Result<(Int, ReactorInbox), Bench.Failure>>
    init(_ value: consuming Mutex<Result<(Int, ReactorInbox), Bench.Failure>>) { self.value = value }
}

/// A thread-safe queue of lines, filled by another thread.
private final class LineBox: Sendable {
    private let lines = Mutex<[[UInt8]]>([])
    private let more = DispatchSemaphore(value: 0)

    func append(_ line: [UInt8]) {
        lines.withLock { $0.append(line) }
        more.signal()
    }

    var all: [[UInt8]] { lines.withLock { $0 } }

    func waitForMore(until limit: Date) {
        _ = more.wait(timeout: .now() + max(0, limit.timeIntervalSinceNow))
    }
}
