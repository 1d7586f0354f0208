import NIOCore
import NIOPosix
import Sockets

/// Squall's echo endpoint as a command runs it: until its task is cancelled.
package enum EchoSession {
    /// `port`: on 127.0.0.1; 0 takes any that is free. `onReady`: the port, once connections are welcome.
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
