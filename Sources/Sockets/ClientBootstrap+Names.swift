import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// Connects to a host by its name, or to an address without asking for a name: that asks on a thread of its own, which may answer
    /// when the loop has gone.
    func connect(toNamed host: String, port: Int) -> EventLoopFuture<any Channel> {
        if let address = try? SocketAddress(ipAddress: host, port: port) { return connect(to: address) }
        return connect(host: host, port: port)
    }
}
