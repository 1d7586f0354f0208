import Sockets
import SquallCore

/// The proxy workers on one thread: one per proxy, keyed by the proxy's id.
///
/// Confined to its thread; other threads post tasks to it.
package final class ProxyWorkers {
    private let reactor: Reactor
    private let load: Load
    private let events: EventCollector
    private var proxyWorkers: [Int: ProxyWorker] = [:]

    init(on reactor: Reactor, load: Load, events: EventCollector) {
        self.reactor = reactor
        self.load = load
        self.events = events
    }

    subscript(proxy: Int) -> ProxyWorker? {
        assert(reactor.isConfined)
        return proxyWorkers[proxy]
    }

    /// Creates the worker of a new proxy.
    func open(_ proxy: Int, _ settings: ProxyWorker.Settings, _ traffic: Traffic) {
        let name = settings.name
        proxyWorkers[proxy] = ProxyWorker(settings, on: reactor, traffic: traffic, load: load) { [events] kind, link in
            events.post(kind, proxy: name, link: link)
        }
    }

    /// Removes the worker of a proxy. Connections that are still ending retain it.
    func forget(_ proxy: Int) { proxyWorkers[proxy] = nil }

    /// Passes a connection to its proxy's worker, or closes it if the proxy has since been removed.
    func carry(_ socket: SystemSocket, from client: SystemAddress, number: Int, for proxy: Int) {
        guard let proxyWorker = proxyWorkers[proxy] else {
            load.remove()
            reactor.descriptors.release()
            socket.close()
            return
        }
        proxyWorker.carry(socket, from: client, number: number)
    }

    func closeAll() {
        for (_, proxyWorker) in proxyWorkers.sorted(by: { $0.key < $1.key }) { proxyWorker.closeAll() }
        proxyWorkers = [:]
    }
}
