package import Faults
package import NIOCore
import NIOPosix

/// A single connection attempt, which ends when it has an outcome or is abandoned.
///
/// The attempt must be used only on its event loop.
package final class ConnectAttempt {
    package enum Outcome {
        case connected(Connection)
        case failed(LinkFailure)
        /// This machine could not make the attempt, for example because it has no file descriptors left or lacks the
        /// local address.
        case impossible(SocketError)
    }

    private let loop: any EventLoop
    private let settings: SocketSettings
    private var onOutcome: ((Outcome) -> Void)?
    private var connection: Connection?
    private var channel: (any Channel)?

    private init(_ settings: SocketSettings, on loop: any EventLoop, _ onOutcome: @escaping (Outcome) -> Void) {
        self.loop = loop
        self.settings = settings
        self.onOutcome = onOutcome
    }

    /// Starts connecting to a local address. There is no timeout: the caller must abandon the attempt when it has
    /// waited long enough.
    ///
    /// `onOutcome` is called once, never after ``abandon()``, and possibly before this method returns.
    package static func begin(
        from address: LocalAddress,
        to host: LocalAddress,
        port: Int,
        settings: SocketSettings,
        on loop: any EventLoop,
        _ onOutcome: @escaping (Outcome) -> Void
    ) -> ConnectAttempt {
        let attempt = ConnectAttempt(settings, on: loop, onOutcome)
        attempt.connect(from: address, to: host, port: port)
        return attempt
    }

    /// Starts connecting to a host, given by name or numeric address, on this machine or another.
    package static func begin(
        toHost host: String,
        port: Int,
        settings: SocketSettings,
        on loop: any EventLoop,
        _ onOutcome: @escaping (Outcome) -> Void
    ) -> ConnectAttempt {
        let attempt = ConnectAttempt(settings, on: loop, onOutcome)
        let bound = NIOLoopBound(attempt, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(.hours(24 * 365))
            .connectionOptions()
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
            }
            .connect(toNamed: host, port: port)
            .assumeIsolated()
            .whenComplete { attempt.finish($0.map { _ in () }) }
        return attempt
    }

    private func connect(from address: LocalAddress, to host: LocalAddress, port: Int) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        do {
            let (local, remote) = try (address.socketAddress(port: 0), host.socketAddress(port: port))
            ClientBootstrap(group: loop)
                .connectTimeout(.hours(24 * 365))
                .connectionOptions()
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel) }
                }
                .bind(to: local)
                .connect(to: remote)
                .assumeIsolated()
                .whenComplete { [self] result in finish(result.map { _ in () }) }
        } catch {
            finish(.failure(error))
        }
    }

    private func prepare(_ channel: any Channel) throws {
        guard onOutcome != nil else { throw ChannelError.alreadyClosed }
        let connection = Connection(channel, settings: settings)
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection))
        self.connection = connection
        self.channel = channel
    }

    private func finish(_ result: Result<Void, any Error>) {
        let (emit, connection) = (onOutcome, connection)
        onOutcome = nil
        self.connection = nil
        channel = nil
        guard let emit else {
            // A failed attempt's socket is already closed, and another connection may be using its descriptor.
            if case .success = result { connection?.end(.rst) }
            return
        }
        if case .success = result { connection?.activated() }
        switch (result, connection) {
        case (.success, let connection?): emit(.connected(connection))
        case (.success, nil): emit(.failed(.reset))
        case (.failure(let error), _): emit(Self.outcome(of: error))
        }
    }

    /// Classifies a SwiftNIO error as a failure of the link or of this machine.
    static func outcome(of error: any Error) -> Outcome {
        switch error {
        case let error as IOError:
            LinkFailure(errorNumber: error.errnoCode).map { .failed($0) }
                ?? .impossible(SocketError("connect", code: error.errnoCode))
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { outcome(of: $0.error) } ?? .failed(.nameNotFound)
        case ChannelError.connectTimeout: .failed(.timedOut)
        default: .failed(.reset)
        }
    }

    /// The local port of the attempt; nil until the socket is bound.
    package var localPort: Int? { channel?.localAddress?.port }

    /// Abandons the attempt: its socket is closed, and no outcome is reported.
    ///
    /// The peer may already have accepted the connection.
    package func abandon() {
        onOutcome = nil
        channel?.close(promise: nil)
    }
}
