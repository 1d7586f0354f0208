import Conformance
import ConformanceRunner
import Faults
import Foundations
import NIOCore
import NIOPosix
import Sockets

/// Squall's own echo client, driven by the control addresses as any other client is.
enum EchoDriver {
    /// Plays every case of the server at the port, one after another.
    static func play(port: Int, agent: String) async throws {
        let count = try await ask("/getCaseCount", port: port).first.flatMap { Int($0) } ?? 0
        for place in 1...max(count, 1) {
            _ = try await ask("/runCase?case=\(place)&agent=\(agent)", port: port, echoes: true)
        }
        _ = try await ask("/updateReports?agent=\(agent)&shutdownOnComplete=true", port: port)
    }

    /// One connection, to its end; returns the texts that came where nothing is echoed.
    static func ask(_ path: String, port: Int, echoes: Bool = false) async throws -> [String] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: [String].self)
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
        return try await promise.futureResult.get()
    }
}
