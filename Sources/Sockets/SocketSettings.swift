package import NIOCore

/// What every socket of a live run has in common.
package struct SocketSettings: Hashable, Sendable {
    /// SO_SNDBUF and SO_RCVBUF in bytes, as asked for.
    ///
    /// Linux doubles what it is given, for its own bookkeeping.
    package var sendBuffer: Int
    package var receiveBuffer: Int
    /// How long a connection that was ended in order goes on reading for a peer that does not end, in real time: counted from when all
    /// that was written has gone, and anew while anything comes.
    package var lingering: TimeAmount

    /// Both buffers together are what a direction of the simulated world holds.
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
