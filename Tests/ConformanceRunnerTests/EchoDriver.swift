import Conformance
import ConformanceRunner
import Faults
import NIOCore
import NIOPosix
import Sockets
import SquallCore

/// Drives Squall's echo client through the tester's control URLs, like any other client.
enum EchoDriver {
    /// Runs the client tester against the echo client.
    ///
    /// `first` can make other requests to the port before the cases run. `through` maps the tester's port to the port
    /// that the echo client connects to.
    static func judge(
        _ cases: [ConformanceCase],
        first: (Int) async throws -> Void = { _ in },
        through: (Int) throws -> Int = { $0 }
    ) async throws -> [ConformanceResult] {
        let ready = AsyncStream.makeStream(of: Int.self)
        async let session = ClientSession.play(
            cases,
            port: 0,
            command: nil,
            onReady: { ready.continuation.yield($0) }
        )
        for await port in ready.stream {
            try await first(port)
            try await play(port: try through(port), agent: "squall")
            break
        }
        return try await session.results
    }

    /// Runs every case that the server at this port offers, one after another.
    static func play(port: Int, agent: String) async throws {
        let count = try await ask("/getCaseCount", port: port).first.flatMap { Int($0) } ?? 0
        for index in 1...max(count, 1) {
            _ = try await ask("/runCase?case=\(index)&agent=\(agent)", port: port, echoes: true)
        }
        _ = try await ask("/updateReports?agent=\(agent)&shutdownOnComplete=true", port: port)
    }

    /// Connects to a port on loopback and returns the value with which `body` completes its promise.
    static func dial<Value: Sendable>(
        _ port: Int,
        _ body: @escaping @Sendable (Connection, EventLoopPromise<Value>) -> Void
    ) async throws -> Value {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: Value.self)
        loop.execute {
            Connection.connect(
                toHost: "127.0.0.1",
                port: port,
                within: .seconds(5),
                settings: SocketSettings(),
                on: loop
            ) { outcome in
                guard case .connected(let connection) = outcome else {
                    return promise.fail(ChannelError.connectTimeout(.seconds(5)))
                }
                body(connection, promise)
            }
        }
        return try await promise.futureResult.get()
    }

    /// Runs one connection until it ends. Returns the text messages received, unless the client echoes them.
    static func ask(_ path: String, port: Int, echoes: Bool = false) async throws -> [String] {
        try await dial(port) { connection, promise in
            var client = EchoClient(host: "127.0.0.1:\(port)", path: path, seed: Seed(7))
            var texts: [String] = []
            var isOver = false
            connection.write(client.takeOutput())
            connection.onEvent = { event in
                switch event {
                case .received(let bytes): texts += client.receive(bytes, echoes: echoes)
                case .ended: client.receiveEnd()
                }
                connection.write(client.takeOutput())
                guard client.shouldEnd, !isOver else { return }
                isOver = true
                connection.end(.fin)
                promise.succeed(texts)
            }
        }
    }
}

extension EchoDriver {
    /// Sends the bytes and returns everything that is received until the connection ends.
    static func say(_ bytes: [UInt8], port: Int) async throws -> String {
        try await dial(port) { connection, promise in
            var said: [UInt8] = []
            connection.onEvent = { event in
                switch event {
                case .received(let bytes): said += bytes
                case .ended:
                    promise.succeed(String(decoding: said, as: UTF8.self))
                    connection.end(.fin)
                }
            }
            connection.write(bytes)
        }
    }
}

/// Runs Squall's echo endpoint on a port.
enum EchoEndpoint {
    /// Runs the endpoint while `body` runs. `body` receives the port and the endpoint's task, which it can cancel.
    static func with(_ body: (Int, Task<Void, any Error>) async throws -> Void) async throws {
        let ready = AsyncStream.makeStream(of: Int.self)
        let endpoint = Task { try await EchoSession.serve(port: 0) { ready.continuation.yield($0) } }
        defer { endpoint.cancel() }
        for await port in ready.stream {
            try await body(port, endpoint)
            break
        }
        endpoint.cancel()
        try await endpoint.value
    }

    static func with(_ body: (Int) async throws -> Void) async throws {
        try await with { port, _ in try await body(port) }
    }
}

/// Describes the results that are not as expected.
///
/// On a busy machine, read sizes and pauses vary, so a timing-dependent case may be NON-STRICT. In virtual time the
/// same cases must pass strictly.
func faults(in results: [ConformanceResult]) -> [String] {
    results.filter { result in
        let isTimed = result.id.matches("6.4") || Recorded.timed.contains(result.id.description)
        if isTimed, result.behavior == .nonStrict { return false }
        return ![.ok, .informational].contains(result.behavior)
            || ![.ok, .informational].contains(result.closeBehavior)
    }
    .map { "\($0.id) \($0.behavior.rawValue), \($0.closeBehavior.rawValue): \($0.why); \($0.closeWhy)" }
}
