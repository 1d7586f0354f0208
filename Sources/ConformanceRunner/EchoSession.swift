import NIOCore
import NIOPosix
import Sockets

/// Squall's echo endpoint as a command runs it: until it is told to stop.
package enum EchoSession {
    /// `port`: on 127.0.0.1; 0 takes any that is free. `isInterrupted`: Asked ten times a second. `onReady`: the port,
    /// once connections are welcome.
    package static func serve(
        port: Int,
        isInterrupted: @escaping @Sendable () -> Bool,
        onReady: @escaping @Sendable (Int) -> Void
    ) async throws {
        try await OneLoop.run { (loop, end: @escaping (Result<Void, any Error>) -> Void) in
            let service = try EchoService(at: .common, port: port, on: loop) { end(.failure($0)) }
            onReady(service.port)
            OneLoop.poll(on: loop, isInterrupted) {
                service.close()
                end(.success(()))
            }
        }
    }
}
