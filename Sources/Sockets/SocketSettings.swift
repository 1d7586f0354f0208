package import NIOCore

/// The socket settings for a live run.
package struct SocketSettings: Hashable, Sendable {
    /// The requested SO_SNDBUF in bytes; Linux doubles it for its own bookkeeping.
    package var sendBuffer: Int
    /// The requested SO_RCVBUF in bytes; Linux doubles it for its own bookkeeping.
    package var receiveBuffer: Int
    /// The linger timeout: how long, in real time, to keep reading if the peer does not close a half-closed connection.
    ///
    /// The timeout restarts as long as written bytes are undelivered or new bytes keep arriving.
    package var lingerTimeout: TimeAmount

    /// Creates settings. By default, the two buffers together hold as much as one direction of a simulated connection.
    package init(
        sendBuffer: Int = 128 * 1024,
        receiveBuffer: Int = 128 * 1024,
        lingerTimeout: TimeAmount = .seconds(30)
    ) {
        self.sendBuffer = sendBuffer
        self.receiveBuffer = receiveBuffer
        self.lingerTimeout = lingerTimeout
    }
}
