import Conformance
import ConformanceRunner
import Faults
import NIOCore
import NIOPosix
import Sockets
import SquallCore

/// Squall's own echo client, driven by the control addresses as any other client is.
enum EchoDriver {
    /// Has the judge of clients judge it.
    ///
    /// `first`: what else is asked at the port before. `through`: the port at which the judge is reached.
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

    /// Plays every case of the server at the port, one after another.
    static func play(port: Int, agent: String) async throws {
        let count = try await ask("/getCaseCount", port: port).first.flatMap { Int($0) } ?? 0
        for place in 1...max(count, 1) {
            _ = try await ask("/runCase?case=\(place)&agent=\(agent)", port: port, echoes: true)
        }
        _ = try await ask("/updateReports?agent=\(agent)&shutdownOnComplete=true", port: port)
    }

    /// Calls a port on loopback; what `body` promises is what comes of it.
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

    /// One connection, to its end; returns the texts that came where nothing is echoed.
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
    /// Bytes that need be no HTTP; what is said of them until the end.
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

/// Squall's echo endpoint on a port.
enum EchoEndpoint {
    /// It stands while the body runs, or until the task that is its second argument is cancelled.
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

/// What was not as it should be, told in full.
///
/// Where a machine that is busy decides how many bytes are read at once, and how long a pause is, a verdict may be
/// NON-STRICT; the same cases in virtual time are strict.
func faults(in results: [ConformanceResult]) -> [String] {
    results.filter { result in
        let isTimed = result.id.matches("6.4") || Recorded.timed.contains(result.id.description)
        if isTimed, result.behavior == .nonStrict { return false }
        return ![.ok, .informational].contains(result.behavior)
            || ![.ok, .informational].contains(result.closeBehavior)
    }
    .map { "\($0.id) \($0.behavior.rawValue), \($0.closeBehavior.rawValue): \($0.why); \($0.closeWhy)" }
}
