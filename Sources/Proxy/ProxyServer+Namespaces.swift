import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Proxies one of whose sides stands in another network namespace: a socket stays in the one in which it was made.
extension ProxyServer {
    /// Leads what comes to a socket that somebody else has bound to this upstream.
    ///
    /// The socket listens, where it is no datagram's; from now on it is the proxy's to close.
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

    /// Leads TCP connections to an upstream by sockets of somebody else's making; where it listens, as it turned out.
    ///
    /// `makeStream` gives a socket of a family that never blocks, or nil where it cannot.
    package func forward(
        _ name: String,
        listen: String,
        to upstream: String,
        makeStream: @escaping (_ family: Int32) -> Int32?
    ) throws(AddressError) -> String {
        let proxy = prepare(name, listen: listen, upstream: upstream)
        proxy.localWorker.makeStream = { family throws(SocketError) in
            guard let descriptor = makeStream(family) else {
                throw SocketError("make a socket in another network namespace", code: ENETDOWN)
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

    /// Whether each upstream of adopted sockets has all that came there, to the end.
    var hasForwardedAll: Bool { sorted.allSatisfy { !$0.isAdopted || $0.localWorker.hasForwardedAll } }

    private func prepare(_ name: String, listen: String, upstream: String) -> RunningProxy {
        // On this thread alone: workers make their sockets where this process stands.
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
