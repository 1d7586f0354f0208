import Sockets
import SquallCore

/// What a worker's thread has: a reactor, and a lane for each proxy that hands it connections.
///
/// Confined to its thread; others send it deeds.
package final class ProxyWorkers {
    private let reactor: Reactor
    private let load: Load
    private let events: EventFunnel
    private var proxyWorkers: [Int: ProxyWorker] = [:]

    init(on reactor: Reactor, load: Load, events: EventFunnel) {
        self.reactor = reactor
        self.load = load
        self.events = events
    }

    subscript(proxy: Int) -> ProxyWorker? { proxyWorkers[proxy] }

    func open(_ proxy: Int, _ settings: ProxyWorker.Settings, _ traffic: Traffic) {
        let name = settings.name
        proxyWorkers[proxy] = ProxyWorker(settings, on: reactor, traffic: traffic, load: load) { [events] kind, link in
            events.post(kind, proxy: name, link: link)
        }
    }

    /// Those of its connections that still end keep it alive.
    func forget(_ proxy: Int) { proxyWorkers[proxy] = nil }

    /// A connection whose proxy is gone is nobody's.
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
