import Faults
package import NIOCore
import NIOPosix

extension Connection {
    /// Connects to a host, given by name or numeric address, on this machine or another.
    ///
    /// `onOutcome` is called once, on the loop. If `limit` elapses first, the outcome is
    /// ``ConnectAttempt/Outcome/failed(_:)``.
    package static func connect(
        toHost host: String,
        port: Int,
        within limit: TimeAmount,
        settings: SocketSettings,
        on loop: any EventLoop,
        _ onOutcome: @escaping (ConnectAttempt.Outcome) -> Void
    ) {
        let (made, emit) = (NIOLoopBoundBox.makeEmptyBox(valueType: Connection.self, eventLoop: loop), onOutcome)
        ClientBootstrap(group: loop)
            .connectTimeout(limit)
            .connectionOptions()
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = Connection(channel, settings: settings)
                    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection))
                    made.value = connection
                }
            }
            .connect(toNamed: host, port: port)
            .assumeIsolated()
            .whenComplete { result in
                switch (result, made.value) {
                case (.success, let connection?):
                    connection.activated()
                    emit(.connected(connection))
                case (.success, nil): emit(.failed(.reset))
                case (.failure(let error), _):
                    // A name may resolve to several addresses, and connecting to each may fail with a different error.
                    // The last one is reported.
                    let attempts = (error as? NIOConnectionError)?.connectionErrors ?? []
                    emit(ConnectAttempt.outcome(of: attempts.last?.error ?? error))
                }
            }
    }
}
