import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// Connects to a host by name or by numeric address.
    ///
    /// Numeric addresses bypass the resolver, because its thread may respond after the loop has shut down.
    func connect(toNamed host: String, port: Int) -> EventLoopFuture<any Channel> {
        if let address = try? SocketAddress(ipAddress: host, port: port) { return connect(to: address) }
        return connect(host: host, port: port)
    }
}
