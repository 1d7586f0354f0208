import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Proxies that listen or connect in another network namespace, through sockets that were created there.
extension ProxyServer {
    /// Creates a proxy that accepts connections or datagrams on a socket that is already bound, and forwards them to
    /// `upstream`.
    ///
    /// A stream socket must already be listening. The proxy takes ownership of the descriptor and closes it.
    package func forward(
        _ name: String,
        from descriptor: Int32,
        isDatagram: Bool,
        to upstream: String
    ) {
        let proxy = prepare(name, listen: "", upstream: upstream)
        proxy.start(adopting: SystemSocket(descriptor), isDatagram: isDatagram)
        add(proxy)
    }

    /// Creates a proxy that forwards TCP connections to `upstream` over sockets that the caller creates.
    ///
    /// `makeStream` returns a non-blocking socket of the given address family, or nil if it cannot create one.
    ///
    /// - Returns: The address on which the proxy listens.
    /// - Throws: ``AddressError`` if `listen` cannot be bound.
    package func forward(
        _ name: String,
        listen: String,
        to upstream: String,
        makeStream: @escaping (_ family: Int32) -> Int32?
    ) throws(AddressError) -> String {
        let proxy = prepare(name, listen: listen, upstream: upstream)
        proxy.localWorker.makeStream = { family throws(SocketError) in
            guard let descriptor = makeStream(family) else {
                throw SocketError("create a socket in another network namespace", code: ENETDOWN)
            }
            return SystemSocket(descriptor)
        }
        do {
            try proxy.start()
        } catch {
            throw AddressError(error.message)
        }
        add(proxy)
        return proxy.listen
    }

    /// Whether all data that has arrived at sockets bound by the caller, including the end of each stream, has been
    /// forwarded.
    var hasForwardedAll: Bool { sorted.allSatisfy { !$0.isAdopted || $0.localWorker.hasForwardedAll } }

    private func prepare(_ name: String, listen: String, upstream: String) -> RunningProxy {
        // The proxy has no worker pool, because the pool's threads create their sockets in this process's own
        // namespace.
        let settings = ProxyWorker.Settings(
            name: name,
            seed: options.seed,
            certificates: certificates,
            upstream: upstream,
            resetsUnfinishedStreams: true
        )
        return RunningProxy(settings, listen: listen, on: reactor) {
            [unowned self] kind, link in record(kind, proxy: settings.name, link: link)
        }
    }
}
