package import NIOCore

/// The settings of every socket of a live run.
package struct SocketSettings: Hashable, Sendable {
    /// The requested SO_SNDBUF in bytes; Linux doubles it for its own bookkeeping.
    package var sendBuffer: Int
    /// The requested SO_RCVBUF in bytes; Linux doubles it for its own bookkeeping.
    package var receiveBuffer: Int
    /// How long a half-closed connection goes on reading when the peer does not end, in real time.
    ///
    /// The time counts from when all written bytes are delivered, and starts again whenever bytes arrive.
    package var lingering: TimeAmount

    /// By default, both buffers together hold as much as one direction in the simulated world.
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
