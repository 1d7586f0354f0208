package import Faults
package import NIOCore
import NIOPosix

/// One attempt to connect, until it has an outcome or is given up.
///
/// Confined to its event loop.
package final class ConnectAttempt {
    package enum Outcome {
        case connected(Connection)
        case failed(LinkFailure)
        /// This machine could not even try.
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

    /// Connects without a limit of its own: whoever waits decides how long.
    ///
    /// The outcome comes once, and never after ``abandon()``; it may come before this returns.
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

    /// Connects to a host that may be anywhere, by its name or its address.
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
            connection?.end(.rst)
            return
        }
        if case .success = result { connection?.activated() }
        switch (result, connection) {
        case (.success, let connection?): emit(.connected(connection))
        case (.success, nil): emit(.failed(.reset))
        case (.failure(let error), _): emit(Self.outcome(of: error))
        }
    }

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

    /// The port the attempt comes from; nil before it has one.
    package var localPort: Int? { channel?.localAddress?.port }

    /// Gives the attempt up: its socket closes and nothing of it is told.
    ///
    /// The other side may have accepted it already.
    package func abandon() {
        onOutcome = nil
        channel?.close(promise: nil)
    }
}
