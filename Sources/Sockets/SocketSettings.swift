package import NIOCore

/// The settings of every socket of a live run.
package struct SocketSettings: Hashable, Sendable {
    /// The requested SO_SNDBUF in bytes; Linux doubles it for its own bookkeeping.
    package var sendBuffer: Int
    /// The requested SO_RCVBUF in bytes; Linux doubles it for its own bookkeeping.
    package var receiveBuffer: Int
    /// The linger timeout: how long, in real time, a half-closed connection is read if the peer does not close.
    ///
    /// It starts when all written bytes are delivered, and restarts whenever bytes arrive.
    package var lingering: TimeAmount

    /// Creates settings. By default, both buffers together have the capacity of one direction in the simulated world.
    package init(
        sendBuffer: Int = 128 * 1024,
        receiveBuffer: Int = 128 * 1024,
        lingering: TimeAmount = .seconds(30)
    ) {
        self.sendBuffer = sendBuffer
        self.receiveBuffer = receiveBuffer
        self.lingering = lingering
    }
}
