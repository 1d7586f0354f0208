import Conformance
import Faults
package import NIOCore
package import Sockets

/// Squall's own echo endpoint on a port: each connection is an ``EchoServer``.
///
/// Confined to its event loop.
package final class EchoService {
    package let port: Int
    private let listener: Listener

    /// Port 0 takes any that is free.
    package init(
        at address: LocalAddress,
        port: Int,
        on loop: any EventLoop,
        onFailure: @escaping (SocketError) -> Void
    ) throws(SocketError) {
        listener = try Listener(
            at: address,
            port: port,
            settings: .conformance,
            on: loop,
            onFailure: onFailure
        ) { Self.serve($0) }
        self.port = listener.port
        try listener.set(.open)
    }

    package func close() { listener.close() }

    /// The connection's handler is what keeps the endpoint.
    private static func serve(_ connection: Connection) {
        var server = EchoServer()
        connection.onEvent = { [weak connection] event in
            switch event {
            case .received(let bytes): server.receive(bytes)
            case .ended: server.receiveEnd()
            }
            connection?.write(server.takeOutput())
            if server.shouldEnd { connection?.end(.fin) }
        }
    }
}

extension SocketSettings {
    /// Buffers as the system has them on loopback: cases measure the peer, and not a narrow link.
    static let conformance = SocketSettings(sendBuffer: 1_048_576, receiveBuffer: 1_048_576, lingering: .seconds(5))
}
