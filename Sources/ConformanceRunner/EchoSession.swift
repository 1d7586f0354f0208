import NIOCore
import NIOPosix
import Sockets

/// Runs the echo server, on behalf of a `squall` command, until the task is cancelled.
package enum EchoSession {
    /// Serves connections. `port` is a port of 127.0.0.1; 0 selects a free one. `onReady` is called with the port once
    /// connections are accepted.
    package static func serve(port: Int, onReady: @escaping @Sendable (Int) -> Void) async throws {
        try await EventLoopScope.run { (loop, end: @escaping EventLoopScope.End<Void>) in
            let service = try PortFailure.naming { () throws(SocketError) in
                try EchoService(at: .common, port: port, on: loop) { end(.failure($0)) }
            }
            onReady(service.port)
            return {
                service.close()
                end(.success(()))
            }
        }
    }
}
