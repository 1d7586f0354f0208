import Conformance
import Faults
package import NIOCore
package import Sockets

/// An echo server that listens on a port. Each connection is served by an ``EchoServer``.
///
/// The service must be used only on its event loop.
package final class EchoService {
    package let port: Int
    private let listener: Listener

    /// Starts listening; port 0 selects a free port.
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

    /// Serves a connection, whose event handler retains the echo server.
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
    /// The socket buffers are as large as those of a loopback connection, because the cases test the peer, not the
    /// effects of a slow link.
    static let conformance = SocketSettings(sendBuffer: 1_048_576, receiveBuffer: 1_048_576, lingerTimeout: .seconds(5))
}
