import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Several servers behind one address, told apart by the name in `Host`: what is stored they share, their connections are
/// their own, and each stops and starts by itself.
extension ChatServer {
    /// The server that a connection's request was for; nil before it is read.
    private func host(of id: LinkID) -> String? {
        links.read(id) { $0.request.head?.host } ?? nil
    }

    /// False where the server that is meant is down: its connection is torn down, as by a kernel without a listener.
    mutating func takesRequest(on id: LinkID) -> Bool {
        guard let host = host(of: id), hostsDown.contains(host) else { return true }
        note("server.host.refused", ["host": .string(host)], of: id.client)
        end(id, .rst)
        return false
    }

    /// Tells which server has opened a WebSocket, where there are several.
    mutating func noteHost(of id: LinkID) {
        guard !profile.hosts.isEmpty, let host = host(of: id) else { return }
        note("server.host.served", ["host": .string(host)], of: id.client)
    }

    mutating func stop(host: String) {
        guard hostsDown.insert(host).inserted else { return }
        note("server.host.stopped", ["host": .string(host)])
        for id in links.ids where self.host(of: id) == host { leaveInOrder(id, .goingAway) }
    }

    mutating func start(host: String) {
        guard hostsDown.remove(host) != nil else { return }
        note("server.host.started", ["host": .string(host)])
    }
}
