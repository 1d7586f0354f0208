import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Simulates several servers behind one address, selected by the request's `Host` header.
///
/// The servers share all stored state. Each server has its own connections, and is stopped and started separately.
extension ChatServer {
    /// Returns the host named in a connection's request; nil until the request has been read.
    private func host(of id: LinkID) -> String? {
        links.read(id) { $0.request.head?.host } ?? nil
    }

    /// Returns whether the requested server is up; if not, resets the connection, as a kernel does for a closed port.
    mutating func takesRequest(on id: LinkID) -> Bool {
        guard let host = host(of: id), hostsDown.contains(host) else { return true }
        note("server.host.refused", ["host": .string(host)], of: id.client)
        end(id, .rst)
        return false
    }

    /// Records in the trace which of the servers accepted a WebSocket.
    mutating func noteHost(of id: LinkID) {
        guard !profile.hosts.isEmpty, let host = host(of: id) else { return }
        note("server.host.served", ["host": .string(host)], of: id.client)
    }

    mutating func stop(host: String) {
        guard hostsDown.insert(host).inserted else { return }
        note("server.host.stopped", ["host": .string(host)])
        for id in links.ids where self.host(of: id) == host { closeAndEnd(id, .goingAway) }
    }

    mutating func start(host: String) {
        guard hostsDown.remove(host) != nil else { return }
        note("server.host.started", ["host": .string(host)])
    }
}
