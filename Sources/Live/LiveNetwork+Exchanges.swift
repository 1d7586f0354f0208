import ChatWire
import Faults
import ReferenceClient
import ScenarioModel
import Sockets

/// How HTTP exchanges, whose sockets are libcurl's, take part in the network.
extension LiveNetwork {
    func request(_ id: ExchangeID, _ request: ChatRequest) {
        guard let listener = acceptModes[id.client] else { return }
        let wire = newWire(.exchange(id), to: listener)
        exchanges?.begin(id, request, port: listener.port, isLost: wire.phase == .lost)
    }

    func cancel(_ id: ExchangeID) {
        if wireOf[.exchange(id)]?.phase == .met { exchanges?.cancel(id) }
        end(.exchange(id), .fin)
    }

    /// A socket was opened for an exchange and bound to a port.
    func opened(_ exchange: CurlExchange, port: Int) {
        guard let wire = wireOf[.exchange(exchange.id)] else { return }
        wire.callerEnd = exchange
        if wire.phase == .calling { callerStands(wire, at: port) }
    }

    /// An exchange is over and its socket handed back.
    ///
    /// It ends in order, and is read until the peer ends, as every connection of a client.
    func handedBack(_ socket: SystemSocket, of exchange: CurlExchange) {
        guard let wire = wireOf[.exchange(exchange.id)], wire.phase == .met else { return socket.close() }
        Connection.adopt(socket, settings: options.sockets, on: loop) { connection in
            wire.callerEnd = connection
            connection.end(.fin)
        }
    }

    func answered(_ id: ExchangeID, _ outcome: CurlExchange.Outcome) {
        guard let wire = wireOf[.exchange(id)] else { return }
        switch (outcome, wire.phase) {
        case (.impossible(let error), _):
            onFailure(error)
        case (.failed(let failure), .calling):
            callFailed(wire, failure)
        case (.failed(let failure), _):
            wireOf[.exchange(id)] = nil
            onInput(.client(id.client, .requestFailed(id, failure)))
        case (.response(let response), _):
            wireOf[.exchange(id)] = nil
            onInput(.client(id.client, .response(id, response)))
        }
    }
}
